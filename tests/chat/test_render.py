"""Answers as Slack messages, in the terminal, and as views: limits kept, everything escaped, every word there."""

import html
import json
import re
from datetime import UTC, datetime, tzinfo
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from assistant.chat import texts
from assistant.chat.render.fit import pieces, shortened
from assistant.chat.render.mrkdwn import escaped, from_markdown, link, sections
from assistant.chat.render.slack import Share, answer_messages, words
from assistant.chat.render.terminal import render_answer
from assistant.chat.render.trail import steps
from assistant.chat.render.views import Handbook, Recent, home_view, why_form
from assistant.model.answers import UtteranceCitation
from assistant.model.surfaces import Message
from tests.chat.answers import CHANGE, OWNER, REFUSAL, RULE, answered

WORDS = st.text(alphabet=st.sampled_from("abc &<>*_`~|\n.!。 字"), max_size=9000)


def texts_of(message: Message) -> list[str]:
    """All markup of a message's blocks."""
    found = []
    for block in message.blocks:
        found += [block["text"]["text"]] if block["type"] == "section" else []
        found += [part["text"] for part in block.get("elements", []) if part.get("type") == "mrkdwn"]
    return found


def test_the_trail_goes_from_rule_to_request_to_dates() -> None:
    [message] = answer_messages(answered(), UTC)
    body, trail = texts_of(message)
    assert body == "A trial needs 31 active seats."
    rule, request, holds = trail.splitlines()[-2].split(" → ")
    assert rule == f"*<{RULE.url}|Trials › Threshold>*"
    assert (request, holds) == ("request 354", "in force since 4 March 2020")
    assert "handbook/sales/trials.md · commit 01234567" in trail


def test_a_version_is_shown_once_with_its_commits_author_and_all_its_quotes() -> None:
    other = RULE.model_copy(update={"id": "c4", "quote": "Nobody may waive it."})
    commit = CHANGE.model_copy(update={"commit": RULE.commit})
    [message] = answer_messages(answered("31.", RULE, commit, other), UTC)
    [_, source] = texts_of(message)
    assert source.splitlines()[:2] == ["> A trial needs 31 active seats.", "> Nobody may waive it."]
    assert source.endswith("commit 01234567 · Ana &lt;ana@acme.example&gt;")


def test_a_quote_that_the_answer_holds_already_is_not_shown_twice() -> None:
    [said] = answer_messages(answered("A trial needs 31 active seats."), UTC)
    [unsaid] = answer_messages(answered("31 seats."), UTC)
    assert ">" not in texts_of(said)[1].split("\n")[0][0]
    assert texts_of(unsaid)[1].startswith("> A trial needs 31 active seats.\n")


def test_what_held_until_a_day_says_so() -> None:
    past = RULE.model_copy(update={"valid_to": datetime(2021, 5, 6, tzinfo=UTC)})
    [message] = answer_messages(answered("It was 31.", past), UTC)
    assert "in force 4 March 2020 to 6 May 2021" in texts_of(message)[1]


def test_commits_and_owners_are_sources_too() -> None:
    [message] = answer_messages(answered("Ana raised it.", CHANGE, OWNER), UTC)
    _, change, owner = texts_of(message)
    assert "Raise the threshold &amp; tell &lt;sales&gt;" in change
    assert "owned by @sales-ops" in owner


def test_a_refusal_has_no_sources_but_can_be_judged() -> None:
    [message] = answer_messages(REFUSAL, UTC)
    assert [block["type"] for block in message.blocks] == ["section", "context_actions"]


def test_feedback_buttons_have_a_plainer_twin_with_the_same_values() -> None:
    [message] = answer_messages(answered(), UTC)
    native = message.blocks[-1]["elements"][0]
    assert message.plain_blocks is not None
    plain = message.plain_blocks[-1]["elements"]
    values = [native["positive_button"]["value"], native["negative_button"]["value"]]
    assert values == [button["value"] for button in plain] == ["good:a1", "bad:a1"]
    assert message.blocks[:-1] == message.plain_blocks[:-1]


def test_share_carries_channel_and_question_and_is_left_out_where_it_cannot() -> None:
    [message] = answer_messages(answered(), UTC, Share("C1", "limit?"))
    button = message.blocks[-2]["elements"][0]
    assert json.loads(button["value"]) == {"channel": "C1", "question": "limit?"}
    [wide] = answer_messages(answered(), UTC, Share("C1", "限" * 1900))
    assert json.loads(wide.blocks[-2]["elements"][0]["value"])["question"] == "限" * 1900
    [too_long] = answer_messages(answered(), UTC, Share("C1", "x" * 2000))
    [refused] = answer_messages(REFUSAL, UTC, Share("C1", "limit?"))
    assert all(block["type"] != "actions" for block in (*too_long.blocks, *refused.blocks))


def test_nobody_is_pinged_and_no_link_is_made_by_what_an_answer_quotes() -> None:
    evil = "<!channel> <!here> <@U1> <#C1> <https://evil.example|Handbook> [click](https://evil.example) & so on"
    cited = RULE.model_copy(update={"quote": evil, "heading_path": ("A|B>", evil)})
    [message] = answer_messages(answered(evil, cited), UTC)
    for markup in texts_of(message):
        links = re.findall(r"<[^>]*>", markup)
        assert all(one.startswith(f"<{RULE.url}|") for one in links)
    assert "<" not in message.text
    assert all(block["text"]["verbatim"] for block in message.blocks if block["type"] == "section")


@pytest.mark.parametrize("url", [None, "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"])
def test_addresses_that_are_not_of_the_web_are_no_links(url: str | None) -> None:
    assert link(url, "label") == "label"


def test_an_address_cannot_end_its_link() -> None:
    assert link("https://x.example/a>b|c d", "l") == "<https://x.example/a%3Eb%7Cc%20d|l>"


@pytest.mark.parametrize(
    ("markdown", "markup"),
    [
        ("## Travel {#travel}", "*Travel*"),
        ("## **Strong** title ##", "*Strong title*"),
        ("- one\n  * two", "• one\n  • two"),
        ("**must** not", "*must* not"),
        ("see [the page](a.md#x) now", "see the page now"),
        ("![chart](c.png)", "chart"),
        ("```py\n# a <b>\n```", "```\n# a &lt;b&gt;\n```"),
        ("```\nopen", "```\nopen\n```"),
        ("a < b && c", "a &lt; b &amp;&amp; c"),
    ],
)
def test_markdown_in_slacks_words(markdown: str, markup: str) -> None:
    assert from_markdown(markdown) == markup


@given(WORDS)
def test_pieces_hold_every_word_and_keep_the_limit(text: str) -> None:
    cut = pieces(text, 300)
    assert all(0 < len(piece) <= 300 for piece in cut)
    assert "".join("".join(cut).split()) == "".join(text.split())


@given(WORDS)
def test_sections_keep_the_limit_and_every_character(text: str) -> None:
    cut = sections(escaped(text))
    assert all(0 < len(piece) <= 3000 for piece in cut)
    joined = "".join(cut).replace("```\n", "").replace("\n```", "")
    if "```" not in text:
        assert "".join(html.unescape(joined).split()) == "".join(text.split())


def test_a_code_block_that_a_cut_goes_through_is_one_on_both_sides() -> None:
    cut = sections("```\n" + "x = 1\n" * 1000 + "```")
    assert len(cut) > 1
    assert all(piece.count("```") == 2 for piece in cut)


@pytest.mark.parametrize("size", [2_900, 3_100, 12_500, 40_000, 200_000])
def test_long_answers_keep_slacks_limits(size: int) -> None:
    text = "\n\n".join(
        f"{number}. " + "Every word of this rule matters & counts. " * 9 for number in range(size // 370)
    )
    messages = answer_messages(answered(text), UTC)
    assert len(messages) <= 5
    for message in messages:
        sizes = [len(markup) for markup in texts_of(message)]
        assert (len(message.blocks) <= 50, max(sizes) <= 3000, sum(sizes) <= 13_200) == (True, True, True)
        assert 0 < len(message.text) <= 4000
    everything = html.unescape("".join("".join(texts_of(message)) for message in messages))
    assert (f"{size // 370 - 1}. Every" in everything) == (size < 60_000)
    assert (texts.CUT in everything) == (size > 60_000)
    assert messages[-1].blocks[-1]["type"] == "context_actions"
    assert all(message.blocks[-1]["type"] == "section" for message in messages[:-1])


@given(st.text(max_size=400), st.integers(5, 80))
def test_shortened_is_one_line_within_the_limit(text: str, limit: int) -> None:
    short = shortened(text, limit)
    assert len(short) <= limit
    assert "\n" not in short


def test_own_words_keep_their_markup() -> None:
    assert texts_of(words(texts.HELP)) == [texts.HELP]


def test_the_home_tells_what_is_known_how_fresh_and_what_was_asked() -> None:
    until = datetime(2022, 6, 7, 8, 9, tzinfo=UTC)
    book = Handbook("Acme <handbook>", "https://git.example/handbook", 12, 3456, until)
    asked = [Recent("what is <it>?", until, True), Recent("and that?", until, False)]
    view = home_view([book], asked, UTC)
    whole = json.dumps(view, ensure_ascii=False)
    assert "12 pages, 3,456 sections · complete up to 7 June 2022, 08:09 UTC" in whole
    assert "Acme &lt;handbook&gt;" in whole
    assert "• what is &lt;it&gt;? · 7 June 2022\\n• and that? · 7 June 2022 · not answered" in whole
    empty = json.dumps(home_view([], [], UTC), ensure_ascii=False)
    assert "brain ingest git" in empty
    assert texts.HOME_NO_QUESTIONS in empty


def test_views_keep_slacks_limits() -> None:
    until = datetime(2022, 6, 7, tzinfo=UTC)
    books = [Handbook("x" * 3000, None, 1, 1, until)] * 200
    view: Any = home_view(books, [Recent("&" * 4000, until, True)] * 100, UTC)
    assert len(view["blocks"]) <= 100
    assert all(len(block["text"]["text"]) <= 3000 for block in view["blocks"] if "text" in block)
    form: Any = why_form("z" * 100)
    assert (len(form["title"]["text"]) <= 24, len(form["private_metadata"]) <= 3000) == (True, True)


def test_the_terminal_shows_answer_quote_and_trail() -> None:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(render_answer(answered("31 seats.", RULE, CHANGE)))
    text = console.export_text()
    assert "31 seats." in text
    assert "“A trial needs 31 active seats.”" in text
    assert "Trials › Threshold → request 354 → in force since 4 March 2020" in text
    console.file.close()


@pytest.mark.parametrize("piece", ["[", "![", "[a](", "**a ", "__. ", "*", "```\n", "(", "\n\n"])
def test_hostile_markup_takes_time_in_proportion(piece: str) -> None:
    began = perf_counter()
    sections(from_markdown(piece * (30_000 // len(piece))))
    assert perf_counter() - began < 2.0


def test_what_was_said_besides_comes_after_the_rule_whatever_the_answer_rests_on_first() -> None:
    said = UtteranceCitation(
        id="c4",
        utterance="u1",
        place="Growth weekly",
        conversation="zoom:growth-weekly",
        speaker="Ana Ruiz",
        at=datetime(2020, 3, 1, 9, tzinfo=UTC),
        quote="Sales loses hours.",
        url=None,
    )
    found = steps(answered("Because sales loses hours.", said, RULE), UTC)
    assert [step.label for step in found] == ["Trials › Threshold", "Growth weekly"]


@pytest.mark.parametrize("zone", [UTC, ZoneInfo("America/Los_Angeles"), ZoneInfo("Asia/Tokyo")])
def test_minutes_that_tell_only_their_day_are_told_without_a_time(zone: tzinfo) -> None:
    said = UtteranceCitation(
        id="c4",
        utterance="u1",
        place="Board, item Dues",
        conversation="minutes:board.md#5",
        speaker="Ana Ruiz",
        at=datetime(2020, 3, 1, 0, 0, 0, 7, tzinfo=UTC),
        quote="The dues rise.",
        url=None,
    )
    [step] = steps(answered("The dues rise.", said), zone)
    assert (step.label, step.holds) == ("Board, item Dues", "1 March 2020")
    [step] = steps(answered("The dues rise.", said.model_copy(update={"at": datetime(2020, 3, 1, 9, tzinfo=UTC)})), UTC)
    assert step.holds == "1 March 2020, 09:00"
