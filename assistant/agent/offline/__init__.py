"""Answers without a model: a planner in code over the same tools that a model will use."""
