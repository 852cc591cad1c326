"""GitHub: discussions of issues and pull requests."""
