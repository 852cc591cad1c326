"""The read-only tools, one a file: each module here has a `TOOL`, named like its file."""
