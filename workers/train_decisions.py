"""Trains the weights of the rules extractor, or tells how good they are on conversations they were not made from.

    python -m workers.train_decisions DATA              # two-fold figures, by conversation
    python -m workers.train_decisions DATA --write      # and writes assistant/decisions/extract/weights.json

DATA holds `slack-export/`, `zoom/` and `labels.jsonl`; assistant/decisions/training/recipe.md says what is in them.
"""

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from assistant.decisions.extract.features import rows, said
from assistant.decisions.extract.weights import Weights
from assistant.decisions.training.fit import Example, fit
from assistant.decisions.training.kinds import examples as own_dialogues
from assistant.model.conversations import Conversation, Identity, Speaker
from connectors.slack.export import open_export
from connectors.zoom.recordings import open_folders

ROUNDS = 5
"""Different cuts into two halves."""
WEIGHTS = Path(__file__).parent.parent / "assistant/decisions/extract/weights.json"


def conversations(data: Path) -> Iterator[Conversation]:
    """Those of the Slack export and of the Zoom folders below DATA."""

    def naming(who: Identity) -> Speaker:
        return Speaker(who.name, who.id)

    yield from open_export(data / "slack-export").read(naming).conversations
    for folder in open_folders(data / "zoom"):
        yield from folder.read(naming).conversations


def labels(data: Path) -> list[dict[str, Any]]:
    """Rows of labels.jsonl that name a deciding utterance."""
    rows_of = map(json.loads, (data / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    return [row for row in rows_of if row.get("quote")]


def decided(conversation: Conversation, known: Sequence[dict[str, Any]]) -> list[list[str]]:
    """For each utterance the ids of the labels that it is the deciding one of."""
    where = conversation.shown_id.partition("/")[0]
    here = [row for row in known if row["conversation"].partition("/")[0] == where]
    return [
        [
            row["id"]
            for row in here
            if (item.id.endswith("/" + row["quote_ref"]) if where.startswith("slack") else item.text == row["quote"])
        ]
        for item in conversation.utterances
    ]


def labelled(data: Path) -> list[Example]:
    """Every conversation as an example."""
    known = labels(data)
    return [
        Example(talk.shown_id, rows(talk, said(talk.utterances)), [bool(ids) for ids in decided(talk, known)])
        for talk in conversations(data)
    ]


def figures(weights: Weights, examples: Sequence[Example]) -> tuple[int, int, int]:
    """Decisions found right, found in all, and there to be found."""
    hits = found = there = 0
    for example in examples:
        there += sum(example.decides)
        if not example.rows:
            continue
        odds = weights.log_odds(example.rows)
        best = max(range(len(odds)), key=lambda at: odds[at])
        taken = [at for at, value in enumerate(odds) if value >= (weights.first if at == best else weights.further)]
        hits += sum(example.decides[at] for at in taken)
        found += len(taken)
    return hits, found, there


def main() -> None:
    """Prints recall and precision of the deciding utterances, each conversation judged by weights made without it."""
    data, own = Path(sys.argv[1]), own_dialogues()
    examples = labelled(data)
    for turn in range(ROUNDS):
        order = random.Random(turn).sample(examples, len(examples))
        halves = order[::2], order[1::2]
        counts = [figures(fit([*halves[1 - n], *own]), halves[n]) for n in (0, 1)]
        hits, found, there = (sum(column) for column in zip(*counts, strict=True))
        typer.echo(f"round {turn}: recall {hits / there:.3f} ({hits}/{there}), precision {hits / max(1, found):.3f}")
    weights = fit([*examples, *own])
    hits, found, there = figures(weights, examples)
    typer.echo(f"in sample: recall {hits / there:.3f}, precision {hits / max(1, found):.3f}")
    if "--write" in sys.argv:
        told = {"bias": weights.bias, "first": weights.first, "further": weights.further, "weights": weights.by_name}
        WEIGHTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
