"""What people call where something was said, and when they are told it was."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from assistant.agent.evidence import place_called
from assistant.model.conversations import ConversationKind
from assistant.model.times import whole_day, zone_of

DAY = datetime(2026, 7, 27, tzinfo=UTC)
WEST = ZoneInfo("America/Los_Angeles")


@pytest.mark.parametrize(
    ("meeting", "item", "called"),
    [
        ("Purchasing committee, 27 July 2026", "Small purchases", "Purchasing committee, item Small purchases"),
        ("Purchasing committee, 27 July 2026", "", "Purchasing committee"),
        ("Ops meeting 2026-07-27", "Ops meeting 2026-07-27", "Ops meeting"),
        ("March 2, 2026 Meeting", "Trials", "Meeting, item Trials"),
        ("Minutes of the board meeting of 3rd May 2026", "Dues", "board meeting, item Dues"),
        ("Protokoll Vorstand 13.05.2026", "Beiträge", "Protokoll Vorstand, item Beiträge"),
        ("Réunion d'équipe du 15 mai 2026", "Divers", "Réunion d'équipe, item Divers"),
        ("Acta de la junta (12 de junio de 2026)", "Cuota", "Acta de la junta, item Cuota"),
        ("2026-07-27", "Dues", "2026-07-27, item Dues"),
        ("Platform Sprint 12, 2026", "Dues", "Platform Sprint 12, 2026, item Dues"),
        ("Room 12 2026", "", "Room 12 2026"),
        ("12 teams 2026", "", "12 teams 2026"),
        ("Notes from the road", "Dues", "Notes from the road, item Dues"),
        ("Minutes for change", "", "Minutes for change"),
        ("Meeting notes from the road crew, 3 May 2026", "", "road crew"),
        ("Notes of the works council 1er juin 2026", "", "works council"),
        ("Board, Sept. 3rd, 2026", "", "Board"),
        ("Strategy 2030 group", "Dues", "Strategy 2030 group, item Dues"),
    ],
)
def test_minutes_are_called_by_the_meeting_and_the_item(meeting: str, item: str, called: str) -> None:
    assert place_called(ConversationKind.MINUTES, meeting, item) == called


def test_other_places_are_called_as_before() -> None:
    assert place_called(ConversationKind.THREAD, "rules", "") == "#rules"
    assert place_called(ConversationKind.MEETING, "room", "Weekly 2026-07-27") == "Weekly 2026-07-27"


@pytest.mark.parametrize(
    ("at", "source", "whole"),
    [
        (DAY + timedelta(microseconds=9), "minutes:a.md#5", True),
        (DAY + timedelta(hours=9, microseconds=9), "minutes:a.md#5", False),
        (DAY + timedelta(microseconds=9), "slack:rules/1", False),
        (DAY, "zoom:weekly", False),
    ],
)
def test_minutes_without_a_time_of_day_are_of_the_same_day_everywhere(at: datetime, source: str, whole: bool) -> None:
    assert whole_day(at, source) is whole
    assert zone_of(at, source, WEST) == (UTC if whole else WEST)
