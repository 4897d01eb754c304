"""Data that slant brings along: axes, lexicons, suites, files to start from."""
