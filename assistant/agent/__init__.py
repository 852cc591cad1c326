"""Answers: a planner calls read-only tools, what it claims is checked against what they returned, and stored."""
