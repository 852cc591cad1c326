"""The web process: takes what Slack sends, over HTTP or socket mode, and queues it. It answers nothing itself."""
