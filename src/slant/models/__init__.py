"""The models that slant can ask, and how they are spelt."""
