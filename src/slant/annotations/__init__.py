"""Annotations: what people rule about the scores of a run, kept beside them and never over them.

`ledger` keeps the lines, `annotating` checks and adds one, `labels` says which of them count,
`automatic` what the scorer said, `sample` which answers to judge next, `apply` lays labels over
scores, `agreement` compares people and scorer, `recompute` draws all conclusions again.
"""
