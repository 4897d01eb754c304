"""The dashboard: runs in the browser, from verdict to group to pair to the very sentence.

`slant view` serves it. `app.dashboard` puts it together; `run_index.RunIndex` finds the runs,
`open_run.OpenRun` reads one; every screen is one file in `pages` with one template; `guard` keeps
strangers out; `links` knows every address. Pages are written on the server and trust nothing that
a model said; nothing is written through GET.
"""
