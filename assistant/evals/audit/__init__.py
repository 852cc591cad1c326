"""The audit: what the graph says, held against the raw sources by code that shares nothing with what filled it."""
