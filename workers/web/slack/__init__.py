"""Slack's requests: one listener a file. They check, queue and acknowledge; only a form is opened here itself."""
