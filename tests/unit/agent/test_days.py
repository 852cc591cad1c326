"""Stretches of time in questions: ranges, quarters, seasons; and days that belong to the rule that is asked about."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.agent.offline.days import MONTHS, Period, only_days, periods, span_of, without
from assistant.agent.offline.intent import Kind, understand

TODAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
MOMENTS = st.datetimes(datetime(2001, 1, 1), datetime(2098, 1, 1), timezones=st.just(UTC))
YEARS = st.integers(1990, 2090)


def spans(text: str, today: datetime = TODAY) -> list[tuple[str, str]]:
    return [(f"{one.start:%Y-%m-%d}", f"{one.close:%Y-%m-%d}") for one in span_of(periods(text, today))]


SPANS = {
    "between March and June": ("2026-03-01", "2026-06-30"),
    "from March to June 2025": ("2025-03-01", "2025-06-30"),
    "from November 2025 to February": ("2025-11-01", "2026-02-28"),
    "from November to February 2026": ("2025-11-01", "2026-02-28"),
    "between December and January": ("2025-12-01", "2026-01-31"),
    "between Oct and Feb": ("2026-10-01", "2027-02-28"),
    "in May and June": ("2026-05-01", "2026-06-30"),
    "March–June 2026": ("2026-03-01", "2026-06-30"),
    "between mid-March and the end of June": ("2026-03-11", "2026-06-30"),
    "between 20 December and 5 January": ("2025-12-20", "2026-01-05"),
    "between the 3rd and the 10th of March": ("2026-03-03", "2026-03-10"),
    "3 to 10 March 2025": ("2025-03-03", "2025-03-10"),
    "from May 3 through June 10": ("2026-05-03", "2026-06-10"),
    "from 1 May 2024 to 10 May 2024": ("2024-05-01", "2024-05-10"),
    "between 2026-06-01 and 2026-03-01": ("2026-03-01", "2026-06-01"),
    "in Q2": ("2026-04-01", "2026-06-30"),
    "in the second quarter of 2025": ("2025-04-01", "2025-06-30"),
    "from Q1 to Q3": ("2026-01-01", "2026-09-30"),
    "since spring": ("2026-03-01", "2026-05-31"),
    "last summer": ("2026-06-01", "2026-08-31"),
}


@pytest.mark.parametrize(("text", "span"), SPANS.items(), ids=SPANS)
def test_a_stretch_of_time(text: str, span: tuple[str, str]) -> None:
    intent = understand(f"What changed {text}?", (), TODAY)
    assert spans(f"What changed {text}?") == [span]
    assert (intent.kind, intent.subject) == (Kind.CHANGES, "")
    about = understand(f"What changed about travel {text}?", (), TODAY)
    assert (about.subject, about.period and f"{about.period.start:%Y-%m-%d}") == ("travel", span[0])


@pytest.mark.parametrize(
    "text",
    [
        "In the Q4 FY23 assessment, what is the limit?",
        "May I march to the office?",
        "What changed since the fall in leads?",
        "Which amounts between 2000 and 2050 are fine?",
    ],
)
def test_what_only_looks_like_a_stretch_of_time(text: str) -> None:
    assert spans(text) == []


@given(
    st.sampled_from(MONTHS), st.sampled_from(MONTHS), MOMENTS, st.sampled_from(["between {} and {}", "from {} to {}"])
)
def test_a_range_without_years_is_the_latest_that_has_begun(one: str, other: str, today: datetime, form: str) -> None:
    [span] = span_of(periods(f"What changed {form.format(one, other)}?", today))
    assert span.start <= today < span.start.replace(year=span.start.year + 1)
    assert (span.start.month, span.close.month) == (MONTHS.index(one) + 1, MONTHS.index(other) + 1)
    assert timedelta(days=27) < span.end - span.start < timedelta(days=367)
    assert span.lead == "between"


@given(st.sampled_from(MONTHS), YEARS, st.sampled_from(MONTHS), YEARS, MOMENTS)
def test_a_range_with_years_is_what_it_says_or_none(
    one: str, year: int, other: str, until: int, today: datetime
) -> None:
    found = list(span_of(periods(f"What changed between {one} {year} and {other} {until}?", today)))
    start, end = (year, MONTHS.index(one) + 1), (until, MONTHS.index(other) + 1)
    if start <= end:
        [span] = found
        assert ((span.start.year, span.start.month), (span.close.year, span.close.month)) == (start, end)
    assert all(period.start < period.end for period in found)


@given(
    st.text(alphabet="0123456789 -–", max_size=6),
    st.sampled_from(MONTHS),
    st.text(alphabet="adnot till-–12q34 ", max_size=9),
)
def test_whatever_looks_like_a_range_is_no_fault(number: str, month: str, between: str) -> None:
    text = f"between {number} {month} {between} {month} {number} and {between}"
    for period in span_of(periods(text, TODAY)):
        assert period.start < period.end
        assert 0 <= period.first < period.last <= len(text)


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_question_without_a_time_is_all_the_rest_of_it(before: str, after: str) -> None:
    text = f"{before} in March 2024 {after}"
    found = [one for one in periods(text, TODAY) if text[one.first : one.last] == "March 2024"]
    assert all(without(text, one) == f"{before}   {after}" for one in found)


OF_THE_RULE = (
    "Why can unused days be taken until March?",
    "Can unused days be taken until 31 March?",
    "Who has to file expenses by March?",
    "Must reports be filed before 5 January?",
    "Are unused days lost after March?",
    "Until March, who can take unused days?",
    "Why was it decided that unused days can be taken until March?",
    "Who decided that sick notes are needed after March?",
    "Is the reimbursed office closed between March and June?",
    "May we work abroad in summer?",
    "Why was the retreat moved from March to June?",
)


@pytest.mark.parametrize("text", OF_THE_RULE)
def test_a_day_in_the_rules_own_words_is_none_of_the_question(text: str) -> None:
    intent = understand(text, (), TODAY)
    assert (intent.day, intent.period) == (None, None)
    [period] = span_of(periods(text, TODAY))
    assert text[period.first : period.last] in intent.subject


ASKED_ABOUT = {
    "What did the page say until March 2024?": "2024-02-29",
    "What was the limit until March?": "2026-02-28",
    "Who was supposed to order gifts until December 2022?": "2022-11-30",
    "As of 5 March, what is the limit?": "2026-03-05",
    "What was the limit between March and June?": "2026-05-01",
    "What was said about trials by March 2024?": "2024-03-31",
}


@pytest.mark.parametrize(("text", "day"), ASKED_ABOUT.items(), ids=ASKED_ABOUT)
def test_a_day_that_is_asked_about(text: str, day: str) -> None:
    found = understand(text, (), TODAY).day
    assert found is not None and f"{found:%Y-%m-%d}" == day


@given(
    st.sampled_from(["can", "may", "must", "should", "will", "do"]),
    st.sampled_from(["until", "till", "by", "before", "after"]),
    st.sampled_from(MONTHS),
    st.sampled_from(["", "1 ", "28 "]),
    st.sampled_from(["", " 2024"]),
)
def test_a_bound_of_what_holds_never_says_as_of_when(verb: str, lead: str, month: str, day: str, year: str) -> None:
    intent = understand(f"Why {verb} unused days get used {lead} {day}{month.title()}{year}?", (), TODAY)
    assert intent.day is None
    assert (intent.period is None) == (not year)


@pytest.mark.parametrize("text", ["31 February", "Q5 and 3 March", "march or june", "the 40th of May"])
def test_words_for_days_alone(text: str) -> None:
    assert only_days(text) == ("Q5" not in text)
    assert not only_days(f"{text} travel")
    assert not only_days("")


def test_a_period_ends_before_the_next_begins() -> None:
    one = Period(TODAY, TODAY + timedelta(days=1), 0, 1, "on")
    assert one.start < one.middle < one.close < one.end
