"""What every extractor does."""

from typing import Protocol

from assistant.model.conversations import Conversation
from assistant.model.decisions import Extracted


class Extractor(Protocol):
    """Finds decisions in a conversation."""

    def __call__(self, conversation: Conversation) -> tuple[Extracted, ...]:
        """What was settled in it, in the order it was said; empty where nothing was."""
        ...
