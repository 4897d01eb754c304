"""Trying a model before it is audited: what it can do, and how its replies are read.

`probes` tries its abilities, `samples` puts one question of each study, and `diagnosis` does both.
"""
