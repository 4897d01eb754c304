"""Whether error rates hold: whole studies, run against mock models whose leaning is known."""
