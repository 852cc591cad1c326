"""The answers given so far, and whether each still holds."""

from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

from assistant.access import NOBODY, scope_for
from assistant.graph.reading.owners import owners
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.graph.staleness import StandingRow, standing
from assistant.model.audiences import Place, Viewer


@dataclass(frozen=True, slots=True)
class Standing:
    """A given answer, in the contract's words."""

    answer_id: str
    question: str
    status: Literal["valid", "check", "stale", "refreshed"]
    invalidated_by: str | None
    """Full sha of the commit that broke it or made it doubtful."""
    refreshed_by: str | None
    """Id of the answer that took its place."""
    owners: tuple[str, ...]
    """Of the pages it cites, now."""

    def as_json(self) -> dict[str, Any]:
        """The row as `brain answers --json` prints it."""
        return {**asdict(self), "owners": list(self.owners)}


def standings(space: Space) -> list[Standing]:
    """Every answer given, oldest first; refusals are none."""
    scope = scope_for(Viewer(), Place(), NOBODY, heads(space.reader))

    @cache
    def of_page(path: str) -> tuple[str, ...]:
        ownership = owners(space.reader, scope, path)
        return ownership.owners if ownership else ()

    return [
        Standing(
            row.answer,
            row.question,
            status_of(row),
            row.invalidated_by or row.doubted_by,
            row.refreshed_by,
            tuple(dict.fromkeys(owner for path in row.paths for owner in of_page(path))),
        )
        for row in standing(space.reader)
    ]


def status_of(row: StandingRow) -> Literal["valid", "check", "stale", "refreshed"]:
    """Stale, or in doubt, until it is answered anew."""
    if row.invalidated_by is None and row.doubted_by is None:
        return "valid"
    if row.refreshed_by:
        return "refreshed"
    return "check" if row.invalidated_by is None else "stale"
