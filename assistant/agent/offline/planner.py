"""Which answerer serves which kind of question."""

from collections.abc import Callable

from assistant.agent.draft import Draft, Refusal
from assistant.agent.offline.asking import Asking
from assistant.agent.offline.changes import changed, impact
from assistant.agent.offline.decided import behind, decided
from assistant.agent.offline.histories import history
from assistant.agent.offline.intent import Kind
from assistant.agent.offline.places import neighbours, ownership, section_text
from assistant.agent.offline.rules import rule
from assistant.agent.offline.timelines import moved, timeline
from assistant.agent.offline.unrecorded import unrecorded

ANSWERERS: dict[Kind, Callable[[Asking], Draft | Refusal]] = {
    Kind.RULE: rule,
    Kind.SECTION: section_text,
    Kind.NEIGHBOUR: neighbours,
    Kind.OWNER: ownership,
    Kind.CHANGES: changed,
    Kind.IMPACT: impact,
    Kind.METRIC: history,
    Kind.BEFORE: history,
    Kind.SINCE: history,
    Kind.CHANGER: history,
    Kind.STILL: history,
    Kind.TALK: history,
    Kind.HISTORY: timeline,
    Kind.COUNT: timeline,
    Kind.MOVED: moved,
}


def plan(asking: Asking) -> Draft | Refusal:
    """The draft of an answer: by what was decided about it, else by the kind of the question."""

    def handbook() -> Draft | Refusal:
        found = ANSWERERS[asking.intent.kind](asking)
        return unrecorded(asking, found if isinstance(found, Refusal) else behind(asking, found))

    return decided(asking, handbook) or handbook()
