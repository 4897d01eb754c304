"""Measures: what turns a text into a number."""
