"""Units: what can be quoted alone, verbatim, and what it needs beside it to be understood."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.text.plain import plain
from assistant.text.sentences import sentence_spans
from assistant.text.units import UnitKind, units

PIECES = st.sampled_from(
    [
        "Words that say it. More!", "- item", "  - nested item", "1. step one", "   goes on", "> quoted",
        "", "| A | B |", "|---|---|", "| 1 | 2 |", "", "## Head", "**Title**", "**Label:** value", "```", "code = 1",
        "    indented", "<table>", "<tr><td>x</td></tr>", "</table>", "<details>", "</details>", "<!--", "-->",
        "[a]: /b", "![i](x.png)", "Ends with:", "- [ ] box", "***", "日本語。です", "`a` **b", "\t- tab",
    ]
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(PIECES, max_size=12).map("\n".join) | st.text(max_size=200), st.sampled_from(["\n", "\r\n"]))
def test_quotes_are_verbatim_and_in_order(text: str, end: str) -> None:
    text = text.replace("\n", end)
    last = 0
    for unit in units(text):
        assert text[unit.start : unit.end] == unit.quote != ""
        assert unit.plain.strip()
        assert unit.start >= last
        last = unit.start
        if unit.kind is not UnitKind.CODE:
            assert "\n" not in unit.plain


@given(st.text(alphabet="aB .!?。\n\"')*`[](<>_e.g", max_size=80))
def test_sentences_cover_all_words_once(text: str) -> None:
    spans = list(sentence_spans(text))
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    covered = "".join(text[start:end] for start, end in spans)
    left = text
    for start, end in reversed(spans):
        left = left[:start] + left[end:]
    assert not any(char.isalnum() for char in left.replace("br", "")), (covered, left)


@pytest.mark.parametrize(
    "text",
    [
        "One here.|Two there!|Three? Four.".replace("? Four", "?|Four"),
        "We use e.g. Slack.|And i.e. Zoom.",
        "Version 3.4 is out.|Ask Dr. Smith vs. Mr. Jones.",
        "It costs $5.50 a day.|See No. 5 of it.",
        "Wait... what is it?|Well... Then.".replace("... Then", "...|Then"),
        "At 5 p.m. we stop.|Mail etc. goes out.",
        '"It is so."|She left.',
        "Use `a. B` here.|See [x. Y](z.html).",
        "See https://a.com/b.C?d now.|Then go.",
        "日本語です。|次の文！|最後",
        "J. R. Smith wrote it.|So did I.|Then we left.",
        "Ends in U.S. Then more.".replace("U.S. Then", "U.S.|Then"),
        "**Bold end.** Next one.".replace("** N", "**|N"),
        "Line one<br>line two".replace("<br>", "|"),
    ],
)
def test_sentences(text: str) -> None:
    parts = text.split("|")
    joined = "<br>".join(parts) if text.startswith("Line one") else ("" if "日" in text else " ").join(parts)
    assert [joined[start:end] for start, end in sentence_spans(joined)] == parts


def told(text: str) -> list[tuple[str, str, str]]:
    return [(unit.kind.value, unit.plain, unit.context) for unit in units(text)]


def test_items_know_their_parents_and_lead_in() -> None:
    text = "## H\n\nYou get:\n\n- **Health:** all of it\n  on two lines\n  - nested *one*\n- second\n\nAfter.\n"
    assert told(text) == [
        ("sentence", "You get:", ""),
        ("item", "Health: all of it on two lines", "You get"),
        ("item", "nested one", "You get > Health: all of it on two lines"),
        ("item", "second", "You get"),
        ("sentence", "After.", ""),
    ]


def test_long_items_are_quoted_by_sentence() -> None:
    long = "This is the first sentence of it. " + "It goes on and on with many more words than one would quote. " * 4
    found = units(f"- {long}\n- short. And two.\n")
    assert found[0].quote == "This is the first sentence of it."
    assert found[-1].quote == "short. And two."


def test_rows_are_read_with_their_columns() -> None:
    text = (
        "Limits by team:\n\n| Team | Limit | |\n|---|:-:|---|\n| Ops | **5** | x |\n| A \\| B |  | |\n\n"
        "| X |\n|---|\n| y |\n"
    )
    assert told(text) == [
        ("sentence", "Limits by team:", ""),
        ("row", "Team: Ops; Limit: 5; x", "Limits by team"),
        ("row", "Team: A | B", "Limits by team"),
        ("row", "X: y", ""),
    ]


def test_html_tables_are_read_by_row() -> None:
    text = (
        "Before:\n\n<table>\n<caption>Cap</caption>\n<tr><th>A</th><th>B</th></tr>\n\n"
        "<tr><td>1</td><td>two <b>x</b></td></tr>\n<tr><td>3</td></tr>\n</table>\n\nAfter.\n"
    )
    found = units(text)
    assert [unit.plain for unit in found] == ["Before:", "A: 1; B: two x", "A: 3", "After."]
    assert found[1].quote == "<tr><td>1</td><td>two <b>x</b></td></tr>"
    assert found[1].context == "Before > Cap"


def test_titles_and_labels() -> None:
    text = (
        "**Schedule**\n\nMonday first.\n\n**Duration:** 45 minutes\n**Level**: high\n\n"
        "<details><summary>More</summary>\n\nHidden.\n\n</details>\n"
    )
    assert told(text) == [
        ("sentence", "Monday first.", "Schedule"),
        ("sentence", "Duration: 45 minutes", "Schedule"),
        ("sentence", "Level: high", "Schedule"),
        ("sentence", "Hidden.", "More"),
    ]


def test_code_quotes_and_what_nobody_reads() -> None:
    text = (
        "Run:\n\n```sh\na b\n  c\n```\n\n> Quoted words\n> go on. Next.\n\n<!-- hidden words -->\n\n"
        "![only a picture](x.png)\n\n[def]: /x\n"
    )
    found = units(text)
    assert [(unit.kind.value, unit.plain) for unit in found] == [
        ("sentence", "Run:"),
        ("code", "a b\n  c"),
        ("sentence", "Quoted words go on."),
        ("sentence", "Next."),
    ]
    assert found[1].context == "Run"
    assert found[2].quote == "Quoted words\n> go on."


def test_front_matter_and_headings_are_no_units() -> None:
    assert told("---\ntitle: x\n---\nWords.\n") == [("sentence", "Words.", "")]
    assert told("Head\n===\nWords.\n") == [("sentence", "Words.", "")]


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("[a](b) and [c][d] ![e](f)", "a and c e"),
        ("**b** *i* __b__ _i_ ~~s~~ ***x***", "b i b i s x"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4"),
        ("`a*b*` and ``c`d``", "a*b* and c`d"),
        ("\\*not\\* <https://a.b> <br> x", "*not* https://a.b   x"),
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("<b>x</b><!-- y -->", "x"),
        ("[a [b] c](d(e)f)", "a [b] c"),
        ("text[^1] {#id}", "text "),
        ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
    ],
)
def test_plain(markdown: str, words: str) -> None:
    assert plain(markdown) == words


@pytest.mark.parametrize(
    "piece",
    [
        "*a ",
        "_a ",
        "[",
        "`a",
        "<b",
        "- a\n",
        "a. ",
        "> ",
        "| a ",
        "<table>",
        "<tr>",
        "<!-- ",
        "![",
        "~~",
        "<td>",
        "  - a\n",
    ],
)
def test_large_sections_take_time_in_proportion(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    assert units(text) is not None
