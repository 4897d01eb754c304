"""Findings that may not move: runs of all studies, and what came of them once.

`python -m tests.golden` in the repository's root computes them anew and writes them down.
"""
