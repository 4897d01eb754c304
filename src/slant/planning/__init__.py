"""What an audit would ask, cost and see, before anything is asked.

`walk` counts questions, `weigh` tokens, `earlier` reads what another run tells, `probe` asks a few
questions, `power` simulates what could be seen; `plan` puts them together, `lines` tells it.
"""
