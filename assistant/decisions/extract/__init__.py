"""Finds what was settled in a conversation: by rules without any model, or by a language model."""
