"""What questions ask for, as people phrase and mistype them, and the days they name."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.agent.offline.cues import mended
from assistant.agent.offline.days import periods, span_of
from assistant.agent.offline.intent import Kind, understand

TODAY = datetime(2024, 5, 24, 13, tzinfo=UTC)

KINDS = {
    "What is the trial threshold?": Kind.RULE,
    "Who approves exceptions to the continuity policy?": Kind.RULE,
    "How long before a launch does marketing get involved?": Kind.RULE,
    "Which app is used to edit pages?": Kind.RULE,
    "On which 2022 date do the benefits reset?": Kind.RULE,
    "What was the limit before?": Kind.BEFORE,
    "Before that switch, where did the team answer from?": Kind.BEFORE,
    "What did the budget use to be, and before that?": Kind.BEFORE,
    "What was it befor the change?": Kind.BEFORE,
    "What did annual leave use to be?": Kind.BEFORE,
    "What was the old hotel limit?": Kind.BEFORE,
    "What is the history of the limit?": Kind.HISTORY,
    "How has the limit changed over time?": Kind.HISTORY,
    "How often did the limit change?": Kind.COUNT,
    "How often is the limit changed by finance?": Kind.RULE,
    "Did the limit change in July?": Kind.MOVED,
    "Has the limit been raised since May?": Kind.MOVED,
    "Did we change how we travel?": Kind.RULE,
    "By which request was the limit changed?": Kind.CHANGER,
    "Which requests must be approved?": Kind.RULE,
    "What does the travel page say about trains?": Kind.SECTION,
    "Since when is it 25?": Kind.SINCE,
    "sicne when do we do that": Kind.SINCE,
    "When was the limit rasied or chagned?": Kind.SINCE,
    "Which PR changed the limit?": Kind.CHANGER,
    "In wich pull request did the limit get its second approver?": Kind.CHANGER,
    "Who decided on the limit?": Kind.CHANGER,
    "Who laid down when the demo may not be touched?": Kind.CHANGER,
    "Is the limit still 25?": Kind.STILL,
    "Does that still hold?": Kind.STILL,
    "Why did we stop doing that?": Kind.TALK,
    "Where was the limit discussed?": Kind.TALK,
    "Who owns content/a.md?": Kind.OWNER,
    "What changed last week?": Kind.CHANGES,
    "Any recent changes to the travel policy?": Kind.CHANGES,
    "What did #354 change?": Kind.IMPACT,
    "What did commit 1a2b3c4d change?": Kind.IMPACT,
    "Why did trial MQLs drop at the end of July?": Kind.METRIC,
    "What comes after Meals in content/a.md?": Kind.NEIGHBOUR,
    "Table of contents of content/a.md": Kind.NEIGHBOUR,
    'What does the section "A > B" of content/a b.md say?': Kind.SECTION,
    "What does the Wellness section say?": Kind.SECTION,
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=KINDS)
def test_the_kind_of_a_question(text: str, kind: Kind) -> None:
    assert understand(text, (), TODAY).kind is kind


def test_the_contracts_own_form_is_read_to_the_letter() -> None:
    intent = understand('What does the section "Say “no” > On of: it" of content/My page.md say?', (), TODAY)
    assert (intent.heading, intent.page) == ("Say “no” > On of: it", "content/My page.md")


DAYS = {
    "What was it on 2021-03-05?": "2021-03-05",
    "What was it on March 5th, 2021?": "2021-03-05",
    "On 5 March 2021, what did the page say?": "2021-03-05",
    "What was it in March 2021?": "2021-03-31",
    "What was it last year?": "2023-12-31",
    "What was it two weeks ago?": "2024-05-10",
    "What did it say before June 2021?": "2021-05-31",
    "What was the limit after the June 2021 update?": "2021-06-30",
    "What was it in spring 2021?": "2021-05-31",
    "As of 5 March, what is the limit?": "2024-03-05",
}


@pytest.mark.parametrize(("text", "day"), DAYS.items(), ids=DAYS)
def test_the_day_a_question_is_about(text: str, day: str) -> None:
    moment = understand(text, (), TODAY).day
    assert moment is not None
    assert f"{moment:%Y-%m-%d}" == day


@pytest.mark.parametrize(
    "text",
    ["How long was the 2022 internship program?", "May I bring 5 people?", "Which group do I tag since spring 2021?"],
)
def test_a_day_that_does_not_say_when_to_read(text: str) -> None:
    assert understand(text, (), TODAY).day is None


def test_between_two_days_is_about_the_middle_of_them() -> None:
    intent = understand("What length was recommended between January 2022 and May 2023?", (), TODAY)
    assert intent.day is not None
    assert datetime(2022, 1, 31, tzinfo=UTC) < intent.day < datetime(2023, 5, 1, tzinfo=UTC)


def test_a_last_day_is_no_day_of_the_calendar() -> None:
    assert not periods("When on their last day do leavers lose access?", TODAY)
    assert periods("What changed last week?", TODAY)


def test_two_days_make_one_stretch() -> None:
    [between] = span_of(periods("between 1 May 2024 and 10 May 2024", TODAY))
    assert (between.start.day, between.close.day, between.lead) == (1, 10, "between")


FOLLOW_UPS = {
    "and before that?": (Kind.BEFORE, "trial threshold"),
    "Since when?": (Kind.SINCE, "trial threshold"),
    "who decided that?": (Kind.CHANGER, "trial threshold"),
    "Is it still so?": (Kind.STILL, "trial threshold"),
    "How much memory does a laptop have?": (Kind.RULE, "laptop"),
}


@pytest.mark.parametrize(("text", "expected"), FOLLOW_UPS.items(), ids=FOLLOW_UPS)
def test_a_follow_up_is_about_what_was_asked_before(text: str, expected: tuple[Kind, str]) -> None:
    intent = understand(text, ("What is the trial threshold?",), TODAY)
    assert intent.kind is expected[0]
    assert expected[1] in intent.subject
    assert ("threshold" in intent.subject) == ("threshold" in expected[1])


def test_every_before_that_goes_one_change_further_back() -> None:
    thread = ("What is the limit?", "What was it before?", "and before that?")
    assert understand("and before that?", thread, TODAY).back == 2


def test_only_slips_are_mended() -> None:
    assert mended("Wich request chnaged it befroe?") == "which request changed it before?"
    assert mended("Charge the content owner, approve it") == "charge the content owner, approve it"


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=3))
def test_whatever_is_asked_is_understood_as_something(text: str, earlier: list[str]) -> None:
    assert understand(text, tuple(earlier), TODAY).kind in Kind


@given(st.text(alphabet="0123456789-/. marchoflastyeyg", max_size=40))
def test_whatever_looks_like_a_day_is_no_fault(text: str) -> None:
    for period in periods(text, TODAY):
        assert period.start < period.end
