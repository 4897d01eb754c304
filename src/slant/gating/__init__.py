"""The gate: a policy's rules, judged on the intervals of a run's findings.

`policy` is the file, `limits`, `regressions` and `floors` judge its rules, `gate` puts them
together; `junit`, `markdown`, `plain` and `lines` tell the result.
"""
