"""Twenty private channels, and everything that outsiders can see: no word of them, and no answer another for them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog

from assistant.chat import journeys
from assistant.graph.servers import embedded
from assistant.graph.space import Space, open_space
from assistant.model.surfaces import Inquiry, Way
from assistant.settings import Settings
from connectors.slack.client import Identity
from tests.chaos.canaries import attack
from tests.fakes.canaries import EVERYBODY, OPEN_ROOM, QUESTIONS, SECRETS, TEAM, fill, leaked, mail, neighbour
from tests.fakes.slack_server import BOT, TOKEN, FakeSlack, running
from tests.flows.brain import Brain
from workers import act
from workers import equipment as at_work
from workers.equipment import Equipment
from workers.queue import connect

FEW = 140
"""Questions here, seven kinds for every room; `python -m tests.chaos.canaries` asks all 500."""


FEW_ROOMS = 5
"""Rooms asked about in Slack, where a channel is written in once a second at most."""


@dataclass(frozen=True)
class Workplace:
    """A home with the company in it, and a Slack with the same channels."""

    space: Space
    slack: FakeSlack
    equipment: Equipment

    def ask(self, way: Way, user: str, channel: str, question: str, number: int) -> str:
        """Asks in Slack; gives everything that Slack was sent for it."""
        before = len(self.slack.calls)
        ts = f"1717{number:06d}.000100"
        asked = Inquiry(
            way=way, key=f"ask/{channel}/{ts}", revision=ts, user=user, text=question, channel=channel, ts=ts
        )
        journeys.answer(asked, self.equipment.desk())
        return shown(self.slack, before)


def shown(slack: FakeSlack, since: int) -> str:
    """Everything Slack was sent, ids of the run aside."""
    text = json.dumps(slack.calls[since:], ensure_ascii=False)
    return re.sub(r'(good|bad|text|key|ts|thread_ts|id|answer)\W+[^"]*[0-9a-f]{16,}[^"]*', "", text)


def workplace(folder: Path, *, private: bool) -> Iterator[Workplace]:
    """A workplace of its own, with or without the private channels."""
    with running(FakeSlack()) as slack:
        slack.channels[OPEN_ROOM] = {"members": [*EVERYBODY, *(user for one in SECRETS for user in one.members)]}
        slack.users.update({user: {} for user in slack.channels[OPEN_ROOM]["members"]})
        if private:
            slack.channels.update({one.room: {"members": list(one.members)} for one in SECRETS})
        settings = Settings(
            home=folder / "home", cache=folder / "cache", slack_bot_token=TOKEN, slack_api_url=slack.url
        )
        servers = embedded.ensure(settings)
        with open_space(settings, servers=servers) as space:
            fill(space, folder / "sources", private=private)
            yield Workplace(space, slack, Equipment(settings, servers, Identity(BOT, TEAM), None))
        embedded.stop(servers)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    yield from workplace(tmp_path_factory.mktemp("whole"), private=True)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    yield from workplace(tmp_path_factory.mktemp("bare"), private=False)


def test_answers_show_no_private_word_and_are_what_they_would_be_without(whole: Workplace, bare: Workplace) -> None:
    outcome = attack(whole.space, bare.space, FEW)
    assert (outcome.asked, outcome.leaks, outcome.differences) == (FEW, [], [])
    assert outcome.insiders == len(SECRETS)


@pytest.mark.parametrize("way", [Way.MENTION, Way.COMMAND, Way.DM, Way.SHARE])
def test_slack_is_sent_no_private_word(whole: Workplace, bare: Workplace, way: Way) -> None:
    for number, one in enumerate(SECRETS[:: len(SECRETS) // FEW_ROOMS]):
        user = one.members[0] if way in (Way.MENTION, Way.SHARE) else neighbour(one).members[1]
        channel = f"D{user}" if way is Way.DM else OPEN_ROOM
        question = QUESTIONS[number % 12].format(subject=one.subject)
        sent, would = (at.ask(way, user, channel, question, number) for at in (whole, bare))
        assert leaked(sent) <= {user.casefold()}
        assert words(sent) == words(would)


def words(sent: str) -> list[str]:
    """The words for people in what was sent."""
    return re.findall(r'"(?:text|markdown)": "([^"]*)"', sent)


def test_somebody_inside_is_told_in_private_and_in_their_room(whole: Workplace) -> None:
    for number, one in enumerate(SECRETS[:: len(SECRETS) // FEW_ROOMS]):
        question = f"Who decided the limit for {one.subject}?"
        private = whole.ask(Way.DM, one.members[0], f"D{one.members[0]}", question, 100 + number)
        inside = whole.ask(Way.MENTION, one.members[1], one.room, question, 200 + number)
        assert one.person(0) in private
        assert one.person(0) in inside


def test_homes_show_an_outsider_nothing_more(
    whole: Workplace, bare: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    views = []
    for at in (whole, bare):
        monkeypatch.setattr(at_work, "_ready", [at.equipment])
        act.home({"user": "U03CLEO"})
        views.append(at.slack.made("views.publish")[-1]["view"])
    assert leaked(json.dumps(views[0])) == set()
    assert views[0] == views[1]


def test_who_has_left_a_room_learns_nothing_more_of_it(whole: Workplace) -> None:
    one = SECRETS[0]
    leaver = one.members[1]
    question = f"Who decided the limit for {one.subject}?"
    assert one.person(0) in whole.ask(Way.DM, leaver, f"D{leaver}", question, 300)
    whole.slack.channels[one.room] = {"members": [one.members[0]]}
    forget_cached(whole)
    assert leaked(whole.ask(Way.DM, leaver, f"D{leaver}", question, 301)) <= {leaver.casefold()}
    whole.slack.channels[one.room] = {"members": list(one.members)}
    forget_cached(whole)


def forget_cached(at: Workplace) -> None:
    """As when what was noted of people's channels has gone old."""
    with connect(at.equipment.servers.queue_url) as server:
        server.flushall()


@pytest.mark.parametrize("viewer", ["public", mail("U01ANA"), neighbour(SECRETS[0]).members[0], SECRETS[0].person(0)])
def test_the_command_line_shows_a_viewer_no_more(whole: Workplace, viewer: str, tmp_path: Path) -> None:
    settings = whole.equipment.settings
    brain = Brain(settings.home, settings.cache)
    listed = brain("decisions", "--json", "--viewer", viewer)
    asked = brain("ask", f"Who decided the limit for {SECRETS[0].subject}?", "--json", "--viewer", viewer, "--no-embed")
    own = {one for secret in SECRETS if viewer in secret.members for one in map(str.casefold, secret.canaries())}
    assert listed.status == 0
    assert leaked(listed.out + listed.err) <= own
    assert leaked(asked.out + asked.err) == set()


def test_logs_hold_no_private_word(whole: Workplace) -> None:
    one = SECRETS[4]
    with structlog.testing.capture_logs() as lines:
        whole.ask(Way.DM, one.members[0], f"D{one.members[0]}", f"Why is the limit for {one.subject} so?", 400)
        whole.slack.errors["chat.update"] = "msg_too_long"
        try:
            whole.ask(Way.MENTION, one.members[0], one.room, f"Who decided the limit for {one.subject}?", 401)
        except Exception as error:  # noqa: BLE001 whatever it is, RQ would keep its words
            assert leaked(str(error)) == set()
        finally:
            del whole.slack.errors["chat.update"]
    ours = one.room.casefold(), *(user.casefold() for user in one.members)
    assert leaked(json.dumps(lines, default=str)) <= set(ours)
