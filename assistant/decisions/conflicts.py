"""Decisions that the handbook speaks against: it says another value about the same thing, and no commit changed that."""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.access import at_day
from assistant.decisions.sought import Sought
from assistant.graph.store import Reader
from assistant.model.audiences import Scope
from assistant.model.sections import SectionVersion
from assistant.model.times import moment


@dataclass(frozen=True, slots=True)
class Against:
    """Words of a section that say another value."""

    section: SectionVersion
    quote: str


def against(reader: Reader, scope: Scope, wanted: Sought, until: int) -> Sequence[Against]:
    """What the handbook says against a decision at the end of its time, the clearest words only."""
    at_day(scope, moment(until))
    return ()
