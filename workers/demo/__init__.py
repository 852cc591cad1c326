"""The demonstration: a made company's handbook, and the story of one rule that changes."""
