"""Google Meet: transcripts of meetings."""
