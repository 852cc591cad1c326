"""GitHub and GitLab by their APIs and their webhooks: whole discussions, the same as their exports give."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Fatal, Retry
from assistant.model.conversations import Conversation
from assistant.settings import Settings
from assistant.text.people import People
from connectors.base import Connector
from connectors.base.forges import NEVER, Discussed, Pushed, WholeDiscussion, slug
from connectors.base.http import Missing
from connectors.github import api as github_api
from connectors.github import discussions as github_files
from connectors.github import hook as github_hook
from connectors.gitlab import api as gitlab_api
from connectors.gitlab import discussions as gitlab_files
from connectors.gitlab import hook as gitlab_hook
from tests.connectors.conformance import ConnectorConformance, Grow
from tests.fakes import github as at_github
from tests.fakes import gitlab as at_gitlab
from tests.fakes.github import FakeGitHub
from tests.fakes.gitlab import PROJECT, FakeGitLab

SAMPLES = Path(__file__).parents[3] / "shared/data/samples"


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    with at_github.running(FakeGitHub()) as made:
        yield made


@pytest.fixture
def gitlab() -> Iterator[FakeGitLab]:
    with at_gitlab.running(FakeGitLab()) as made:
        yield made


def repository(fake: FakeGitHub, **given: Any) -> github_api.GitHub:
    return github_api.connected(Settings(**{**fake.settings(), **given}), at_github.REPOSITORY)


def project(fake: FakeGitLab, **given: Any) -> gitlab_api.GitLab:
    return gitlab_api.connected(Settings(**{**fake.settings(), **given}), PROJECT)


def talk(one: WholeDiscussion) -> Conversation:
    people = People()
    people.learn(one.found().identities())
    [made] = one.found().read(people.speaker).conversations
    return made


def said(one: Conversation) -> list[tuple[str, str]]:
    return [(utterance.id.rpartition("/")[2], utterance.text) for utterance in one.utterances]


class TestGitHub(ConnectorConformance):
    @pytest.fixture
    def connect(self, github: FakeGitHub) -> Callable[[], Connector[WholeDiscussion]]:
        for n in range(4):
            github.opens(f"Trial {n}", f"Is it {n}?", pull=n == 2)
        github.reviews_of(3, "Fine.")
        github.discusses("Which?", "Ten or 25?", ("25.", "Yes"))
        return lambda: repository(github)

    @pytest.fixture
    def grow(self, github: FakeGitHub) -> Grow:
        return lambda: github.opens("New", "One more?") and None


class TestGitLab(ConnectorConformance):
    @pytest.fixture
    def connect(self, gitlab: FakeGitLab) -> Callable[[], Connector[WholeDiscussion]]:
        for n in range(4):
            gitlab.opens("issues" if n % 2 else "merge_requests", f"Trial {n}", f"Is it {n}?")
        gitlab.says("issues", 2, "Yes")
        return lambda: project(gitlab)

    @pytest.fixture
    def grow(self, gitlab: FakeGitLab) -> Grow:
        return lambda: gitlab.opens("issues", "New", "One more?") and None


def test_a_pull_request_is_whole_with_reviews_and_remarks_over_all_pages(github: FakeGitHub) -> None:
    number = github.opens("Trial", "25 seats", pull=True)
    github.page = 2
    made = [github.comments_on(number, f"c{n}") for n in range(5)]
    made += [github.reviews_of(number, "approved"), github.reviews_of(number, None), github.remarks_on(number, "here")]
    one = talk(WholeDiscussion("pulls", number, repository(github).whole("pulls", number)))
    assert one.id == f"github:acme/handbook#{number}"
    assert said(one) == [("0", "25 seats"), *((str(c["id"]), c["body"]) for c in made if c["body"])]


def test_a_discussion_is_whole_with_its_replies(github: FakeGitHub) -> None:
    number = github.discusses("Which?", "Ten or 25?", ("25.", "No, 30.", "25 it is."))
    one = talk(WholeDiscussion("discussions", number, repository(github).whole("discussions", number)))
    assert one.id == f"github:acme/handbook#{number}"
    assert [text for _, text in said(one)] == [
        "Ten or 25?",
        *(text for first in ("25.", "No, 30.", "25 it is.") for text in (first, f"Re: {first}")),
    ]
    assert (one.url or "").endswith(f"/discussions/{number}")


@pytest.mark.parametrize("replies", [0, 1, 2, 3, 7])
def test_a_discussion_is_whole_however_many_replies_it_has(github: FakeGitHub, replies: int) -> None:
    number = github.discusses("Which?", "Ten or 25?", ("25.", "No, 30."), replies=replies)
    github.graphql_page = 2
    one = talk(WholeDiscussion("discussions", number, repository(github).whole("discussions", number)))
    said = sorted(utterance.text for utterance in one.utterances)
    assert said == sorted(["Ten or 25?", *["25.", *["Re: 25."] * replies], *["No, 30.", *["Re: No, 30."] * replies]])
    assert len({utterance.id for utterance in one.utterances}) == 3 + 2 * replies


@pytest.mark.parametrize("count", [0, 1, 2, 3, 9])
def test_every_discussion_comes_in_however_long_ago_it_was(github: FakeGitHub, count: int) -> None:
    github.graphql_page = 2
    numbers = [github.discusses(f"Which {n}?", "Ten?", ()) for n in range(count)]
    found = repository(github).changed(NEVER, {})
    assert [one.number for one in found] == numbers
    for n, one in enumerate(found):
        github.calls.clear()
        assert repository(github).changed(one.at, {}) == found[n:]
        assert github.calls.count("/graphql") <= (count - n) // 2 + 1, "what is older is not asked for"


def test_live_and_exported_discussions_have_the_same_ids(github: FakeGitHub, tmp_path: Path) -> None:
    number = github.opens("Trial", "25 seats?")
    told = github.comments_on(number, "Yes.")
    live = talk(WholeDiscussion("issues", number, repository(github).whole("issues", number)))
    by_command = {
        "number": number,
        "title": "Trial",
        "url": github.issues[number]["html_url"],
        "createdAt": github.issues[number]["created_at"],
        "body": "25 seats?",
        "author": {"login": "ada"},
        "comments": [
            {
                "id": "IC_kwDOAb",
                "author": {"login": "grace"},
                "body": "Yes.",
                "createdAt": told["created_at"],
                "url": told["html_url"],
            }
        ],
    }
    for n, exported in enumerate([[github.issues[number], told], by_command]):
        (tmp_path / f"{n}.json").write_text(json.dumps(exported))
        [found] = github_files.open_discussions(tmp_path / f"{n}.json").found.values()
        assert said(talk(WholeDiscussion("issues", number, found))) == said(live)


def test_gitlab_live_and_exported_have_the_same_ids(gitlab: FakeGitLab, tmp_path: Path) -> None:
    number = gitlab.opens("merge_requests", "Trial", "25 seats?")
    gitlab.says("merge_requests", number, "Yes.")
    gitlab.says("merge_requests", number, "changed the description", system=True)
    live = talk(WholeDiscussion("merge_requests", number, project(gitlab).whole("merge_requests", number)))
    exported = {**gitlab.things["merge_requests", number], "notes": gitlab.notes["merge_requests", number]}
    (tmp_path / "merge_requests.json").write_text(json.dumps(exported))
    [found] = gitlab_files.open_discussions(tmp_path).found.values()
    assert said(live) == said(talk(WholeDiscussion("issues", number, found)))
    assert [text for _, text in said(live)] == ["25 seats?", "Yes."]
    assert live.id == f"gitlab:{PROJECT}!{number}"


def test_what_is_as_it_was_is_not_read_again(github: FakeGitHub, gitlab: FakeGitLab) -> None:
    github.opens("Trial", "25?")
    gitlab.opens("issues", "Trial", "25?")
    for fake, forge, lists in ((github, repository(github), 3), (gitlab, project(gitlab), 2)):
        etags: dict[str, str] = {}
        first = forge.changed("1970-01-01T00:00:00Z", etags)
        start = first[-1].at
        forge.changed(start, etags)
        assert fake.unchanged == 0
        assert forge.changed(start, etags) == []
        assert fake.unchanged == lists
        assert forge.changed(start, etags) == []
        assert fake.unchanged == 2 * lists


def test_the_edit_of_a_comment_is_seen(github: FakeGitHub) -> None:
    number = github.opens("Trial", "25?")
    comment = github.comments_on(number, "Yes")
    start = repository(github).changed("1970-01-01T00:00:00Z", {})[-1].at
    comment["updated_at"] = github.tick()
    assert [one.number for one in repository(github).changed(comment["updated_at"], {})] == [number]
    assert start < comment["updated_at"]


def test_a_token_that_may_not_see_discussions_reads_issues_all_the_same(github: FakeGitHub) -> None:
    number = github.opens("Trial", "25?")
    github.no_discussions = True
    assert [one.value.number for one in repository(github).pull(None)] == [number]
    with pytest.raises(Fatal, match="GITHUB_TOKEN"):
        repository(github).whole("discussions", 7)


def test_whether_a_comment_still_stands_is_asked_by_its_id(github: FakeGitHub, gitlab: FakeGitLab) -> None:
    number = github.opens("Trial", "25?", pull=True)
    said = [github.comments_on(number, "a"), github.reviews_of(number, "b"), github.remarks_on(number, "c")]
    assert all(repository(github).stands("pulls", number, str(one["id"])) for one in said)
    assert not repository(github).stands("pulls", number, "7")
    assert not repository(github).stands("pulls", number, "0")
    talked = github.discusses("Which?", "Ten?", ("25.",))
    [first, *_] = [one for one in repository(github).whole("discussions", talked).comments if one != "0"]
    assert repository(github).stands("discussions", talked, first)
    assert not repository(github).stands("discussions", talked, "7")
    issue = gitlab.opens("issues", "Trial", "25?")
    note = gitlab.says("issues", issue, "Yes")
    assert project(gitlab).stands("issues", issue, str(note["id"]))
    assert not project(gitlab).stands("issues", issue, "7")


def test_faults_say_what_to_do(github: FakeGitHub, gitlab: FakeGitLab) -> None:
    with pytest.raises(Fatal, match="401: set GITHUB_TOKEN"):
        list(repository(github, github_token="other").pull(None))
    with pytest.raises(Fatal, match="401: set GITLAB_TOKEN"):
        list(project(gitlab, gitlab_token="other").pull(None))
    with pytest.raises(Missing):
        repository(github).whole("issues", 7)
    with pytest.raises(Missing):
        repository(github).whole("discussions", 7)
    github.limited = 1
    with pytest.raises(Retry) as told:
        repository(github).whole("issues", 7)
    assert 30 <= told.value.after <= 41


# ---------------------------------------------------------------- webhooks


def sample(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


REAL = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples of real events are not here")


@REAL
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("push.with-new-branch.payload", Pushed("Codertocat/Hello-World", "master", "master")),
        ("push.payload", None),
        ("push.1.payload", None),
        ("ping.payload", None),
        ("create.payload", None),
        ("delete.payload", None),
        ("installation.created.payload", None),
        ("repository.renamed.payload", None),
        ("pull_request.opened.payload", Discussed("Codertocat/Hello-World", "pulls", 2)),
        ("pull_request.opened.with-null-body", Discussed("Codertocat/Hello-World", "pulls", 2)),
        ("pull_request_review.submitted.payload", Discussed("Codertocat/Hello-World", "pulls", 2)),
    ],
)
def test_what_github_really_sends(name: str, told: object) -> None:
    assert github_hook.told(sample(f"github-webhooks/{name}.json")) == told


@REAL
def test_no_real_event_is_malformed() -> None:
    for file in [*SAMPLES.glob("github-webhooks/*.json"), *SAMPLES.glob("gitlab-webhooks/*.json")]:
        hook = github_hook if "github" in file.parent.name else gitlab_hook
        hook.told(json.loads(file.read_text(encoding="utf-8")))


@REAL
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("push-event", Pushed("mike/diaspora", "master", "master")),
        ("system-push-event", Pushed("mike/diaspora", "master", "master")),
        ("tag-event", None),
        ("system-project-renamed", None),
        ("merge-request-event", Discussed("gitlabhq/gitlab-test", "merge_requests", 1)),
        ("system-merge-request-event", Discussed("jsmith/example", "merge_requests", 1)),
        ("comment-merge-request-event", Discussed("gitlab-org/gitlab-test", "merge_requests", 1)),
    ],
)
def test_what_gitlab_really_sends(name: str, told: object) -> None:
    assert gitlab_hook.told(sample(f"gitlab-webhooks/{name}.json")) == told


def test_a_comment_on_a_pull_request_comes_as_one_on_an_issue(github: FakeGitHub) -> None:
    number = github.opens("Trial", "25?", pull=True)
    body = github.event("created", number, comment=github.comments_on(number, "Yes"))
    assert github_hook.told(json.loads(body)) == Discussed("acme/handbook", "pulls", number)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["iid", "number", "ref"]), inner),
    max_leaves=5,
)
NAMES = "object_kind object_attributes event_name project merge_request issue note ref commits repository discussion"


@given(st.dictionaries(st.sampled_from(NAMES.split()), values | st.sampled_from(["push", "note", "issue"])))
def test_any_body_is_read_or_malformed(value: dict[str, Any]) -> None:
    for hook in (github_hook, gitlab_hook):
        try:
            told = hook.told(value)
        except ValueError:
            continue
        assert told is None or "/" in told.repository


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/Acme/Handbook", "github.com/acme/handbook"),
        ("https://user:key@github.com/acme/handbook.git/", "github.com/acme/handbook"),
        ("git@github.com:acme/handbook.git", "github.com/acme/handbook"),
        ("ssh://git@gitlab.acme.example:2222/acme/people/handbook.git", "gitlab.acme.example/acme/people/handbook"),
        ("/srv/git/handbook.git", ""),
        ("../handbook", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_all_addresses_of_a_repository_are_one(address: str | None, name: str) -> None:
    assert slug(address) == name
