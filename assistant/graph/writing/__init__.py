"""Writes of what sources say: one writer at a time, repeatable, unseen until whole."""
