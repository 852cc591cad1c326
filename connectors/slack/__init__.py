"""Slack: what its events mean to us, who is who in a workspace, and how we write there. The one user of slack_sdk."""
