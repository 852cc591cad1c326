"""Cutting a page again after an edit gives what cutting the whole page gives."""

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.graph.writing.reparse import common_end, common_start, split_again
from assistant.text.markdown import split_page

LINES = (
    *(
        "# One",
        "## Two",
        "### Three",
        "## Two",
        "# One {#own}",
        "## Two-1",
        "####### seven",
        "#hash",
        "#",
        "Words",
        "---",
        "===",
    ),
    *(
        "",
        "",
        "- item",
        "  # in an item",
        "> # quoted",
        "```",
        "~~~",
        "    # code",
        "<!--",
        "-->",
        "<div>",
        "</div>",
        "{: #under}",
    ),
    *(
        "| a | b |",
        "|---|---|",
        "[a]: b",
        "1. one",
        "title: T",
        "+++",
        "\ufeff",
        "*a",
        "b*",
        "日本",
        "\t# tab",
        "Setext\n---",
    ),
)
PAGES = st.lists(st.sampled_from(LINES), max_size=25)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@settings(max_examples=400, deadline=None)
@given(PAGES, st.integers(0, 25), st.integers(0, 4), st.lists(st.sampled_from(LINES), max_size=3), ENDS, st.booleans())
def test_as_if_cut_whole(lines: list[str], at: int, gone: int, new: list[str], end: str, ended: bool) -> None:
    edited = [*lines[:at], *new, *lines[at + gone :]]
    before, after = (end.join(page) + end * ended for page in (lines, edited))
    assert split_again(before, split_page(before), after) == split_page(after)


@settings(max_examples=200, deadline=None)
@given(PAGES, st.text(max_size=3), st.integers(0, 200), st.integers(0, 3))
def test_as_if_cut_whole_when_characters_change(lines: list[str], new: str, at: int, gone: int) -> None:
    before = "\n".join(lines)
    after = before[:at] + new + before[at + gone :]
    assert split_again(before, split_page(before), after) == split_page(after)


def test_front_matter_that_an_edit_closes_takes_its_lines_along() -> None:
    before, after = "+++\n# One\n# One\n", "+++\n# One\n# One\n+++\n"
    assert split_again(before, split_page(before), after) == split_page(after)


def test_a_mark_of_byte_order_is_one_only_where_the_page_begins() -> None:
    before, after = "# One\n\ufeff\n---\n# One", "# One\n\ufeff\n---\n#0 One"
    assert split_again(before, split_page(before), after) == split_page(after)


def test_an_edit_of_one_section_leaves_the_other_sections_the_very_same() -> None:
    before = "# A\n\none\n\n# B\n\ntwo\n\n# C\n\nthree\n"
    page = split_page(before)
    again = split_again(before, page, before.replace("two", "2"))
    assert [new is old for new, old in zip(again.blocks, page.blocks, strict=True)] == [True, False, True]


@given(st.text("ab"), st.text("ab"))
def test_common_ends(one: str, other: str) -> None:
    start = common_start(one, other)
    assert one[:start] == other[:start]
    assert one[start : start + 1] != other[start : start + 1] or start == len(one) == len(other)
    most = min(len(one), len(other)) - start
    end = common_end(one, other, most)
    assert end <= most
    assert one[len(one) - end :] == other[len(other) - end :]
