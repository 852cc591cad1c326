"""What a channel's people chose: whether we answer there, and whether what is said there is recorded.

Every choice is kept with its author and moment; the newest counts. Where nobody chose, we answer and record nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from assistant.graph.store import Graph, Query, Reader
from assistant.model.audiences import channel_audience
from assistant.model.ids import digest
from assistant.model.times import micros, moment

CHOOSE = Query(
    "consent.choose",
    "MERGE (c:ConsentChoice {id: $id}) "
    "SET c.channel = $channel, c.mode = $mode, c.by = $by, c.at = $at, c.audience = $audience",
)
OF_CHANNEL = Query(
    "consent.of_channel",
    "MATCH (c:ConsentChoice {channel: $channel}) "
    "RETURN c.channel AS channel, c.mode AS mode, c.by AS by, c.at AS at ORDER BY c.at, c.id",
)
ALL = Query(
    "consent.all",
    "MATCH (c:ConsentChoice) RETURN c.channel AS channel, c.mode AS mode, c.by AS by, c.at AS at ORDER BY c.at, c.id",
    scans="choices are few, and the trail of all channels is wanted",
)


OUTSIDERS = "outsiders came"
"""Who chose, where we stopped recording by ourselves because guests or another company came in."""


class Mode(StrEnum):
    """What we do in a channel."""

    OFF = "off"
    """Neither answer nor record."""
    ANSWER = "answer"
    """Answer, record nothing: also where nobody chose."""
    RECORD = "record"
    """Answer, and record what is said."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice, as its author made it."""

    channel: str
    mode: Mode
    by: str
    """A chat's user id, `command line`, or OUTSIDERS."""
    at: datetime


def set_mode(graph: Graph, channel: str, mode: Mode, by: str, at: datetime) -> None:
    """Keeps a choice; the same one again changes nothing."""
    graph.write(
        CHOOSE,
        id=digest("consent", channel, mode, by, str(micros(at))),
        channel=channel,
        mode=mode,
        by=by,
        at=micros(at),
        audience=channel_audience(channel),
    )


def mode_of(reader: Reader, channel: str) -> Mode:
    """What holds in a channel now."""
    made = choices(reader, channel)
    return made[-1].mode if made else Mode.ANSWER


def choices(reader: Reader, channel: str | None = None) -> list[Choice]:
    """Every choice, of one channel or of all, oldest first."""
    rows = reader.rows(ALL) if channel is None else reader.rows(OF_CHANNEL, channel=channel)
    return [Choice(row["channel"], Mode(row["mode"]), row["by"], moment(row["at"])) for row in rows]
