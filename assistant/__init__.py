"""The brain: what the product knows and how it answers. Knows nothing of Slack, Teams, queues or processes."""
