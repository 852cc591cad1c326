"""Pages to sections: joined sources give the page back, and a heading is one where CommonMark says so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assistant.text.markdown import decode, split_page

ORACLE = MarkdownIt("commonmark").enable("table")
LINES = st.sampled_from(
    """\


\x20\x20
text
more words
# One
## Two ##
###### Six
#
##
#no
####### seven
 # in
   ## in
    # code
\t# code
===
---
--
-
=
 ===
   ---
    ---
- item
* item
+ item
1. item
2) item
  under
   under
    under
- # in item
  # in item
   # three
> quote
> # in quote
>
> - deep
```
```py
````
~~~
  ```
    ```
- ```
  # x
``` a`b
<!-- open
close -->
<!-- one -->
<pre>
</pre>
<div>
</div>
<details><summary>S</summary>
<custom-tag>
</b>
<script>
</script>
<?php
?>
| a | b |
|---|---|
a | b
--- | ---
| x | y |
***
* * *
_ _ _
\\# no
a\x20\x20
text\\
-   # far
-     code
10. ten
   > # q
- - # n
-\tx
 - a
<a href='x'>
# é 日本語
<!DOCTYPE x>
<![CDATA[
]]>
""".split("\n")
)
"""Lines that mean much to CommonMark; the empty one comes often."""
PAGES = st.lists(LINES, max_size=14).map("\n".join)


def top_headings(text: str) -> list[tuple[int, int]]:
    """Line and level of the headings at the top level, as markdown-it sees them."""
    return [
        (token.map[0], int(token.tag[1]))
        for token in ORACLE.parse(text)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def found_headings(text: str) -> list[tuple[int, int]]:
    line = 0
    found = []
    for block in split_page(text).blocks:
        if block.level:
            found.append((line, block.level))
        line += block.source.count("\n")
    return found


@settings(max_examples=120, deadline=None)
@given(PAGES)
def test_headings_are_those_of_commonmark(text: str) -> None:
    text = "word\n\n" + text
    assert found_headings(text) == top_headings(text)


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300) | PAGES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_sources_joined_are_the_page(text: str, end: str) -> None:
    text = text.replace("\n", end)
    page = split_page(text)
    assert "".join(block.source for block in page.blocks) == text
    for block in page.blocks:
        assert block.source.endswith(block.body)
        assert block.heading == (block.heading_path[-1] if block.heading_path else "")
        assert len({block.anchor for block in page.blocks if block.level}) <= len(page.blocks)


@settings(max_examples=50, deadline=None)
@given(PAGES)
def test_line_ends_change_nothing_but_themselves(text: str) -> None:
    unix = [(block.heading_path, block.level, block.anchor) for block in split_page(text).blocks]
    for end in ("\r\n", "\r"):
        other = [
            (block.heading_path, block.level, block.anchor) for block in split_page(text.replace("\n", end)).blocks
        ]
        assert other == unix


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: Plain words\n---\n", "Plain words"),
        ('---\nlayout: x\ntitle: "Quoted: \\"yes\\""\n---\n', 'Quoted: "yes"'),
        ("---\ntitle: 'It''s'\n...\n", "It's"),
        ("---\ntitle: >-\n  Folded\n---\n", "Folded"),
        ("---\ntitle: With # comment\n---\n", "With"),
        ('+++\ntitle = "Toml"\n+++\n', "Toml"),
        ("---\r\ntitle: Dos\r\n---\r\n", "Dos"),
        ("\ufeff---\ntitle: Mark\n---\n", "Mark"),
        ("---\nother: x\n---\n", "Heading"),
    ],
)
def test_front_matter_gives_the_title_but_no_heading(front: str, title: str) -> None:
    page = split_page(front + "\n# Heading\n\nBody\n")
    assert page.title == title
    assert [block.heading_path for block in page.blocks] == [(), ("Heading",)]
    assert page.blocks[0].body.strip() == ""


def test_front_matter_without_an_end_is_text() -> None:
    page = split_page("---\ntitle: x\n\n# Heading\n")
    assert page.title == "Heading"
    assert [block.level for block in page.blocks] == [0, 1]


def test_a_page_without_headings_is_one_section_and_an_empty_one_none() -> None:
    assert [block.body for block in split_page("just words\n").blocks] == ["just words\n"]
    assert split_page("").blocks == ()
    assert split_page("words").title is None


@pytest.mark.parametrize(
    ("line", "heading", "anchor"),
    [
        ("## Plain", "Plain", "plain"),
        ("## Closed ##", "Closed", "closed"),
        ("## C# and F#", "C# and F#", "c-and-f"),
        ("## a # ##", "a #", "a-"),
        ("## a \\#", "a #", "a-"),
        ("## Closed ## {#own}", "Closed", "own"),
        ("Underlined #\n---", "Underlined #", "underlined-"),
        ("## [Linked *words*](x.md) & `code`", "Linked words & code", "linked-words--code"),
        ("## Named {#own-id}", "Named", "own-id"),
        ("## Named {#own .cls key=val} ##", "Named", "own"),
        ("## Kram {: #own}", "Kram", "own"),
        ("## Class {.cls}", "Class", "class"),
        ("## Set {a, b}", "Set {a, b}", "set-a-b"),
        ("## A &amp; B &lt;c&gt;", "A & B <c>", "a--b-c"),
        ("## Über uns: 日本語!", "Über uns: 日本語!", "über-uns-日本語"),
        ("## SOME_NAME_HERE", "SOME_NAME_HERE", "some_name_here"),
        ("##", "", ""),
        ("## ![logo](a.png) Brand", "logo Brand", "logo-brand"),
        ("## <a name='x'></a>Old anchor", "Old anchor", "old-anchor"),
    ],
)
def test_a_heading_is_its_words(line: str, heading: str, anchor: str) -> None:
    block = split_page(f"{line}\n\nbody").blocks[0]
    assert (block.heading, block.anchor, block.body) == (heading, anchor, "\nbody")


def test_an_id_on_the_next_line_counts() -> None:
    assert split_page("## Head\n{: #own .no_toc}\n").blocks[0].anchor == "own"


def test_equal_headings_get_numbered_anchors() -> None:
    page = split_page("# A\n# A\n# A-1\n# A\n## \n## \n")
    assert [block.anchor for block in page.blocks] == ["a", "a-1", "a-1-1", "a-2", "", "-1"]


def test_link_definitions_are_no_heading() -> None:
    assert [block.level for block in split_page("[a]: /b 'title'\n===\n").blocks] == [0]
    page = split_page("[a]: /b\n[c]: <d e>\nHead\n===\n")
    assert [block.source for block in page.blocks] == ["[a]: /b\n[c]: <d e>\n", "Head\n===\n"]


def test_paths_follow_the_levels() -> None:
    page = split_page("### Deep\n# Top\n### Skipped\n## Next\n# Other\n")
    assert [block.heading_path for block in page.blocks] == [
        ("Deep",), ("Top",), ("Top", "Skipped"), ("Top", "Next"), ("Other",),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "piece",
    [
        "`" * 3 + "\n",
        "> ",
        "[",
        "![a](",
        "*a ",
        "_a_",
        "- ",
        "<!--",
        "<div ",
        "{#",
        "\\",
        "|-",
        "# [",
        "---\n",
        "&amp",
        "\r",
        "a=\n",
    ],
)
def test_large_pages_take_time_in_proportion(piece: str) -> None:
    """Sizes, not timing: what grows faster than the text would not end within the run."""
    text = "# Head\n" + piece * (50_000 // len(piece))
    assert "".join(block.source for block in split_page(text).blocks) == text


def test_bytes_are_decoded_or_known_as_binary() -> None:
    assert decode("é\n".encode()) == "é\n"
    assert decode(b"caf\xe9") == "caf\ufffd"
    assert decode("ü".encode("utf-16")) == "ü"
    assert decode(b"\x89PNG\0\0") is None
