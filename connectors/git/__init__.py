"""The git connector: a handbook's mainline, commit by commit."""

from connectors.git.repository import GitRepository

__all__ = ["GitRepository"]
