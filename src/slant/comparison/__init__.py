"""Two runs or models side by side: what changed, what is new, what is gone, what stayed."""
