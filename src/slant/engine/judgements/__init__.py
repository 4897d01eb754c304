"""Judgements: what people rule about the scores of a run, kept beside them and never over them.

`ledger` keeps the lines, `judging` checks and adds one, `rulings` says which of them count,
`automatic` what the scorer said, `sample` which answers to judge next, `overlay` lays rulings over
scores, `agreement` compares people and scorer, `recompute` draws all conclusions again.
"""
