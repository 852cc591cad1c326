"""Jira: discussions of issues."""
