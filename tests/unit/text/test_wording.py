"""Cosmetic or modified: what an edit touches."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.model.sections import ChangeKind
from assistant.text.markdown import split_page
from assistant.text.meaning import link_targets
from assistant.text.wording import classify, says_the_same


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Some   words\nhere.", "Some words here.\n\n"),
        ("- one\n- two", "* one\n* two"),
        ("1. one\n1. two", "1) one\n2) two"),
        ("**Bold** and _slanted_", "Bold and *slanted*"),
        ("See the guide.", "See [the guide](x.md)."),
        ("See [the guide](a.md).", "See [the guide](https://b.c/d)."),
        ("See [the guide][1].\n\n[1]: a.md", "See [the guide][1].\n\n[1]: b.md"),
        ("| a | b |\n|--|--|\n| 1 | 2 |", "| a   | b   |\n| --- | :-: |\n| 1   | 2   |"),
        ('"Quoted" isn\'t', "“Quoted” isn’t"),
        ("an open-source tool", "an open source tool"),
        ("the on boarding", "the onboarding"),
        ("Please recieve teh parcel", "Please receive the parcel"),
        ("Batch Chnages", "Batch Changes"),
        ("write the the text", "write the text"),
        ("organise the colour centre", "organize the color center"),
        ("a 5,500 dollar limit", "a 5500 dollar limit"),
        ("First, do it", "First do it"),
        ("use foo.bar here", "use `foo.bar` here"),
        ("use Github and slack", "use GitHub and Slack"),
        ("# Head\ntext", "Head\n====\ntext"),
        ("## Head {#a}\ntext", "### Head {#b}\ntext"),
        ("text <!-- note -->", "text <!-- another note 5 -->"),
        ("![old](a.png) text", "![new](b.png) text"),
        ("> quoted words", "quoted words"),
        ("A -> B", "A → B"),
        ("5 & 6", "5 and 6"),
        ("an owner", "a owner"),
        ("<b>text</b>", "text"),
        ("AT&amp;T", "AT&T"),
        ("```\nx = 1\n```", "```py\nx = 1   \n```"),
        ("10-20 days", "10–20 days"),
        ("can not", "cannot"),
        ("the company's policy", "the companys policy"),
        ("their's core", "their core"),
        ("the customers' data", "the customer's data"),
        ("its late", "it's late"),
    ],
)
def test_how_it_is_written_is_cosmetic(old: str, new: str) -> None:
    assert says_the_same(old, new)
    assert says_the_same(new, old)


def test_a_name_that_stands_elsewhere_in_the_text_is_known() -> None:
    wrong, right = "the Sourecgraph app of Sourcegraph", "the Sourcegraph app of Sourcegraph"
    assert says_the_same(wrong, right)
    assert not says_the_same(right, wrong)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("take 25 days", "take 31 days"),
        ("at 2.5 percent", "at 25 percent"),
        ("version 3.40.1", "version 3.4.1"),
        ("5%", "5"),
        ("$5", "€5"),
        ("x < 5", "x > 5"),
        ("x < 5", "x <= 5"),
        ("a change of -5", "a change of 5"),
        ("5+ years", "5 years"),
        ("~5 years", "5 years"),
        ("you must ask", "you should ask"),
        ("you may ask", "you can ask"),
        ("you can ask", "you can't ask"),
        ("you can ask", "you can’t ask"),
        ("it is allowed", "it is not allowed"),
        ("do it now", "do it not"),
        ("the form", "the from"),
        ("to affect", "to effect"),
        ("a broad rule", "a board rule"),
        ("paid leave", "unpaid leave"),
        ("reviewed code", "unreviewed code"),
        ("5 MB", "5 GB"),
        ("5 ms", "5 s"),
        ("Monday", "Tuesday"),
        ("on 2022-04-01", "on 2023-04-01"),
        ("ask Kristen Smith", "ask Kristin Smith"),
        ("ask Jon Smith", "ask John Smith"),
        ("mail ann@example.com", "mail anne@example.com"),
        ("see https://a.com/x", "see https://a.com/y"),
        ("run `rm -r`", "run `rm -f`"),
        ("run `a.b`", "run `a:b`"),
        ("```\nx = 1;\n```", "```\nx = 1\n```"),
        ("- [ ] done", "- [x] done"),
        ("~~gone~~", "gone"),
        ("| a | ✅ |", "| a | ❌ |"),
        ("ask US staff", "ask us staff"),
        ("few people may", "a few people may"),
        ("we are not able", "we are notable"),
        ("text", ""),
        ("", "text"),
        ("one rule", "one more rule"),
        ("customer", "customers"),
        ("that's fine", "that fine"),
        ("the owner acts", "the owned acts"),
        ("third day", "fourth day"),
        ("owner: ops team", "owner: sales team"),
        ("in the morning", "in the evening"),
        ("休暇は20日", "休暇は25日"),
        ("休暇は可能", "休暇は不可能"),
        ("needs 2 approvals", "needs 2 approvals from legal"),
        ("the first 5 then 6", "the first 6 then 5"),
    ],
)
def test_what_it_says_is_modified(old: str, new: str) -> None:
    assert not says_the_same(old, new)
    assert not says_the_same(new, old)


def test_a_block_is_none_cosmetic_or_modified() -> None:
    old, same, styled, other = (
        split_page(text).blocks[0] for text in ("# A\nx y\n", "# A\nx y\n", "# A\n*x* y\n", "# B\nx y\n")
    )
    assert classify(old, same) is None
    assert classify(old, styled) is ChangeKind.COSMETIC
    assert classify(old, other) is ChangeKind.MODIFIED


def test_link_targets_are_found_however_they_are_written() -> None:
    assert link_targets("[a](b) x") == link_targets("[other](b) y") == ["b"]
    assert link_targets("<a href='b'>x</a>") == ["b"]
    assert link_targets("[a][1]\n\n[1]: b") == ["b"]


@settings(max_examples=80)
@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_can_be_compared_either_way(old: str, new: str) -> None:
    assert says_the_same(old, old)
    assert says_the_same(old, new) in (True, False)


@settings(max_examples=50)
@given(st.text(max_size=60), st.integers(0, 10**6), st.integers(0, 10**6))
def test_another_number_is_never_cosmetic(text: str, old: int, new: int) -> None:
    assert says_the_same(f"limit {old} {text}", f"limit {new} {text}") is (old == new)


@pytest.mark.parametrize(
    "piece",
    [
        *("[a](b) ", "<a ", "*", "`a", "[", "![", "<!-- ", "a b ", "- ", "``` \n", "(", "{:", "\\", "_a", "&"),
        *("{.", "{:.", "a-", "a.", "-1", "2020-", "a*", "**a", "1,"),
    ],
)
def test_large_sections_take_time_in_proportion(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    assert says_the_same(text + " x", text + " y") in (True, False)
