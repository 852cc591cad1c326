"""Issues and requests with their comments in the shapes that GitHub, GitLab and Jira write as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import UserFacing
from assistant.model.conversations import Conversation, ConversationKind
from assistant.text.people import People
from connectors.base.discussions import Discussions, when
from connectors.github import discussions as github
from connectors.gitlab import discussions as gitlab
from connectors.jira import discussions as jira

SHARED = Path(__file__).parents[3] / "shared/data"
AT = "2026-03-02T14:30:00Z"
LATER = "2026-03-02T15:30:00Z"


def written(tmp_path: Path, *values: object, name: str = "export.json") -> Path:
    for number, value in enumerate(values):
        lines = isinstance(value, list) and not name.endswith(".json")
        text = "\n".join(map(json.dumps, value)) if lines and isinstance(value, list) else json.dumps(value)
        (tmp_path / f"{number}" if number else tmp_path).mkdir(exist_ok=True)
        (tmp_path / (f"{number}/{name}" if number else name)).write_text(text, encoding="utf-8")
    return tmp_path


def read(found: Discussions) -> list[Conversation]:
    people = People()
    people.learn(found.identities())
    return list(found.read(people.speaker).conversations)


def only(found: Discussions) -> Conversation:
    [one] = read(found)
    assert one.kind is ConversationKind.DISCUSSION
    return one


def said(one: Conversation) -> list[tuple[str, str]]:
    return [(utterance.speaker.name, utterance.text) for utterance in one.utterances]


API = "https://api.github.com/repos/acme/handbook"
WEB = "https://github.com/acme/handbook"
ISSUE = {
    "url": f"{API}/issues/7",
    "html_url": f"{WEB}/issues/7",
    "number": 7,
    "title": "Trial",
    "created_at": AT,
    "body": "Ten?",
    "user": {"login": "ada", "type": "User"},
    "comments": 1,
}
COMMENT = {
    "id": 5,
    "issue_url": f"{API}/issues/7",
    "html_url": f"{WEB}/issues/7#issuecomment-5",
    "created_at": LATER,
    "body": "25.\r\nDone.",
    "user": {"login": "grace", "type": "User"},
    "updated_at": LATER,
}
GH = {
    "number": 7,
    "title": "Trial",
    "url": f"{WEB}/issues/7",
    "createdAt": AT,
    "body": "Ten?",
    "author": {"login": "ada"},
    "comments": [
        {"id": "IC_1", "author": {"login": "grace"}, "body": "25.", "createdAt": LATER, "url": f"{WEB}/issues/7#x"}
    ],
}
ARCHIVE = [
    {
        "type": "issue",
        "url": f"{WEB}/issues/7",
        "title": "Trial",
        "body": "Ten?",
        "user": "https://github.com/ada",
        "created_at": AT,
    },
    {
        "type": "issue_comment",
        "url": f"{WEB}/issues/7#issuecomment-5",
        "issue": f"{WEB}/issues/7",
        "user": "https://github.com/grace",
        "body": "25.",
        "created_at": LATER,
    },
]
EVENT = {"action": "created", "issue": ISSUE, "comment": COMMENT, "repository": {"full_name": "acme/handbook"}}


@pytest.mark.parametrize("values", [[[ISSUE], [COMMENT]], [GH], [ARCHIVE], [EVENT], [EVENT, [COMMENT], [ISSUE]]])
def test_github_by_api_command_archive_and_hook(tmp_path: Path, values: list[Any]) -> None:
    one = only(github.open_discussions(written(tmp_path, *values)))
    assert (one.id, one.title, one.place_name) == ("github:acme/handbook#7", "Trial", "acme/handbook")
    assert [name for name, _ in said(one)] == ["ada", "grace"]
    assert [text.partition("\r")[0] for _, text in said(one)] == ["Ten?", "25."]
    assert one.utterances[1].speaker.person == "github:grace"
    assert (one.utterances[1].url or "").startswith(f"{WEB}/issues/7#")


def test_github_reviews_and_bots(tmp_path: Path) -> None:
    review = {
        "id": 9,
        "pull_request_url": f"{API}/pulls/8",
        "user": {"login": "ada"},
        "submitted_at": AT,
        "body": "Yes",
    }
    bot = {**COMMENT, "issue_url": f"{API}/issues/8", "user": {"login": "ci[bot]", "type": "Bot"}}
    one = only(github.open_discussions(written(tmp_path, [review, bot, {**review, "id": 10, "body": None}])))
    assert [(u.text.partition("\r")[0], u.bot) for u in one.utterances] == [("Yes", False), ("25.", True)]


NOTE = {
    "id": 3,
    "body": "25.",
    "author": {"username": "grace", "name": "Grace Hopper"},
    "created_at": LATER,
    "system": False,
    "award_emoji": [{"name": "thumbsup", "user": {"username": "ada", "name": "Ada Byron"}}],
}
MERGE_REQUEST = {
    "iid": 7,
    "title": "Trial",
    "description": "Ten?",
    "author": {"username": "ada", "name": "Ada Byron"},
    "created_at": AT,
    "web_url": "https://gitlab.com/acme/rules/handbook/-/merge_requests/7",
    "notes": [NOTE, {**NOTE, "id": 4, "body": "changed the description", "system": True}],
}


def test_gitlab_requests_with_notes(tmp_path: Path) -> None:
    one = only(gitlab.open_discussions(written(tmp_path, [MERGE_REQUEST])))
    assert one.id == "gitlab:acme/rules/handbook!7"
    assert said(one) == [("Ada Byron", "Ten?"), ("Grace Hopper", "25.")]
    assert [(r.name, r.by[0].name) for r in one.utterances[1].reactions] == [("thumbsup", "Ada Byron")]


def test_gitlabs_export(tmp_path: Path) -> None:
    note = {"id": 3, "note": "25.", "author_id": 5, "author": {"name": "Grace"}, "created_at": LATER, "system": False}
    line = {
        "iid": 7,
        "title": "Trial",
        "description": "Ten?",
        "author_id": 4,
        "created_at": AT,
        "project_id": 2,
        "notes": [note],
    }
    one = only(gitlab.open_discussions(written(tmp_path, [line], name="issues.ndjson")))
    assert one.id == "gitlab:project 2#7"
    assert said(one) == [("author 4", "Ten?"), ("Grace", "25.")]


JIRA = {
    "key": "HB-7",
    "self": "https://acme.atlassian.net/rest/api/3/issue/1",
    "fields": {
        "summary": "Trial",
        "created": "2026-03-02T14:30:00.000+0000",
        "reporter": {"accountId": "a1", "displayName": "Ada Byron", "emailAddress": "ada@acme.example"},
        "description": {
            "type": "doc",
            "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Ten?"}]}],
        },
        "comment": {
            "comments": [
                {"id": "5", "author": {"accountId": "g1", "displayName": "Grace"}, "body": "25.", "created": LATER},
                {
                    "id": "6",
                    "author": {"displayName": "Boss"},
                    "body": "psst",
                    "created": LATER,
                    "visibility": {"type": "role"},
                },
            ]
        },
    },
}


@pytest.mark.parametrize("value", [JIRA, [JIRA], {"issues": [JIRA]}, {"webhookEvent": "x", "issue": JIRA}])
def test_jira_by_issue_search_and_hook(tmp_path: Path, value: object) -> None:
    one = only(jira.open_discussions(written(tmp_path, value)))
    assert (one.id, one.title, one.url) == ("jira:HB-7", "Trial", "https://acme.atlassian.net/browse/HB-7")
    assert said(one) == [("Ada Byron", "Ten?"), ("Grace", "25.")]
    assert one.utterances[0].speaker.person == "ada@acme.example"
    assert one.utterances[1].url == "https://acme.atlassian.net/browse/HB-7?focusedCommentId=5"


def test_a_document_reads_line_by_line() -> None:
    text = {"type": "text", "text": "one"}
    mention = {"type": "mention", "attrs": {"text": "@Ada"}}
    paragraph = {"type": "paragraph", "content": [text, {"type": "hardBreak"}, mention]}
    rows = {
        "type": "bulletList",
        "content": [{"type": "listItem", "content": [{"type": "paragraph", "content": [text]}]}],
    }
    assert jira.words({"type": "doc", "content": [paragraph, rows]}) == "one\n@Ada\none\n"


@pytest.mark.parametrize("forge", [github, gitlab, jira])
def test_each_leaves_the_others_alone_and_tells_what_is_broken(tmp_path: Path, forge: Any) -> None:
    folder = written(tmp_path, [ISSUE, COMMENT], [MERGE_REQUEST], JIRA)
    (folder / "cut.json").write_text('[{"a"')
    found = forge.open_discussions(folder)
    assert [one.id.partition(":")[0] for one in read(found)] == [forge.__name__.split(".")[1]]
    assert found.skipped == ("cut.json: cut off or no JSON, left out",)
    with pytest.raises(UserFacing):
        forge.open_discussions(tmp_path / "1/none")


@pytest.mark.parametrize(
    "text", ["2015-05-17 18:21:36 UTC", "2015-05-17T18:21:36.000+0000", "2015-05-17T20:21:36+02:00"]
)
def test_times_as_forges_write_them(text: str) -> None:
    found = when(text)
    assert found is not None
    assert found.timestamp() == 1_431_886_896


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from([AT, "x", f"{API}/issues/7", f"{WEB}/issues/7"]),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                sorted({*ISSUE, *COMMENT, *NOTE, *JIRA, *JIRA["fields"], "iid", "notes", "issue", "comment"})
            ),
            inside,
            max_size=6,
        )
    ),
)


@given(JSON)
def test_odd_json_breaks_nothing(value: Any) -> None:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            list(github.read(one))
            list(gitlab.read("issues.json", one))
            [jira.discussion(issue) for issue in jira.issues(one)]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared data are not here")
def test_real_hooks() -> None:
    one = only(gitlab.open_discussions(SHARED / "samples/gitlab-webhooks/comment-merge-request-event.json"))
    assert one.id == "gitlab:gitlab-org/gitlab-test!1"
    assert said(one) == [("Administrator", "This MR needs work.")]
    found = read(github.open_discussions(SHARED / "samples/github-webhooks"))
    assert {one.id for one in found} == {"github:Codertocat/Hello-World#2"} | {one.id for one in found}
    assert any("simple change" in text for one in found for _, text in said(one))
