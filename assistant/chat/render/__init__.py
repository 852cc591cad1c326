"""Answers in the layout languages of surfaces: pure functions, no network, no graph."""
