"""GitLab: discussions of issues and merge requests."""
