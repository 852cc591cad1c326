"""Decisions brought up to date: extracted from what was newly said, judged by what was newly committed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import structlog

from assistant.access import scope_along
from assistant.decisions.extract.by_rules import extract
from assistant.decisions.extract.chosen import RULES, chosen
from assistant.decisions.extract.protocol import Extractor
from assistant.decisions.flagged import with_flags
from assistant.decisions.reconcile import Case, basis, case, judge
from assistant.decisions.replaced import replaced, told
from assistant.graph.flags import call_in, standing_flags
from assistant.graph.reading.conversations import conversations, conversations_since
from assistant.graph.reading.linking import Past, commit_audiences
from assistant.graph.sources import heads
from assistant.graph.space import Space
from assistant.graph.store import Reader
from assistant.graph.writing import deciding
from assistant.graph.writing.deciding import Judgement, Stored, stored_decisions
from assistant.graph.writing.writer import sole_writer
from assistant.model.audiences import Scope
from assistant.settings import Settings

PART = 100
"""Decisions that are judged between two writes."""

Progress = Callable[[int, int], None]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ReconcileReport:
    """What a run did."""

    read: int
    """Conversations that were new or changed."""
    changed: int
    """Decisions that were new or changed."""
    judged: int
    """Decisions whose commits were looked for (again)."""
    decisions: int
    """All there are now."""


def reconcile_as_set(space: Space, settings: Settings, progress: Progress | None = None) -> ReconcileReport:
    """The same with the extractor and the waiting time that the settings name."""
    extractor, by = chosen(settings, log.warning)
    return reconcile(space, days=settings.chat_only_days, extractor=extractor, by=by, progress=progress)


def reconcile(
    space: Space,
    *,
    days: int,
    extractor: Extractor = extract,
    by: str = RULES,
    progress: Progress | None = None,
) -> ReconcileReport:
    """Extracts, links and compares whatever has changed since the last run; what has not is left alone.

    `days` is how long a decision may wait for its commit before it counts as chat-only; `by` names the extractor.
    Raises Retry while another process writes.
    """
    with sole_writer(space.graph) as revision:
        call_in(space.graph, revision)
        read, changed = _extract(space, extractor, by)
        judged = _judge(space, days, progress)
        count = _compare(space)
    return ReconcileReport(read, changed, judged, count)


def _extract(space: Space, extractor: Extractor, by: str) -> tuple[int, int]:
    """Reads the conversations that are new or changed; the cursor moves behind each part when it is written."""
    read = changed = 0
    by = f"{by}, kept in shape {deciding.SHAPE}"
    flags = standing_flags(space.reader)
    for cursor, part in conversations_since(space.reader, deciding.read_cursor(space.reader, by)):
        found = {talk.id: (talk, with_flags(talk, extractor(talk) if talk.utterances else (), flags)) for talk in part}
        changed += deciding.write_decisions(space.graph, found)
        read += len(part)
        deciding.move_cursor(space.graph, cursor, by)
    return read, changed


def _judge(space: Space, days: int, progress: Progress | None) -> int:
    """Judges the decisions for which anything that may matter has changed."""
    known_before = stored_decisions(space.reader)
    if not known_before:
        return 0
    lines = deciding.mainlines(space.reader)
    last = deciding.touched(space.reader, (name for one in known_before for name in one.lineages))
    waiting = [one for one in known_before if basis(one, lines, days, one.commits, one.lineages, last) != one.judged]
    known = heads(space.reader)
    for start in range(0, len(waiting), PART):
        cases = list(_cases(space, waiting[start : start + PART], known))
        done: list[Judgement] = []
        for number, (one, scope, past) in enumerate(_with_past(space.reader, cases, known), start + 1):
            done.append(judge(space.reader, past, one, scope, lines, days))
            if progress:
                progress(number, len(waiting))
        deciding.write_judgements(space.graph, done)
    return len(waiting)


def _compare(space: Space) -> int:
    """Finds which decisions replace others, unless all are as they were when that was found; how many there are."""
    after = stored_decisions(space.reader)
    before = {(one.id, other) for one in after for other in one.superseded}
    if told(after, before) != deciding.read_compared(space.reader):
        now = replaced(after)
        deciding.write_replaced(space.graph, now, before)
        deciding.keep_compared(space.graph, told(after, now))
    return len(after)


def _with_past(reader: Reader, cases: Sequence[Case], known: Mapping[str, int]) -> Iterator[tuple[Case, Scope, Past]]:
    """Each case with what everybody who may see it may read; cases that may read the same commits share their past."""
    words = {word for one in cases for word in (*one.words, *one.names)}
    anywhere = commit_audiences(reader)
    pasts: dict[frozenset[str], Past] = {}
    for one in cases:
        scope = scope_along((one.stored.audience,), known)
        visible = anywhere.intersection(scope.audiences)
        if visible not in pasts:
            pasts[visible] = Past(reader, replace(scope, audiences=tuple(sorted(visible))), words)
        yield one, scope, pasts[visible]


def _cases(space: Space, waiting: Sequence[Stored], known: Mapping[str, int]) -> Iterator[Case]:
    """The decisions with the conversations that they were settled in."""
    everybody = scope_along(sorted({one.audience for one in waiting}), known)
    names = sorted({one.decision.conversation for one in waiting})
    talks = {talk.id: talk for talk in conversations(space.reader, everybody, names)}
    return (case(one, talks[one.decision.conversation]) for one in waiting)
