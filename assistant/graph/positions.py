"""Positions of a page's sections: kept where a section stayed, found between its neighbours where it is new."""

from collections.abc import Sequence

from assistant.text.ordering import between


def positions(wanted: Sequence[tuple[str | None, bool]]) -> list[str]:
    """For each section in reading order the position it had and whether it must keep it; gives rising positions.

    Those that must be kept have to rise already. One that may go is kept where it fits in between.
    """
    ahead = _fitting(wanted)
    found: list[str] = []
    last: str | None = None
    upcoming = iter([*(position for position in ahead if position is not None), None])
    following = next(upcoming)
    for position in ahead:
        if position is None:
            position = between(last, following)
        else:
            following = next(upcoming)
        found.append(position)
        last = position
    return found


def _fitting(wanted: Sequence[tuple[str | None, bool]]) -> list[str | None]:
    """The positions that can stay: all that must, and of the others those that rise with them."""
    ceilings: list[str | None] = []
    ceiling: str | None = None
    for position, must in reversed(wanted):
        ceilings.append(ceiling)
        ceiling = position if must else ceiling
    kept: list[str | None] = []
    floor = ""
    for (position, must), ceiling in zip(wanted, reversed(ceilings), strict=True):
        fits = position is not None and position > floor and (ceiling is None or position < ceiling)
        kept.append(position if must or fits else None)
        floor = kept[-1] or floor
    return kept
