"""The public face in Python: the verbs of the command line as functions, and what they give.

Import these names from `slant` itself.
"""
