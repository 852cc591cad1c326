"""Minutes and transcripts, as text or Markdown."""
