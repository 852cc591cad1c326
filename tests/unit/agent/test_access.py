"""Who may see what: viewer and place to Scope."""

from datetime import UTC, datetime

import pytest

from assistant.access import NOBODY, KnownMembers, Vouching, at_day, audience_of, scope_for
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.times import micros

HEADS = {"s1": micros(datetime(2024, 5, 1, tzinfo=UTC)), "s2": micros(datetime(2024, 3, 1, tzinfo=UTC))}
MEMBERS = KnownMembers({"ana": frozenset({"C1", "C2"})})
ANA, STRANGER, ANYBODY = Viewer("ana"), Viewer("eve"), Viewer()
IN_C1, IN_C3, DM, ALOUD = (
    Place(PlaceKind.CHANNEL, "C1"),
    Place(PlaceKind.CHANNEL, "C3"),
    Place(PlaceKind.DM),
    Place(),
)


@pytest.mark.parametrize(
    ("viewer", "place", "seen"),
    [
        (ANA, ALOUD, ("public",)),
        (ANA, IN_C1, ("public", "channel:C1")),
        (ANA, IN_C3, ("public",)),
        (ANA, DM, ("public", "channel:C1", "channel:C2")),
        (STRANGER, IN_C1, ("public",)),
        (STRANGER, DM, ("public",)),
        (ANYBODY, DM, ("public",)),
    ],
)
def test_only_what_all_who_read_along_may_see(viewer: Viewer, place: Place, seen: tuple[str, ...]) -> None:
    assert scope_for(viewer, place, MEMBERS, HEADS).audiences == seen


def test_who_is_unknown_sees_public_sources_only() -> None:
    assert scope_for(ANA, DM, NOBODY, HEADS).audiences == ("public",)


def test_who_was_seen_in_a_channel_is_in_it_and_nobody_else_is() -> None:
    members = Vouching(MEMBERS, "ana", frozenset({"C3"}))
    assert scope_for(ANA, IN_C3, members, HEADS).audiences == ("public", "channel:C3")
    assert scope_for(STRANGER, IN_C3, members, HEADS).audiences == ("public",)


def test_no_source_is_read_beyond_its_head() -> None:
    asked = datetime(2024, 4, 1, tzinfo=UTC)
    scope = scope_for(ANA, DM, MEMBERS, HEADS, asked)
    assert scope.days == {"s1": micros(asked), "s2": HEADS["s2"]}
    assert at_day(scope, datetime(2030, 1, 1, tzinfo=UTC)).days == scope.days
    assert at_day(scope, datetime(2024, 1, 1, tzinfo=UTC)).days == dict.fromkeys(
        HEADS, micros(datetime(2024, 1, 1, tzinfo=UTC))
    )


def test_an_answer_belongs_to_those_who_read_it() -> None:
    assert audience_of(IN_C1, ANA) == "channel:C1"
    assert audience_of(DM, ANA) == "person:ana"
    assert audience_of(ALOUD, ANA) == "public"
