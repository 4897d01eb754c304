"""The studies: what is asked about groups, and what follows from the answers."""
