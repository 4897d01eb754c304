"""Graphs of subject-predicate-object triples: as a table, as files, laid out, compared.

The table is that of the study `knowledge`, after Salinas et al. (2023): one row a triple, with the
columns subject, predicate and object, and whatever else is known of the triple. Nothing here asks
a model or knows of runs and reports.
"""
