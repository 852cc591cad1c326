"""Our own posts let go of forgotten words: asked again where the chat is away, told to admins where it refuses."""

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.chat import journeys, texts
from assistant.errors import Retry
from assistant.graph.posts import call_in, due_posts, keep_post, refused_posts
from assistant.graph.servers import embedded
from assistant.graph.space import Space, open_space
from assistant.model.surfaces import Posted
from assistant.settings import Settings
from tests.flows.office import Office, mention
from workers.doctor import State, forgetting
from workers.forgetting import clear_posts


@pytest.fixture
def due(space: Space, office: Office) -> Space:
    """A post of ours that quotes what is to go."""
    posted = office.slack.chat_postMessage({"channel": "C1", "text": "“the words”"})
    keep_post(space.graph, "ask/C1/1.1", Posted("C1", posted["ts"]))
    call_in(space.graph, ["ask/C1/1.1"])
    return space


def test_while_slack_is_away_the_post_stays_due_and_is_cleared_by_the_next_try(due: Space, office: Office) -> None:
    office.slack.errors["chat.update"] = "internal_error"
    with pytest.raises(Retry):
        clear_posts(due, office.desk.surface)
    assert len(due_posts(due.reader)) == 1
    office.slack.errors.clear()
    clear_posts(due, office.desk.surface)
    assert [one["text"] for one in office.slack.by_us("C1")] == [texts.WITHDRAWN]
    assert due_posts(due.reader) == refused_posts(due.reader) == []


def test_a_post_that_may_not_be_changed_is_deleted(due: Space, office: Office) -> None:
    office.slack.errors["chat.update"] = "edit_window_closed"
    clear_posts(due, office.desk.surface)
    assert office.slack.by_us("C1") == []
    assert refused_posts(due.reader) == []


def test_what_slack_refuses_is_kept_with_its_reason(due: Space, office: Office) -> None:
    office.slack.errors |= {"chat.update": "cant_update_message", "chat.delete": "cant_delete_message"}
    clear_posts(due, office.desk.surface)
    assert due_posts(due.reader) == []
    [refused] = refused_posts(due.reader)
    assert "cant_delete_message" in refused.refused


def test_an_answer_whose_words_went_while_it_was_posted_is_taken_back(office: Office) -> None:
    desk = replace(office.desk, shown=lambda *_: False)
    journeys.answer(mention(), desk)
    assert [one["text"] for one in office.slack.by_us("C1")] == [texts.WITHDRAWN]


def test_doctor_says_when_something_is_left(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", cache=tmp_path / "cache")
    servers = embedded.ensure(settings)
    assert forgetting(settings, servers).state is State.OK
    with open_space(settings, servers=servers) as space:
        keep_post(space.graph, "ask/C1/1.1", Posted("C1", "1.1"))
        call_in(space.graph, ["ask/C1/1.1"])
    assert forgetting(settings, servers).state is State.FAULT
    embedded.stop(servers)
