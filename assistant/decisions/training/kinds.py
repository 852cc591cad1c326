"""Our own dialogues, one of each kind of decision and of what looks like one: training/kinds.json."""

import json
from importlib.resources import files
from typing import Any

from assistant.decisions.extract.features import rows, said
from assistant.decisions.training.fit import Example
from assistant.model.conversations import Conversation, ConversationKind, Reaction, Speaker, Utterance

MINUTE = 60 * 10**6


def dialogues(text: str | None = None) -> list[tuple[Conversation, frozenset[int]]]:
    """Each with the indexes of the utterances that decide; TEXT is a JSON list of the same shape."""
    if text is None:
        text = (files("assistant.decisions.training") / "kinds.json").read_text(encoding="utf-8")
    return [(conversation(made), frozenset(made["decides"])) for made in json.loads(text)]


def conversation(made: dict[str, Any]) -> Conversation:
    """One dialogue: `{name, kind, title, lines: [[speaker, text, {reaction: [names]}?]], decides}`."""
    name = f"made:{made['name']}"
    lines = [(line[0], line[1], line[2] if len(line) > 2 else {}) for line in made["lines"]]
    utterances = tuple(
        Utterance(
            f"{name}/{at}",
            Speaker(who, None),
            at * MINUTE,
            text,
            reactions=tuple(Reaction(emoji, tuple(Speaker(x, None) for x in by)) for emoji, by in marks.items()),
        )
        for at, (who, text, marks) in enumerate(lines)
    )
    kind = ConversationKind(made["kind"])
    return Conversation(name, name, kind, name, name, made["title"], "public", 0, utterances)


def examples() -> list[Example]:
    """The dialogues as numbers."""
    return [
        Example(made.id, rows(made, said(made.utterances)), [at in decides for at in range(len(made.utterances))])
        for made, decides in dialogues()
    ]
