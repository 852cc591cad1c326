"""Finds the sections and the words in them that answer a question, within what the asker may see on the asked day."""
