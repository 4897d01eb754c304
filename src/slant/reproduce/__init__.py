"""Tables of publications, recomputed from what their authors published."""
