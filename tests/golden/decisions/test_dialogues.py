"""Short dialogues, each of one kind of decision or of what only looks like one; none of them was trained on."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.decisions.extract.by_rules import extract
from assistant.decisions.training.kinds import conversation, dialogues
from assistant.model.conversations import Conversation
from assistant.model.decisions import Extracted

DIALOGUES = json.loads((Path(__file__).parent / "dialogues.json").read_text(encoding="utf-8"))


def read(made: dict[str, Any]) -> Conversation:
    """With its programs marked as such, as connectors do."""
    talk = conversation(made)
    spoken = tuple(replace(item, bot=item.speaker.name.endswith("Bot")) for item in talk.utterances)
    return replace(talk, utterances=spoken)


def index(talk: Conversation, found: Extracted) -> int:
    return [item.id for item in talk.utterances].index(found.utterance)


@pytest.mark.parametrize("made", DIALOGUES, ids=lambda made: made["name"])
def test_what_was_settled_and_nothing_else(made: dict[str, Any]) -> None:
    talk = read(made)
    found = extract(talk)
    assert [index(talk, one) for one in found] == made["decides"]
    for one, expected in zip(found, made["expect"], strict=True):
        assert one.quote == talk.utterances[expected["at"]].text
        if "by" in expected:
            assert one.decided_by == expected["by"]
        if expected.get("new"):
            assert one.new_value is not None and expected["new"] in one.new_value
        if "old" in expected:
            assert one.old_value is not None and expected["old"] in one.old_value
        if "says" in expected:
            assert expected["says"] in one.statement
        if "replaces" in expected:
            assert one.supersedes_utterance == talk.utterances[expected["replaces"]].id


def test_nothing_here_was_trained_on() -> None:
    trained = {item.text for talk, _ in dialogues() for item in talk.utterances if len(item.text) > 30}
    assert not trained & {line[1] for made in DIALOGUES for line in made["lines"]}
