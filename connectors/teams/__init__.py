"""Teams: transcripts of meetings."""
