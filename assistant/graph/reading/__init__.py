"""Reads within an Audience as of a day: what holds, what held, who said and decided it."""
