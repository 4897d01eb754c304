"""A model as its users meet it: behind a system prompt, inside a frame of other turns.

`deployment` says what stands around every question and reads it from files, `frame` is the part of
it that is written in TOML, and `deployed` puts both before a model.
"""
