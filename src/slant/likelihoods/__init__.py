"""How probable texts are to a language model: exact, and fast for many short ones."""
