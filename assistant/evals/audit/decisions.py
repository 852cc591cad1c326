"""Every decision rests on words that were said, by somebody of the conversation, before the room's own audience."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.heard import Heard
from assistant.graph.reading.audit import Conversation, Decision, Utterance
from assistant.model.ids import digest

WRITTEN = (
    *("id", "conversation", "shown_id", "kind", "place_name", "title", "audience", "statement", "utterance", "quote"),
    *("quote_speaker", "url", "supporting", "decided_by", "decider", "at", "old_value", "new_value", "topic"),
    *("reasons", "alternatives", "replaces", "origin", "content", "tokens", "context"),
)
"""What a seal is made of, in order."""

FLAGGED = "flagged by "
"""How the origin of a decision begins that somebody marked by hand, and whom they may have named as its decider."""


def check_decisions(
    decisions: Sequence[Decision], talks: Sequence[Conversation], utterances: Sequence[Utterance], heard: Heard
) -> Checked:
    """Counts every decision that is not hidden, and those that were written and are gone."""
    found = Checked("decisions")
    said = {one.id: one for one in utterances}
    by_id = {one.id: one for one in talks}
    for one in decisions:
        if one.audience is None and one.conversation is None:
            continue
        talk = by_id.get(one.conversation or "")
        found.look(one.id, _decided(one, talk, said, heard) if talk else ["its conversation is not there"])
    everything = {one.id for one in decisions}
    own: defaultdict[str, set[str]] = defaultdict(set)
    for one in decisions:
        own[one.conversation or ""].add(one.id)
    for talk in (each for each in talks if each.hash and each.decided is not None):
        for name in set(talk.decided or ()) - everything:
            found.missing(name, f"a decision of {talk.id} that the graph lacks")
        if set(talk.decided or ()) & everything != own[talk.id]:
            found.missing(talk.id, "holds other decisions than were written")
    return found


def _decided(one: Decision, talk: Conversation, said: Mapping[str, Utterance], heard: Heard) -> Iterator[str]:
    """What is wrong with one decision."""
    room = heard.rooms.get(talk.id)
    if room is None or one.audience != room.audience:
        yield f"audience {one.audience}, not {room.audience if room else 'known'}"
    if (one.place_name, one.title) != (talk.place_name, talk.title):
        yield "in another place"
    own = said.get(one.utterance)
    text = heard.texts.get(one.utterance, "")
    if own is None or own.conversation != talk.id or not one.quote.strip() or one.quote not in text:
        yield f"{one.quote!r} was not said there"
    elif one.quote_speaker != own.speaker:
        yield f"quotes {one.quote_speaker}, not {own.speaker}"
    there = [words for name in talk.utterances if (words := heard.texts.get(name))]
    for words in (*one.reasons, *one.alternatives):
        if not any(words in text for text in there):
            yield f"{words!r} was not said there"
    if one.at not in {each.at for name in talk.utterances if (each := said.get(name))}:
        yield "decided when nobody spoke"
    people = heard.people[talk.id]
    for name in (one.decided_by, one.decider):
        if name and name.lower() not in people and not one.origin.startswith(FLAGGED):
            yield f"{name} was not there"
    yield from _tied(one, talk)


def _tied(one: Decision, talk: Conversation) -> Iterator[str]:
    """What is wrong with a decision's edges."""
    if one.conversations != [talk.id]:
        yield f"decided in {one.conversations}"
    if one.persons != ([one.decider] if one.decider else []):
        yield f"decided by {one.persons}"
    if one.deciding != [one.utterance]:
        yield f"quotes {one.deciding}"
    if sorted(one.quotes) != sorted({one.utterance, *one.supporting}):
        yield "does not quote just what it rests on"
    if not set(one.supporting) <= set(talk.utterances):
        yield "rests on what was said elsewhere"
    if set(one.sections) != {row[2] for row in one.links} | {section for section, _ in one.conflicts}:
        yield "about other sections than those that it is linked to"
    yield from _sealed(one)


def _sealed(one: Decision) -> Iterator[str]:
    """What is not as it was written: properties, and edges that are gone, altered or more."""
    if one.seal != digest("written", json.dumps([getattr(one, name) for name in WRITTEN])):
        yield "not as it was written"
    links = [
        [one.id, commit, section, since, until, ended_by, first, added, removed, reference, spoke, round(score or 0, 6)]
        for _, _, section, added, removed, reference, spoke, since, until, ended_by, first, commit, score in one.links
    ]
    if one.carried is None or sorted(one.carried) != sorted(digest("written", json.dumps(row)) for row in links):
        yield "other links to commits than were written"
    against = [digest("written", json.dumps([one.id, *words])) for words in one.conflicts]
    if one.opposed is None or sorted(one.opposed) != sorted(against):
        yield "other words against it than were written"
    if sorted(one.replacing or ()) != sorted(one.replaced):
        yield "replaces other decisions than were written"
