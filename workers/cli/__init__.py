"""The command `brain`: one group or command a file."""
