"""A comparison of two runs or models, in words, as JSON and as a page."""
