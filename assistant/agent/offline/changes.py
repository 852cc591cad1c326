"""What changed lately or between two days, what a commit or request changed, and which changes may explain a metric."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.offline.asking import Asking, event, heading_line
from assistant.agent.offline.days import only_days
from assistant.agent.offline.histories import became, cited, turned
from assistant.agent.offline.past import Turn
from assistant.agent.offline.places import page_path
from assistant.agent.offline.wording import by, listed, place, quoted, sentence, titled
from assistant.agent.tools import commit_impact, recent_changes
from assistant.agent.tools.commit_impact import ImpactOf
from assistant.agent.tools.recent_changes import ChangesBetween
from assistant.graph.reading.commits import CommitRow, SectionChanged
from assistant.model.sections import ChangeKind
from assistant.model.times import micros
from assistant.text.words import content_tokens

LATELY = timedelta(days=14)
"""What “lately” means where the question does not say."""

WEEKS_BEFORE = timedelta(weeks=6)
"""How long before a metric moves a change of rules may explain it."""

FEW = 3
"""Up to so many commits the changed words are told, too."""

COMMITS, SECTIONS = 5, 2
"""At most this many commits are told, each with this many sections."""

SHA = re.compile(r"[0-9a-f]{7,40}|(?=.*[a-f])[0-9a-f]{6}")
"""What is read as a sha where a commit or a request is named; shorter numbers, and longer ones, are requests'."""

TOLD = (ChangeKind.ADDED, ChangeKind.MODIFIED, ChangeKind.REMOVED, ChangeKind.MOVED)
DID = {
    ChangeKind.ADDED: "added",
    ChangeKind.MODIFIED: "changed",
    ChangeKind.REMOVED: "removed",
    ChangeKind.MOVED: "moved",
}


def changed(asking: Asking) -> Draft | Refusal:
    """The latest changes in the asked stretch of time, of the page or topic that is named."""
    period = asking.intent.period
    after, until = (asking.now - LATELY, asking.now) if period is None else (period.start, period.close)
    if period is not None and period.lead in ("since", "after", "from"):
        after, until = (period.end if period.lead == "after" else period.start), asking.now
    subject = asking.intent.subject
    if only_days(subject) and period is None:
        return Refusal(f"I can't read {quoted(subject)} as a time: name it as “in March 2026” or “since 5 March 2026”.")
    path, topic = page_path(asking, asking.intent.page), "" if only_days(subject) else subject
    between = ChangesBetween(after=after, until=min(until, asking.now), topic=topic, path=path)
    changes = asking.run.call(recent_changes.TOOL, between)
    found = [change for change in changes.found if change.kind in TOLD]
    if not found:
        about = f" about {quoted(topic)}" if topic else f" in {path}" if path else ""
        return Refusal(
            f"Nothing changed{about} between {asking.date(changes.after)} and {asking.date(between.until)} "
            f"that I may tell of.{_unread(asking, after)}"
        )
    claims = list(_listed(asking, found))
    if changes.after > micros(after) and len({change.commit.sha for change in found}) <= COMMITS:
        last = claims[-1]
        text = f"{last.text} There may be more before: so many changes were made that I looked at the latest only."
        claims[-1] = event(text, last.citations)
    return tuple(claims)


def _unread(asking: Asking, after: datetime) -> str:
    """Where the asked stretch of time lies after all that was read: up to when that was."""
    if micros(after) <= asking.known:
        return ""
    return f" The handbook was last read up to its commit of {asking.date(asking.known)}."


def _listed(asking: Asking, found: Sequence[SectionChanged]) -> Iterable[DraftClaim]:
    """One line a commit, latest first."""
    by_commit: dict[str, list[SectionChanged]] = {}
    for change in found:
        by_commit.setdefault(change.commit.sha, []).append(change)
    for number, changes in enumerate(list(by_commit.values())[:COMMITS]):
        commit = changes[0].commit
        told = sorted(changes, key=lambda change: TOLD.index(change.kind))[:SECTIONS]
        turn = turn_of(asking, told[0], asking.intent.subject) if len(by_commit) <= FEW and len(told) == 1 else None
        if turn is not None:
            yield event(
                f"• {asking.date(commit.at)}, {by(commit, asking.links)}: {became(turn, asking.text)}.",
                cited(asking, turn),
            )
            continue
        what = listed([f"{place(change.section)} {DID[change.kind]}" for change in told])
        more = ", and more" if len(changes) > len(told) else ""
        text = f"• {asking.date(commit.at)}, {by(commit, asking.links)}, {titled(commit)}: {what}{more}."
        if number == COMMITS - 1 and len(by_commit) > COMMITS:
            text += " There were more before."
        sections = (asking.section(change.section, heading_line(change.section)) for change in told)
        yield event(text, (asking.commit(commit), *sections))


def impact(asking: Asking) -> Draft | Refusal:
    """What one commit or request changed: its most telling change of words, and what else it touched."""
    target = asking.intent.target
    named = ImpactOf(commit=target) if SHA.fullmatch(target) else ImpactOf(merge_request=target)
    found = [change for change in asking.run.call(commit_impact.TOOL, named) if change.kind in TOLD]
    if not found:
        return Refusal(f"I know of no change to the handbook by {quoted(target)}.")
    first = min(found, key=lambda change: TOLD.index(change.kind) if change.kind is not ChangeKind.MODIFIED else -1)
    head = f"{sentence(by(first.commit, asking.links))} on {asking.date(first.commit.at)}, {titled(first.commit)}: "
    turn = turn_of(asking, first, "")
    if turn is None:
        text = f"{head}{place(first.section)} {DID[first.kind]}."
        claims = [
            event(text, (asking.commit(first.commit), asking.section(first.section, heading_line(first.section))))
        ]
    else:
        claims = [event(f"{head}{became(turn, asking.text)}.", cited(asking, turn))]
    others = [change.section for change in found if change.section.id != first.section.id][:4]
    if others:
        sections = tuple(asking.section(other, heading_line(other)) for other in others)
        more = " and more" if len(found) > len(others) + 1 else ""
        claims.append(event(f"It also touched {listed([place(other) for other in others])}{more}.", sections))
    return tuple(claims)


def turn_of(asking: Asking, change: SectionChanged, about: str) -> Turn | None:
    """The words that a modification changed; None for other changes, and where no words differ."""
    if change.kind is not ChangeKind.MODIFIED:
        return None
    versions = asking.history(change.section)
    for before, after in pairwise(versions):
        if after.section.id == change.section.id:
            turn = turned(before, after, about)
            return turn if turn.old or turn.new else None
    return None


def explained(asking: Asking) -> Draft:
    """Changes of rules that name a metric in the weeks before it moved: they may explain it, and prove nothing.

    Empty where none does.
    """
    period, name = asking.intent.period, asking.intent.subject
    moved = asking.now if period is None else min(period.close, asking.now)
    began = moved if period is None else period.start
    between = ChangesBetween(after=began - WEEKS_BEFORE, until=moved, topic=name)
    found = [c for c in asking.run.call(recent_changes.TOOL, between).found if c.kind is not ChangeKind.COSMETIC]
    turns = [(turn, c.commit) for c in found[:20] if (turn := turn_of(asking, c, name)) is not None]
    turns.sort(key=lambda pair: -_naming(pair[0], name))
    if not turns or not content_tokens(name):
        return ()
    claims = [event(f"{_may(asking, commit)}{became(turn, name)}.", cited(asking, turn)) for turn, commit in turns[:1]]
    for turn, commit in turns[1:2]:
        text = f"So may {by(commit, asking.links)} on {asking.date(commit.at)}: {became(turn, name)}."
        claims.append(event(text, cited(asking, turn)))
    return tuple(claims)


def _may(asking: Asking, commit: CommitRow) -> str:
    return f"This may explain it, though nothing proves it: on {asking.date(commit.at)}, {by(commit, asking.links)}: "


def _naming(turn: Turn, name: str) -> int:
    """How many of the metric's words the changed words themselves name."""
    words = frozenset(content_tokens(name))
    said = " ".join(f"{unit.context} {unit.plain}" for unit in (turn.old, turn.new) if unit)
    return len(words & frozenset(content_tokens(said)))
