"""Questions as people and scripts type them: days, viewers, places."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import UserFacing
from assistant.model.audiences import Place, PlaceKind, Viewer
from workers.asked import AskedRow, moment_asked, place_named, viewer_named

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2026-07-31", datetime(2026, 7, 31, 21, 59, 59, 999999, UTC)),
        ("2026-12-31", datetime(2026, 12, 31, 22, 59, 59, 999999, UTC)),
        ("20260731", datetime(2026, 7, 31, 21, 59, 59, 999999, UTC)),
        ("2026-07-31T12:00:00Z", datetime(2026, 7, 31, 12, tzinfo=UTC)),
        (" 2026-07-31T12:00 ", datetime(2026, 7, 31, 10, tzinfo=UTC)),
        ("2026-07-31T12:00:00-05:00", datetime(2026, 7, 31, 17, tzinfo=UTC)),
    ],
)
def test_days_end_where_they_end(typed: str, expected: datetime) -> None:
    assert moment_asked(typed, BERLIN) == expected


def test_yesterday_ends_before_today_begins() -> None:
    assert moment_asked("Today", UTC) - moment_asked("yesterday", UTC) == timedelta(days=1)


@pytest.mark.parametrize(
    ("typed", "zone"), [("9999-12-31", "America/New_York"), ("0001-01-01T00:00", "Asia/Tokyo"), ("2026-02-30", "UTC")]
)
def test_days_that_no_calendar_has_are_refused(typed: str, zone: str) -> None:
    with pytest.raises(UserFacing, match="no date"):
        moment_asked(typed, ZoneInfo(zone))


@given(st.text(max_size=30))
def test_anything_else_is_refused_with_an_example(typed: str) -> None:
    try:
        assert moment_asked(typed, UTC).tzinfo is not None
    except UserFacing as error:
        assert "2026-07-31" in str(error)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        (None, Place()),
        ("public", Place()),
        ("dm", Place(PlaceKind.DM)),
        ("#growth", Place(PlaceKind.CHANNEL, channel="growth")),
        ("C01", Place(PlaceKind.CHANNEL, channel="C01")),
    ],
)
def test_places(typed: str | None, place: Place) -> None:
    assert place_named(typed) == place


def test_viewers() -> None:
    assert viewer_named("public") == Viewer()
    assert viewer_named("@ann") == viewer_named("ann") == Viewer("ann")


def test_a_number_is_an_id_too() -> None:
    asked = AskedRow.model_validate({"id": 7, "question": " When? ", "theirs": True}).asked(UTC)
    assert (asked.question.id, asked.question.text, asked.question.as_of) == ("7", "When?", None)
