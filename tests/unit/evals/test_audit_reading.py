"""The audit's own reading: pages cut by another parser, requests in messages, cues, Slack's entities, spelt numbers."""

import pytest

from assistant.evals.audit.commits import request_of
from assistant.evals.audit.counting import stems
from assistant.evals.audit.cues import read_cues, taken_by
from assistant.evals.audit.cutting import cut, cut_at
from assistant.evals.audit.discussions import github, gitlab, jira, micros, written
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
    "page",
    (
        *PAGES,
        "# A\n\nx\n\n## B\n\n```\n# code\n\n# more\n```\n\n## C\n",
        "# A\n\n```\nopen\n\n# not a heading\n\n## nor this\n",
        "# A\n\n<!-- open\n\n# hidden\n\n-->\n\n# B\n",
        "# A\n\n- item\n\n  # inside\n\n# B\nwords\nC\n---\n",
        "# A\n\n| a |\n| - |\n| b |\n# B\n\n## C\n",
    ),
)
def test_a_page_cut_at_known_places_is_cut_as_a_whole(page: str) -> None:
    whole = cut(page)
    assert cut_at(page, [one.text for one in whole]) == whole
    for number in range(len(page)):
        assert cut_at(page, [page[:number], page[number:]]) == whole


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
    assert {"30", "4"} <= stems("half an hour") | stems("for one month")
    assert {"750", "22", "1"} <= stems("seven fifty on the twenty second, a single time")


def test_voices_metadata_and_times_before_the_start() -> None:
    told = '{"startDateTime":"2023-03-08T08:22:30.0461639+00:00","speakerName":"Ada","spokenText":"So &amp; so."}'
    text = f"WEBVTT\n\n-0:0:1.5 --> 0:0:1.0\n<v Ada>one</v> <v.loud Grace>two</v>\n\n0:0:2.5 --> 0:0:3.0\n{told}\n"
    assert [(cue.at, cue.name, cue.text) for cue in read_cues(text, 7)] == [
        (7, "Ada", "one"),
        (7, "Grace", "two"),
        (1_678_263_750_046_163, "Ada", "So & so."),
    ]


@pytest.mark.parametrize(
    "text",
    ["2015-05-17 18:21:36 UTC", "2015-05-17T18:21:36.000+0000", "2015-05-17T20:21:36+02:00", "2015-05-17T18:21:36"],
)
def test_times_of_forges(text: str) -> None:
    assert micros(text) == 1_431_886_896_000_000


def test_documents_read_line_by_line() -> None:
    one = {"type": "text", "text": "one "}
    lines = [one, {"type": "hardBreak"}, {"type": "mention", "attrs": {"text": "@Ada"}}]
    rows = {
        "type": "bulletList",
        "content": [{"type": "listItem", "content": [{"type": "paragraph", "content": [one]}]}],
    }
    empty = {"type": "paragraph", "content": []}
    body = {"type": "doc", "content": [{"type": "paragraph", "content": lines}, empty, rows]}
    assert written(body) == "one \n@Ada\n\none"


def test_only_words_of_somebody_at_some_time_are_remarks() -> None:
    place = "https://github.com/acme/handbook/issues/7"
    said = {
        "id": 5,
        "html_url": f"{place}#c",
        "body": " Yes. ",
        "user": {"login": "Ada"},
        "created_at": "2026-03-02T14:30:00Z",
    }
    [one] = github(said)
    assert (one.thing, one.number, one.said.text) == ("github:acme/handbook#7", "5", "Yes.")
    assert one.said.names == {"ada", "github:ada"}
    assert [
        *github({**said, "user": None}),
        *github({**said, "body": ""}),
        *github({**said, "created_at": "soon"}),
    ] == []
    assert [*gitlab("a.json", said), *jira(said)] == []
