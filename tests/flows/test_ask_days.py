"""Days as the asker's clock has them: where they begin and end, what held then, and how they are told."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.graph.reading import commits
from assistant.graph.space import Space
from assistant.model.answers import Answer, AskedQuestion
from assistant.model.audiences import Place, Viewer
from tests.fakes.handbook import Handbook
from workers.asked import end_of_day, moment_asked

SALES = "# Sales\n\n## Trial\n\nA trial lasts {} days for everyone who asks.\n"
QUESTION = "How long does a trial last?"


def seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


@pytest.fixture
def book(space: Space, tmp_path: Path) -> Handbook:
    """14 days; 21 since the evening of 30 June in New York, the first of July in UTC and in Auckland."""
    book = Handbook(space, tmp_path)
    book.commit({"sales.md": SALES.format(14)}, "First (#1)", at=seconds("2026-05-01T12:00:00+00:00"))
    book.commit({"sales.md": SALES.format(21)}, "More (#2)", at=seconds("2026-07-01T02:00:00+00:00"))
    book.commit({"other.md": "# Other\n"}, "Other (#3)", at=seconds("2026-08-01T12:00:00+00:00"))
    book.ingest()
    return book


def asked(
    space: Space, zone: str, text: str = QUESTION, day: str | None = None, at: str = "2026-08-01T12:00:00+00:00"
) -> Answer:
    there, clock = ZoneInfo(zone), datetime.fromisoformat(at)
    question = AskedQuestion(text=text, as_of=None if day is None else end_of_day(date.fromisoformat(day), there))
    return ask(question, Viewer(), Place(), space, None, NOBODY, zone=there, clock=clock)


@pytest.mark.parametrize(
    ("zone", "days", "changed"),
    [
        ("America/New_York", "21", "since 30 June 2026"),
        ("UTC", "14", "since 1 May 2026"),
        ("Pacific/Auckland", "14", "since 2 May 2026"),
    ],
)
def test_a_day_ends_where_the_asker_is(book: Handbook, zone: str, days: str, changed: str) -> None:
    for answer in (
        asked(book.space, zone, day="2026-06-30"),
        asked(book.space, zone, "How long did a trial last on 30 June 2026?"),
    ):
        assert f"On 30 June 2026 it said: “A trial lasts {days} days" in answer.text
        assert changed in answer.text
        assert {claim.holds for claim in answer.claims} == {"at 2026-06-30"}


@pytest.mark.parametrize(
    ("zone", "told"),
    [("America/New_York", "30 June 2026"), ("UTC", "1 July 2026"), ("Pacific/Auckland", "1 July 2026")],
)
def test_changes_are_dated_by_the_askers_clock(book: Handbook, zone: str, told: str) -> None:
    assert f"Until {told}" in asked(book.space, zone, "How long did a trial last before that?").text
    assert f"since {told}" in asked(book.space, zone).text
    listed = asked(book.space, zone, f"What changed on {told}?").text
    assert f"• {told}, #2 by Ada Example" in listed


def test_the_first_and_last_days_of_the_calendar_are_asked_or_refused_in_any_zone() -> None:
    for zone in (ZoneInfo("America/New_York"), ZoneInfo("Pacific/Auckland"), UTC):
        for text in ("0001-01-01", "9999-12-31", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"):
            try:
                moment_asked(text, zone).astimezone(zone)
            except Exception as error:  # noqa: BLE001 whichever it is, it has to be ours
                assert "no date" in str(error), error


def test_a_section_that_had_moved_by_a_day_is_told_where_it_stood_then(space: Space, tmp_path: Path) -> None:
    book = Handbook(space, tmp_path)
    text = SALES.format(14)
    for month, files in enumerate(
        (
            {"sales.md": text},
            {"sales.md": None, "trial.md": text},
            {"trial.md": None, "now.md": text.replace("14", "30")},
        )
    ):
        book.commit(files, f"Edit (#{month})", at=seconds(f"2026-0{month + 1}-10T12:00:00+00:00"))
    book.ingest()
    question = 'What did the section "Trial" of sales.md say on 20 February 2026?'
    then, now = asked(space, "UTC", question), asked(space, "UTC", 'What does the section "Trial" of sales.md say?')
    assert (
        "Sales > Trial has moved: since 10 February 2026 (#1 by Ada Example) it stands as “Sales > Trial” in trial.md."
        in then.text
    )
    assert "A trial lasts 14 days" in then.text
    assert {claim.holds for claim in then.claims} == {"at 2026-02-20"}
    assert "now.md" in now.text


@pytest.mark.parametrize("limit", [("LATEST", 2), ("ROWS", 2)])
def test_of_very_many_changes_it_says_that_only_the_latest_were_looked_at(
    book: Handbook, monkeypatch: pytest.MonkeyPatch, limit: tuple[str, int]
) -> None:
    whole = asked(book.space, "UTC", "What changed about trials since May 2026?").text
    monkeypatch.setattr(commits, *limit)
    part = asked(book.space, "UTC", "What changed about trials since May 2026?").text
    assert ("#1 by" in whole, "#1 by" in part) == (True, False)
    assert ("There may be more before" in whole, "There may be more before" in part) == (False, True)
    none = asked(book.space, "UTC", "What changed about cats since May 2026?").text
    assert none.startswith("Nothing changed about “cats” between 1 July 2026 and 1 August 2026"), none


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("What changed lately?", "2026-07-10", "• 1 July 2026, #2"),
        ("What changed in July?", "2026-07-10", "• 1 July 2026, #2"),
        ("What changed in July?", "2027-06-30", "#2 by Ada"),
        ("What changed yesterday?", "2026-07-02", "#2 by Ada"),
        ("What changed last month?", "2026-08-20", "#2 by Ada"),
        ("What changed last year?", "2027-02-01", "#2 by Ada"),
        (
            "What changed lately?",
            "2026-11-30",
            "Nothing changed between 16 November 2026 and 30 November 2026 that I may",
        ),
        (
            "What changed in October?",
            "2026-11-30",
            "Nothing changed between 1 October 2026 and 31 October 2026 that I may",
        ),
        (
            "What changed in July?",
            "2027-08-30",
            "Nothing changed between 1 July 2027 and 31 July 2027 that I may tell of.",
        ),
        ("How long did a trial last in June?", "2026-11-30", "On 30 June 2026 it said: “A trial lasts 14 days"),
        ("How long did a trial last a month ago?", "2026-07-20", "On 20 June 2026 it said: “A trial lasts 14 days"),
    ],
)
def test_days_are_reckoned_from_the_askers_own_day(book: Handbook, text: str, at: str, told: str) -> None:
    assert told in asked(book.space, "UTC", text, at=f"{at}T12:00:00+00:00").text
    as_of = asked(book.space, "UTC", text, day=at, at="2031-05-05T12:00:00+00:00").text
    assert told in as_of, "asked as of a day, it is as asked on that day"


def test_what_lies_after_all_that_was_read_is_told_so(book: Handbook) -> None:
    read = "The handbook was last read up to its commit of 1 August 2026."
    for text in ("What changed in October?", "What changed lately?", "What changed about trials since September?"):
        assert asked(book.space, "UTC", text, at="2026-11-30T12:00:00+00:00").text.endswith(read)
    assert read not in asked(book.space, "UTC", "What changed in June?", at="2026-11-30T12:00:00+00:00").text


def test_where_nobody_gives_a_clock_it_is_now(book: Handbook) -> None:
    asked_now = ask(AskedQuestion(text="What changed lately?"), Viewer(), Place(), book.space, None, NOBODY)
    ago = datetime.now(UTC) - timedelta(days=14)
    assert f"between {ago.day} {ago:%B %Y} and" in asked_now.text


def test_ranges_and_times_that_cannot_be_read_are_no_subject(book: Handbook) -> None:
    at = "2026-11-30T12:00:00+00:00"
    told = asked(book.space, "UTC", "What changed between May and July?", at=at).text
    assert "#1 by Ada" in told and "#2 by Ada" in told and "#3" not in told
    told = asked(book.space, "UTC", "What changed in Q3?", at=at).text
    assert "#1 by Ada" not in told and "#2 by Ada" in told and "#3 by Ada" in told
    none = asked(book.space, "UTC", "What changed between March and April?", at=at).text
    assert none == "Nothing changed between 1 March 2026 and 30 April 2026 that I may tell of."
    unread = asked(book.space, "UTC", "What changed on 31 February?", at=at).text
    assert unread.startswith("I can't read “31 February” as a time")


def test_a_day_in_the_rules_own_words_is_answered_by_what_holds(space: Space, tmp_path: Path) -> None:
    book = Handbook(space, tmp_path)
    rule = "# Carry-over\n\nUnused days can be taken until March of the next year, after a word with your manager.\n"
    book.commit({"leave.md": rule}, "Carry-over (#4)", at=seconds("2026-06-01T12:00:00+00:00"))
    book.ingest()
    for question in ("Can unused days be taken until March?", "Why can unused days be taken until March?"):
        answer = asked(space, "UTC", question, at="2026-11-30T12:00:00+00:00")
        assert "Unused days can be taken until March" in answer.text
        assert {claim.holds for claim in answer.claims} == {"now"}
