"""Questions out, answers in: files of batch requests, and files of their results.

`outbox` writes the requests, `results` finds the results by their ids, and `by_post` is the model
that is asked so.
"""
