"""Every decision rests on words that were said, by somebody of the conversation, before the room's own audience; and
every link to a commit on words that its diff really shows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.repository import Repository
from assistant.evals.audit.utterances import Heard
from assistant.graph.reading.audit import Commit, Conversation, Decision, Section, Utterance

WORD = re.compile(r"[^\W_]+")


def check_decisions(
    decisions: Sequence[Decision], talks: Sequence[Conversation], utterances: Sequence[Utterance], heard: Heard
) -> Checked:
    """Counts every decision that is not hidden."""
    found = Checked("decisions")
    said = {one.id: one for one in utterances}
    by_id = {one.id: one for one in talks}
    for one in decisions:
        if one.audience is None and one.conversation is None:
            continue
        talk = by_id.get(one.conversation or "")
        found.look(one.id, _decided(one, talk, said, heard) if talk else ["its conversation is not there"])
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
        if name and name.lower() not in people:
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


def check_links(
    repositories: Mapping[str, Repository],
    decisions: Sequence[Decision],
    sections: Sequence[Section],
    commits: Sequence[Commit],
    heard: Heard,
) -> Checked:
    """Counts every link. `repositories` are by source."""
    found = Checked("links")
    by_id = {one.id: one for one in sections}
    known = {(one.source, one.sha): one for one in commits}
    for one in decisions:
        for sha, source, name, added, removed, reference, spoke in one.links:
            section, commit = by_id.get(name), known.get((source, sha))
            thing = f"{one.id} {str(sha)[:12]}"
            if section is None or commit is None or source not in repositories:
                found.missing(thing, "its section or commit is not there")
                continue
            email = {commit.author_email, commit.author_name.lower()}
            wrong = list(_shown(repositories[source], section, str(sha), added or [], removed or []))
            if spoke and not email & heard.people[one.conversation or ""]:
                wrong.append(f"{commit.author_name} did not speak")
            if str(reference or "").startswith("#") and reference != f"#{commit.merge_request}":
                wrong.append(f"it came by request {commit.merge_request}, not {reference}")
            found.look(thing, wrong)
    return found


def _shown(
    repository: Repository, section: Section, sha: str, added: Sequence[str], removed: Sequence[str]
) -> Iterator[str]:
    """What of the evidence the diff does not show. Evidence is what was decided, then the words of the edit."""
    if sha not in {commit for _, commit in section.changed}:
        yield "the commit did not change the section"
    if not added and not removed:
        yield "no evidence"
    files = [section.path]
    plus, minus = repository.shown(sha, files)
    if removed and not all(any(words in line for line in minus) for words in removed[1:] if words):
        plus, minus = repository.shown(sha, [])
    for words in filter(None, added[1:]):
        if not any(words in line for line in plus):
            yield f"{words[:80]!r} is not in the lines it added"
    for words in filter(None, removed[1:]):
        if not any(words in line for line in minus):
            yield f"{words[:80]!r} is not in the lines it took away"
    for told in (added, removed):
        if len(told) > 1 and not stems(told[0]) & stems(" ".join(told[1:])):
            yield f"{told[0]!r} is not in {told[1][:80]!r}"


NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}


def stems(text: str) -> set[str]:
    """Words by their first four letters, numbers as numbers, also those written in words."""
    found = set()
    number: int | None = None
    for word in WORD.findall(re.sub(r"(?<=\d),(?=\d)", "", text.casefold())):
        digits = re.match(r"\d+", word)
        found.add(digits[0] if digits else word[:4])
        number = counted(number, word)
        if number is not None:
            found.add(str(number))
    return found


def counted(before: int | None, word: str) -> int | None:
    """The number that words make up to here: `eighteen` `fifty` 1850, `two` `thousand` 2000; None for no number."""
    if word in ("hundred", "thousand"):
        return (before or 1) * (100 if word == "hundred" else 1000)
    value = NUMBERS.get(word)
    if value is None or not before:
        return value
    if before % 100 == 0 or (before % 10 == 0 and value < 10):
        return before + value
    return before * 100 + value if before >= 10 else value
