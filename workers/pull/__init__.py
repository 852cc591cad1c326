"""Jobs that bring in what sources tell of, by a webhook or a poll: a connector reads it, ingest writes it."""
