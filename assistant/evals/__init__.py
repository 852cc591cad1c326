"""Evaluations: what the product is worth, measured and checked."""
