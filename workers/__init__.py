"""The processes: what runs, and how people and machines start it."""
