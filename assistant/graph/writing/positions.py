"""Positions of a page's sections: kept where a section stayed, found between its neighbours where it is new."""

from collections.abc import Sequence

from assistant.text.ordering import between

Wanted = Sequence[tuple[str | None, bool]]
"""For each section in reading order the position that it had, and whether it must keep it."""


def positions(wanted: Wanted, floor: str | None = None, ceiling: str | None = None) -> list[str]:
    """A rising position for each section, all of them between floor and ceiling (None: open).

    Positions that must be kept have to rise already; one that may go stays where it fits in between.
    """
    kept = _fitting(wanted, floor or "", ceiling)
    upcoming = iter([*(position for position in kept if position is not None), ceiling])
    following = next(upcoming)
    found: list[str] = []
    last = floor
    for position in kept:
        if position is None:
            last = between(last, following)
        else:
            last, following = position, next(upcoming)
        found.append(last)
    return found


def _fitting(wanted: Wanted, floor: str, ceiling: str | None) -> list[str | None]:
    """The positions that can stay: all that must, and of the others those that rise with them."""
    ceilings: list[str | None] = []
    for position, must in reversed(wanted):
        ceilings.append(ceiling)
        ceiling = position if must else ceiling
    kept: list[str | None] = []
    for (position, must), below in zip(wanted, reversed(ceilings), strict=True):
        fits = position is not None and position > floor and (below is None or position < below)
        kept.append(position if must or fits else None)
        floor = kept[-1] or floor
    return kept
