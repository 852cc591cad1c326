"""The audit's own reading: pages cut by another parser, requests in messages, cues, Slack's entities, spelt numbers."""

import pytest

from assistant.evals.audit.commits import request_of
from assistant.evals.audit.cues import read_cues, taken_by
from assistant.evals.audit.cutting import cut
from assistant.evals.audit.counting import stems
from assistant.evals.audit.slack import plain
from assistant.text.markdown import split_page

PAGES = (
    "",
    "words only",
    "---\ntitle: A\n# no heading\n---\n\n# A\n\nx\n\nB\n---\n\ny\n```\n# code\n```\n> # quoted\n",
    "\ufeff# A\r\nx\r\n\r\n## B ##\r\n",
    "# A\rx\r## B\ry",
    "- item\n  # inside\n\n<div>\n# html\n</div>\n\n[a]: b\nC\n=\n",
)


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_cut_whole_and_as_the_product_cuts_them(page: str) -> None:
    sections = cut(page)
    assert "".join(one.text for one in sections) == page
    assert [(one.level, one.text) for one in sections] == [(b.level, b.source) for b in split_page(page).blocks]


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("Raise it (#12)\n", "12"),
        ("Merge pull request #7 from a/b\n\nRaise it (#3)\n", "7"),
        ("Merge branch 'x'\n\nSee merge request acme/hb!9\n", "9"),
        ('Revert "Raise it (#12)" (#13)\n', "13"),
        ('Revert "Raise it (#12)"\n', None),
        ("Raise it\n\nSee #12 for why.\n", None),
    ],
)
def test_a_message_names_its_own_request(message: str, number: str | None) -> None:
    assert request_of(message) == number


def test_a_turn_is_all_cues_of_one_speaker_in_a_row() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nAda: one\n\n00:02.000 --> 00:03.000\nAda: two &amp; three\n\n"
    cues = read_cues(text + "00:03.000 --> 00:04.000\n<v Grace>four</v>\n", 0)
    assert [(cue.at, cue.name) for cue in cues] == [(1_000_000, "Ada"), (2_000_000, "Ada"), (3_000_000, "Grace")]
    assert taken_by("one two & three", cues) == 2
    assert taken_by("one", cues) == 0
    assert taken_by("one two & three four", cues) == 0
    assert taken_by("four", cues[2:]) == 1


def test_messages_read_as_people_read_them() -> None:
    users = {"U1": {"id": "U1", "real_name": "Ada Byron"}}
    text = "<@U1> see <https://a.example|this> in <#C1> &lt;now&gt; <!here>"
    assert plain(text, users, {"C1": "rules"}) == "@Ada Byron see this in #rules <now> @here"


def test_numbers_in_words_are_numbers() -> None:
    assert {"1850", "2000", "25"} <= stems("eighteen fifty or two thousand or twenty five or 1,850")
