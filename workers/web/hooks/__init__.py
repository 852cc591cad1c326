"""Webhooks of the sources: verified on the bytes as they came, queued once, answered at once. One source a file."""
