"""The engine: asks models the questions of studies, once each, and keeps what they say."""
