"""Where nobody can tell who reads an answer, only public sources are used, and a line under it says so."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.access import Vouching
from assistant.agent.ask import UNCHECKED, ask
from assistant.chat import journeys, texts
from assistant.graph.people import GraphMembers
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.model.answers import AskedQuestion
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.settings import Settings
from connectors.slack.client import Identity
from connectors.slack.members import SlackDirectory
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.fakes.slack_server import BOT, TEAM, TOKEN
from tests.flows.office import Office, mention
from workers import act, equipment
from workers.cache import RedisCache
from workers.talk import ingest_slack_export

QUESTION = AskedQuestion(text="How long is the trial?")
DM = Place(PlaceKind.DM)


@pytest.fixture
def other(shared_settings: Settings, servers: Servers) -> Iterator[Space]:
    """A second Space, without anything private."""
    with open_space(shared_settings, name="unchecked-other", servers=servers) as opened:
        yield opened
        drop(opened.graph)


def channel(name: str) -> Place:
    return Place(PlaceKind.CHANNEL, name)


def fill(space: Space, folder: Path, *, private: bool) -> None:
    """A handbook, a public channel, and maybe a private one whose members said nothing elsewhere."""
    folder.mkdir()
    book = Handbook(space, folder)
    book.commit({"sales.md": "# Sales\n\n## Trial\n\nThe trial is 14 days long.\n"})
    book.ingest()
    users = [{"id": name, "name": name.lower(), "real_name": name} for name in ("UADA", "UBEN", "UEVE")]
    files: dict[str, list[dict[str, Any]]] = {"users.json": users, "channels.json": [{"id": "C1", "name": "rules"}]}
    files["rules/2026-01-01.json"] = [{"type": "message", "user": "UEVE", "ts": "1767225600.000100", "text": "hello"}]
    if private:
        files["groups.json"] = [{"id": "G1", "name": "leads", "members": ["UADA", "UBEN"]}]
        text = "Decided: the trial is 31 days long for friends, as Zebra said."
        files["leads/2026-01-01.json"] = [{"type": "message", "user": "UADA", "ts": "1767225700.000100", "text": text}]
    for name, content in files.items():
        (folder / "export" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "export" / name).write_text(json.dumps(content))
    ingest_slack_export(space, folder / "export")


def told(space: Space, user: str | None, place: Place) -> str:
    return ask(QUESTION, Viewer(user), place, space, None, GraphMembers(space.reader)).text


@pytest.mark.parametrize(
    ("user", "place", "says"),
    [
        (None, Place(), False),
        ("UADA", Place(), False),
        (None, DM, True),
        ("unotknown", DM, True),
        ("UADA", DM, False),
        ("UEVE", DM, False),
        (None, channel("C1"), False),
        ("unotknown", channel("C1"), False),
        ("UADA", channel("G1"), False),
        ("UEVE", channel("G1"), True),
        (None, channel("G1"), True),
        ("UADA", channel("CNOTKNOWN"), True),
    ],
    ids=str,
)
def test_a_line_says_so_where_it_cannot_be_told(
    space: Space, tmp_path: Path, user: str | None, place: Place, says: bool
) -> None:
    fill(space, tmp_path / "all", private=True)
    text = told(space, user, place)
    line = UNCHECKED.get(place.kind, "")
    assert text.endswith(f"\n{line}") if says else "public sources" not in text
    assert not says or "Zebra" not in text


def test_in_channels_it_does_not_hang_on_whether_anything_private_is_known(
    space: Space, tmp_path: Path, other: Space
) -> None:
    fill(space, tmp_path / "with", private=True)
    fill(other, tmp_path / "without", private=False)
    for user in (None, "UEVE", "UADA", "UBEN", "unotknown"):
        for place in (Place(), channel("C1"), channel("CNOTKNOWN")):
            assert told(space, user, place) == told(other, user, place)
    for user in (None, "UEVE", "unotknown"):
        for place in (DM, channel("G1")):
            assert told(space, user, place) == told(other, user, place)


def test_when_slack_does_not_tell_somebodys_channels_the_answer_says_so(
    space: Space, tmp_path: Path, office: Office
) -> None:
    fill(space, tmp_path / "all", private=True)
    office.slack.errors["users.conversations"] = "missing_scope"
    directory = SlackDirectory(office.client, RedisCache(office.queue), TEAM)
    for _ in range(2):
        assert directory.channels_of("U01ANA") == frozenset()
        assert not directory.can_tell("U01ANA", None)
    members = Vouching(directory, "U01ANA", frozenset())
    assert ask(QUESTION, Viewer("U01ANA"), DM, space, None, members).text.endswith(UNCHECKED[PlaceKind.DM])
    seen = Vouching(directory, "U01ANA", frozenset({"G1"}))
    assert "public sources" not in ask(QUESTION, Viewer("U01ANA"), channel("G1"), space, None, seen).text
    del office.slack.errors["users.conversations"]
    assert directory.can_tell("U02BEN", None)
    fine = Vouching(directory, "U02BEN", frozenset())
    assert "public sources" not in ask(QUESTION, Viewer("U02BEN"), DM, space, None, fine).text


def test_when_slack_does_not_tell_who_reads_along_the_asker_is_told_that(office: Office) -> None:
    office.slack.errors["conversations.members"] = "missing_scope"
    journeys.answer(mention(), office.desk)
    assert office.slack.by_us("C1") == []
    [said] = [one for one in office.slack.messages["C1"] if one.get("ephemeral_to")]
    assert said["text"] == texts.UNCHECKED_ROOM


def test_the_home_says_so_too(
    office: Office, servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path, slack_bot_token=TOKEN, slack_api_url=office.slack.url)
    monkeypatch.setattr(equipment, "_ready", [equipment.Equipment(settings, servers, Identity(BOT, TEAM), None)])
    said = []
    for user, error in (("U01ANA", {}), ("U02BEN", {"users.conversations": "missing_scope"})):
        office.slack.errors = dict(error)
        act.home({"user": user})
        said.append(json.dumps(office.slack.made("views.publish")[-1]["view"]))
    assert [texts.UNCHECKED_HOME in view for view in said] == [False, True]
