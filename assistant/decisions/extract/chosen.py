"""Which extractor the settings ask for: the language model that they name, else the rules."""

from collections.abc import Callable

from assistant.decisions.extract.by_model import ByModel
from assistant.decisions.extract.by_rules import extract
from assistant.decisions.extract.protocol import Extractor
from assistant.errors import BrainError, UserFacing
from assistant.llm import model_of
from assistant.model.conversations import Conversation, ConversationKind
from assistant.model.decisions import Extracted
from assistant.settings import Settings

RULES = "rules 5"
"""Name of the rules' version; what another version has read is read again."""


def chosen(settings: Settings, warn: Callable[[str], None]) -> tuple[Extractor, str]:
    """The extractor and its name. Where the model fails, the rules read that conversation, and WARN is told.

    Written minutes are always read by rules: their conclusions say what was settled in so many words.
    """
    model = model_of(settings)
    if model is None:
        return extract, RULES
    by_model = ByModel(model)

    def with_rules_behind(conversation: Conversation) -> tuple[Extracted, ...]:
        if conversation.kind is ConversationKind.MINUTES:
            return extract(conversation)
        try:
            return by_model(conversation)
        except UserFacing:
            raise
        except BrainError as error:
            warn(f"{conversation.shown_id}: read by rules, since {error}")
            return extract(conversation)

    return with_rules_behind, f"{model.model} and {RULES}"
