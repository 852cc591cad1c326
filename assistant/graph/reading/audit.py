"""Everything that an audit compares with its sources, read from the graph a stretch at a time. Reads only.

An audit goes through all that is there, whoever may see it: what it finds is for who runs the house.
"""

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from assistant.graph.store import Query, Reader

STRETCH = 2_000
"""Nodes read at a time, by the server's own numbers."""

LAST = Query("audit.last", "MATCH (n) RETURN max(id(n)) AS last", scans="an audit goes through everything by design")


@dataclass(frozen=True, slots=True)
class Section:
    """A version of a section, and the edges that hold it: ids of the nodes at their other ends."""

    id: str
    lineage: str
    source: str
    page: str
    path: str
    title: str
    heading: str
    heading_path: list[str]
    level: int
    anchor: str
    position: str
    text: str
    valid_from: int
    valid_to: int
    commit: str
    merge_request: str | None
    change: str
    audience: str | None
    tokens: str
    title_tokens: str
    pages: list[str]
    changed: list[list[str]]
    """Kind and commit's sha of each change to it."""
    supersedes: list[str]
    superseded: list[str]


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit and who and what it hangs on."""

    id: str
    source: str
    sha: str
    at: int
    committed_at: int
    author_name: str
    author_email: str
    subject: str
    merge_request: str | None
    audience: str | None
    authors: list[str]
    """Ids of persons."""
    requests: list[str]
    """Numbers of merge requests."""


@dataclass(frozen=True, slots=True)
class OwnersFile:
    """A version of an owner file."""

    id: str
    source: str
    path: str
    kind: str
    text: str
    valid_from: int
    valid_to: int
    given: bool | None
    """Given by hand instead of the repository's own."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody."""

    id: str
    name: str
    emails: list[str] | None
    handles: list[str] | None
    other_names: list[str] | None
    sources: list[str] | None
    """Which know them; None for who only wrote commits or asked."""
    keys: list[str] | None
    same_as: str | None


@dataclass(frozen=True, slots=True)
class Channel:
    """A room, and those who are in it now."""

    id: str
    name: str
    private: bool
    audience: str
    members: list[list[Any]]
    """Of each membership: the person's id, from when, till when, and what they may be called by there."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation and its utterances' ids."""

    id: str
    shown_id: str
    kind: str
    place: str
    place_name: str
    title: str
    audience: str | None
    started_at: int
    ended_at: int
    url: str | None
    conclusion: list[str]
    hash: str | None
    """Of all that was written; None since something was taken out of it."""
    decided: list[str] | None
    """Ids of the decisions that were found in it."""
    utterances: list[str]
    rooms: list[str]


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said, and who is tied to it."""

    id: str
    conversation: str
    number: int
    speaker: str
    person: str | None
    at: int
    text: str
    reply_to: str | None
    edited: bool
    bot: bool
    url: str | None
    files: list[str]
    reactions: str | None
    audience: str | None
    tokens: str
    persons: list[str]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with its edges."""

    id: str
    conversation: str | None
    shown_id: str
    kind: str
    place_name: str
    title: str
    audience: str | None
    statement: str
    utterance: str
    quote: str
    quote_speaker: str
    url: str | None
    supporting: list[str]
    decided_by: str | None
    decider: str | None
    at: int
    old_value: str | None
    new_value: str | None
    topic: str
    reasons: list[str]
    alternatives: list[str]
    replaces: str | None
    origin: str
    content: str
    tokens: str
    context: str
    seal: str | None
    """Of all the above as it was written."""
    carried: list[str] | None
    """Seals of its edges to commits, sorted; those of its edges to sections against it; ids of what it replaces."""
    opposed: list[str] | None
    replacing: list[str] | None
    conversations: list[str]
    persons: list[str]
    quotes: list[str]
    deciding: list[str]
    sections: list[str]
    """That it is about."""
    conflicts: list[list[str]]
    """Sections, each with the words against it."""
    replaced: list[str]
    links: list[list[Any]]
    """Of each edge to a commit: sha, source, section's id, added, removed, reference, whether the author spoke, from
    when to when its words stood, which commit ended it, whether it is told as the one, the commit's id, the score.
    """


@dataclass(frozen=True, slots=True)
class Answer:
    """A stored answer and the nodes it cites."""

    id: str
    body: str
    cites: list[str]


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What has been forgotten and may not come back: an utterance's id, or in Slack the room's and the message's."""

    id: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Where conversations were read from, and how."""

    id: str
    kind: str
    path: str
    audience: str | None
    until: int | None


EDGES: dict[type, dict[str, str]] = {
    Section: {
        "pages": "[(n)<-[h:HAS_SECTION]-(p) | p.id]",
        "changed": "[(n)<-[x:CHANGED]-(c) | [x.kind, c.sha]]",
        "supersedes": "[(n)-[u:SUPERSEDES]->(o) | o.id]",
        "superseded": "[(n)<-[v:SUPERSEDES]-(l) | l.id]",
    },
    Commit: {"authors": "[(n)-[a:AUTHORED_BY]->(p) | p.id]", "requests": "[(n)<-[g:MERGED_AS]-(m) | m.number]"},
    Conversation: {"utterances": "[(n)-[h:HAS_UTTERANCE]->(u) | u.id]", "rooms": "[(n)-[i:IN]->(r) | r.id]"},
    Channel: {"members": "[(n)<-[b:MEMBER_OF]-(p) | [p.id, b.valid_from, b.valid_to, b.keys]]"},
    Utterance: {"persons": "[(n)-[s:SPOKEN_BY]->(p) | p.id]"},
    Decision: {
        "conversations": "[(n)-[e1:DECIDED_IN]->(o1) | o1.id]",
        "persons": "[(n)-[e2:DECIDED_BY]->(o2) | o2.id]",
        "quotes": "[(n)-[e3:QUOTES]->(o3) | o3.id]",
        "deciding": "[(n)-[e4:QUOTES]->(o4) WHERE e4.deciding | o4.id]",
        "links": "[(n)-[e5:IMPLEMENTED_BY]->(o5) | "
        "[o5.sha, o5.source, e5.section, e5.added, e5.removed, e5.reference, e5.author_spoke, e5.valid_from, "
        "e5.valid_to, e5.ended_by, e5.first, o5.id, e5.score]]",
        "sections": "[(n)-[e6:ABOUT]->(o6) | o6.id]",
        "conflicts": "[(n)-[e7:CONFLICTS_WITH]->(o7) | [o7.id, e7.quote]]",
        "replaced": "[(n)-[e8:SUPERSEDES]->(o8) | o8.id]",
    },
    Answer: {"cites": "[(n)-[c:CITES]->(o) | o.id]"},
}
"""What is no property of the node itself. No two in one query share a name: the server would take them for one."""

T = TypeVar("T")


def _query(row: type[Any]) -> Query:
    edges = EDGES.get(row, {})
    columns = ", ".join(f"{edges.get(f.name, f'n.{f.name}')} AS {f.name}" for f in fields(row))
    return Query(
        f"audit.{row.__name__.lower()}",
        f"MATCH (n:{row.__name__}) WHERE id(n) >= $start AND id(n) < $stop RETURN {columns}",
    )


QUERIES: dict[type[Any], Query] = {
    row: _query(row)
    for row in (
        Section,
        Commit,
        OwnersFile,
        Person,
        Channel,
        Conversation,
        Utterance,
        Decision,
        Answer,
        Tombstone,
        Origin,
    )
}


def everything(reader: Reader, row: type[T]) -> list[T]:
    """All nodes of one kind."""
    [last] = reader.rows(LAST)
    end = -1 if last["last"] is None else last["last"]
    return [
        row(**found)
        for start in range(0, end + 1, STRETCH)
        for found in reader.rows(QUERIES[row], start=start, stop=start + STRETCH)
    ]
