"""How good and how fast the rules extractor is on labelled conversations: `python -m tests.bench.decisions DATA`.

DATA holds `slack-export/`, `zoom/` and `labels.jsonl`. It prints in-sample figures of the shipped weights with what
follows from them (speaker, value), and the seconds that an hour of meeting takes. Speed is told by the clock and, since
other work on the machine slows that, by the processor's time.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from assistant.decisions.extract.by_rules import extract
from assistant.model.conversations import Conversation, ConversationKind
from assistant.model.decisions import Extracted
from assistant.text.spans import numbers
from workers.train_decisions import conversations, decided, labels

AN_HOUR = 600
"""Utterances of a lively hour; the meetings of the development set have 7 to 10 a minute."""


def says(found: Extracted, row: dict[str, Any]) -> bool:
    """Whether the new value of the label stands in the decision, as a number or in words."""
    wanted, told = str(row["new_value"]), f"{found.statement} {found.new_value or ''}"
    counted = {number.rstrip("%") for number in numbers(wanted)}
    return wanted.casefold() in told.casefold() or bool(counted and counted <= {x.rstrip("%") for x in numbers(told)})


def main() -> None:
    """Prints the figures."""
    data = Path(sys.argv[1])
    known, talks = {row["id"]: row for row in labels(data)}, list(conversations(data))
    begun, begun_of_ours = time.perf_counter(), time.process_time()
    told = [(talk, extract(talk)) for talk in talks]
    seconds, ours = time.perf_counter() - begun, time.process_time() - begun_of_ours
    right = wrong = speakers = valued = with_value = 0
    for talk, found in told:
        place = {item.id: ids for item, ids in zip(talk.utterances, decided(talk, list(known.values())), strict=True)}
        for one in found:
            waiting = place[one.utterance]
            if not waiting:
                wrong += 1
                continue
            row = known[waiting.pop(0)]
            right += 1
            speakers += one.decided_by == row["decided_by"]
            with_value += bool(row.get("new_value"))
            valued += bool(row.get("new_value")) and says(one, row)
    spoken = sum(len(talk.utterances) for talk in talks)
    typer.echo(f"recall {right}/{len(known)}, precision {right}/{right + wrong}")
    typer.echo(f"speaker {speakers}/{right}, new value told {valued}/{with_value}")
    typer.echo(f"{spoken / seconds:,.0f} utterances/s, {spoken / ours:,.0f} a second of the processor's time")
    typer.echo(f"an hour of meeting {hour(talks):.2f} s of the processor's time")


def hour(talks: list[Conversation]) -> float:
    """Seconds of the processor's time for an hour of meeting."""
    said = [item for talk in talks if talk.kind is ConversationKind.MEETING for item in talk.utterances][:AN_HOUR]
    meeting = replace(talks[-1], utterances=tuple(replace(item, id=str(n)) for n, item in enumerate(said)))
    begun = time.process_time()
    extract(meeting)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
