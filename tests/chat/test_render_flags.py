"""Forms about a message, what is told of marks, and the lists of the App Home: limits kept, everything escaped."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.chat import texts
from assistant.chat.render.flags import Marked, OpenRule, OpenRules, age, marked_message, open_blocks, owner_message
from assistant.chat.render.forms import About, Choice, RuleForm, no_decision_form, rule_form, who_view
from assistant.chat.render.views import Handbook, Recent, home_view
from assistant.decisions.drafting import Draft
from tests.chat.answers import answered

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
URL = "https://acme.slack.com/archives/C1/p1"
ABOUT = About("{}", "Decided: <!channel> & `boats`.", "U02BEN", URL)
HOSTILE = st.text(alphabet=st.sampled_from("ab &<>*_`~|!@\n.字"), max_size=4000)


def flat(view: Any) -> str:
    return json.dumps(view, ensure_ascii=False)


def texts_in(value: Any) -> list[str]:
    """Every text with markup in a layout."""
    if isinstance(value, dict):
        own = [value["text"]] if value.get("type") == "mrkdwn" else []
        return own + [text for one in value.values() for text in texts_in(one)]
    return [text for one in value for text in texts_in(one)] if isinstance(value, list | tuple) else []


def form(**more: Any) -> Any:
    given_ = {"statement": "Boats are free.", "decider": "U03CLEO"} | more
    return rule_form(RuleForm(ABOUT, **given_))


def test_the_rule_form_before_and_after_sections_are_found() -> None:
    before = form()
    assert texts.RULE_LOOKING in flat(before) and "static_select" not in flat(before)
    after = form(sections=[Choice("l1", "Parties › Boats", "handbook/parties.md")], turn=".2", unrecorded=True)
    assert [one.get("block_id") for one in after["blocks"]] == [
        *(None, "statement.2", "decider.2", "section.l1", "find", None),
    ]
    select = after["blocks"][3]["element"]
    assert select["initial_option"] == select["options"][0]
    assert [one["value"] for one in select["options"]] == ["l1", "none"]
    assert texts.RULE_UNRECORDED in flat(after)
    assert texts.RULE_NO_SECTIONS in flat(form(sections=[]))


def test_other_sections_make_another_field_so_that_the_first_of_them_is_chosen() -> None:
    names = {form(sections=[Choice(lineage, "A", "a.md")])["blocks"][3]["block_id"] for lineage in ("aa11", "bb22")}
    assert len(names) == 2


@given(words=HOSTILE, statement=HOSTILE, heading=st.text(max_size=300), path=st.text(min_size=1, max_size=300))
def test_forms_keep_slacks_limits_and_ping_nobody(words: str, statement: str, heading: str, path: str) -> None:
    about = About("{}", words, None, URL)
    choices = [Choice("l1", heading or "x", path)] * 8
    for view in (
        rule_form(RuleForm(about, statement, None, choices)),
        no_decision_form(about, [statement] * 50),
        who_view(about, None, UTC),
        who_view(about, answered(statement or "x"), UTC),
    ):
        assert len(view["blocks"]) <= 100 and len(view["title"]["text"]) <= 24
        for text in texts_in(view):
            assert len(text) <= 3000
            assert "<!" not in text and "<@" not in text
        for one in view["blocks"]:
            element = one.get("element", {})
            assert len(element.get("initial_value", "")) <= element.get("max_length", 0)
            for option in element.get("options", ()):
                assert 0 < len(option["text"]["text"]) <= 75
                assert len(option.get("description", {"text": ""})["text"]) <= 75


def test_not_a_decision_says_what_is_held() -> None:
    assert texts.NO_DECISION_LOOKING in flat(no_decision_form(ABOUT, None))
    assert texts.NO_DECISION_NONE in flat(no_decision_form(ABOUT, []))
    assert "• Boats are free." in flat(no_decision_form(ABOUT, ["Boats are free."]))


def test_who_decided_shows_the_answer_without_its_buttons_or_offers_to_mark() -> None:
    known = who_view(ABOUT, answered(), UTC)
    assert "A trial needs 31 active seats." in flat(known) and "feedback" not in flat(known)
    assert "flag_from_who" in flat(who_view(ABOUT, None, UTC))


DRAFT = Draft("handbook/parties.md", "Parties > Boats", 12, "Boats are ```red```.", ("Boats are free.",))


def test_the_owner_sees_the_rule_its_place_and_a_patch() -> None:
    message = owner_message(Marked("f1", "Boats are free.", NOW, "Cleo Marsh", URL), "Ana <Ruiz>", DRAFT)
    lead, decided, patch, buttons = message.blocks
    assert lead["text"]["text"] == (
        f"Ana &lt;Ruiz&gt; marked <{URL}|a message> as a rule, which would belong to a page of yours:\n"
        "> Boats are free."
    )
    assert decided["elements"][0]["text"] == "Decided by Cleo Marsh"
    assert patch["text"]["text"] == (
        "A draft, for `handbook/parties.md`, under *Parties › Boats*, after line 12:\n"
        "```\n  Boats are '''red'''.\n+ Boats are free.\n```"
    )
    assert [one["action_id"] for one in buttons["elements"]] == ["flag_done", "flag_not_needed"]


@given(statement=HOSTILE, line=HOSTILE, name=HOSTILE)
@example(statement="Boats\u202e are free.", line="x", name="```")
def test_messages_about_marks_keep_limits_and_ping_nobody(statement: str, line: str, name: str) -> None:
    mark = Marked("f1", statement, NOW, name, None)
    made = Draft("a.md", name, 1, line, (statement,))
    for message in (owner_message(mark, "Ana", made), marked_message(mark, "Told to Cleo.")):
        for text in texts_in(message.blocks):
            assert text.count("```") in (0, 2) or "```" in statement
            assert 0 < len(text) <= 3000 and "<" not in text and "\u202e" not in text


@pytest.mark.parametrize(
    ("ago", "told"),
    [
        (timedelta(hours=23), "today"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=12, hours=5), "12 days"),
        (timedelta(days=1234), "1,234 days"),
        (-timedelta(hours=1), "today"),
    ],
)
def test_ages_are_told_in_days(ago: timedelta, told: str) -> None:
    assert age(NOW - ago, NOW) == told


def rule(number: int, **more: Any) -> OpenRule:
    return OpenRule(f"Rule {number} <b>", "Cleo Marsh", NOW - timedelta(days=number), "#rules", URL, **more)


def test_open_rules_tell_age_decider_and_place_and_how_many_more_there_are() -> None:
    conflict = rule(3, says="Boats cost 5.", says_where="Parties › Boats")
    known = OpenRules([rule(n) for n in range(30)], [conflict], [Marked("f1", "", NOW), Marked("f2", "X.", NOW)], 30, 1)
    found = open_blocks(known, NOW, UTC)
    told = texts_in(found)
    assert told[1] == f"*Rule 1 &lt;b&gt;*\n1 day · decided by Cleo Marsh · <{URL}|#rules>"
    assert "_and 18 older ones_" in told
    assert "The handbook says “Boats cost 5.” (Parties › Boats)" in "".join(told)
    assert [one["accessory"]["value"] for one in found if "accessory" in one] == ["f1", "f2"]
    assert texts.NO_DECISION_TITLE in flat(found)


def test_nothing_open_is_said_in_words_and_headings_without_entries_are_left_out() -> None:
    told = flat(open_blocks(OpenRules(), NOW, UTC))
    assert texts.HOME_RULES_NONE in told
    assert texts.HOME_CONFLICTS not in told and texts.HOME_MARKS not in told


@given(words=HOSTILE)
def test_the_fullest_home_keeps_slacks_limits(words: str) -> None:
    many = [OpenRule(words, words, NOW, words, URL, words, words, words)] * 60
    marks = [Marked("f1", words, NOW, words, URL)] * 60
    books = [Handbook(words or "x", None, 1, 1, NOW)] * 60
    view: Any = home_view(books, [Recent(words, NOW, True)] * 60, UTC, OpenRules(many, many, marks, 60, 60), NOW)
    assert len(view["blocks"]) <= 100
    assert all(0 < len(text) <= 3000 for text in texts_in(view))
