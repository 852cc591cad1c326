"""What became of a decision, judged from the graph: the commits that carried it out, or the handbook against it."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.decisions.conflicts import Against, against
from assistant.decisions.link import AFTER, BEFORE, DAY, Weighed, Weights, carried_out, weigh, weights
from assistant.decisions.rows import Moved, moved_rows, names
from assistant.decisions.sought import Sought, sought
from assistant.decisions.taken_back import Carried, Turn, held
from assistant.graph.reading.commits import CommitRow
from assistant.graph.reading.linking import Past
from assistant.graph.store import Reader
from assistant.graph.writing.deciding import Judgement, Mainline, Stored, touched
from assistant.model import ids
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation, ConversationKind
from assistant.model.decisions import Link
from assistant.model.times import FOREVER

METHOD = "10"
"""Changes with the way of judging, so that what was judged another way is judged again."""

WORDS = 80
"""Words by which changes are looked for."""
LIKELY = 60
"""Changes that are weighed: in the made conversations the right one is always among the 40 with most of the words."""

Carrying = Weighed | Moved
Mainlines = Mapping[str, Mainline]


def basis(
    one: Stored,
    lines: Mainlines,
    days: int,
    commits: Collection[str],
    lineages: Collection[str],
    last: Mapping[str, str],
) -> str:
    """What a judgement rests on: the decision, the last commit of its time in every source, and what came later of it.

    A commit's sha stands for all before it. `commits` are those that it is linked to, `lineages` the sections where:
    what took them back may come at any time.
    """
    end = one.decision.decided_at + AFTER
    known = []
    for source, line in sorted(lines.items()):
        count = bisect_right(line.times, end)
        known.append(f"{source} {line.shas[count - 1] if count else ''}")
        known += [sha for sha, of in line.reverts if any(own.startswith(named) for named in of for own in commits)]
    later = [f"{lineage} {last.get(lineage)}" for lineage in sorted(lineages)]
    return ids.digest(METHOD, one.content, str(days), *known, *later)


@dataclass(frozen=True, slots=True)
class Case:
    """A decision to be judged, where it was settled, and what is looked for."""

    stored: Stored
    talk: Conversation
    wanted: Sought
    words: tuple[str, ...]
    """Marks that say best what it is about."""
    names: tuple[str, ...]
    """For minutes: search tokens of what it may have put into another row."""

    @property
    def start(self) -> int:
        """When commits may begin to carry it out, microseconds."""
        return self.wanted.at - BEFORE

    @property
    def end(self) -> int:
        """Until when they may."""
        return self.wanted.at + AFTER


def case(stored: Stored, talk: Conversation) -> Case:
    """What is looked for."""
    wanted, rows = sought(stored.decision, talk), talk.kind is ConversationKind.MINUTES and stored.decision.new_value
    named = sorted(set().union(*names(stored.decision, talk))) if rows else []
    return Case(stored, talk, wanted, tuple(wanted.words(WORDS)), tuple(named[:WORDS]))


def judge(reader: Reader, past: Past, one: Case, scope: Scope, lines: Mainlines, days: int) -> Judgement:
    """The commits that carried a decision out, or else what the handbook says against it.

    `past` and `scope` are what everybody who may see the decision may read. `days` is how long it may wait for a
    commit.
    """
    found: Sequence[Carrying] = _by_rows(past, one)
    about: Weights | None = None
    if not found:
        about = _about(past, one)
        found = _by_edits(past, one, about)
    told = list(_links(reader, past, scope, one.stored, found))
    links = tuple(link for link, _ in told)
    opposed: Sequence[Against] = ()
    if all(link.valid_to < FOREVER for link in links):
        until = max((one.end, *(link.valid_to for link in links)))
        opposed = against(reader, scope, one.wanted, about or _about(past, one), until)
    lineages = {each.change.lineage for each in found} | {each.section.lineage for each in opposed}
    commits = {sha for _, sha in told}
    return Judgement(
        one.stored.id,
        links,
        tuple((each.section.id, each.quote) for each in opposed),
        basis(one.stored, lines, days, commits, lineages, touched(reader, lineages)),
        one.wanted.at + days * DAY,
    )


def _about(past: Past, one: Case) -> Weights:
    return weights(one.wanted, one.words, *past.spread(one.start, one.end, one.words))


def _by_edits(past: Past, one: Case, about: Weights) -> list[Weighed]:
    """The commits that edited sentences as decided; for minutes, of which most items change nothing, only clearly."""
    found = carried_out(weigh(one.wanted, about, past.likely(one.start, one.end, about.of, LIKELY, dense=True)))
    if one.talk.kind is ConversationKind.MINUTES and not (found and found[0].clear):
        return []
    return found


def _by_rows(past: Past, one: Case) -> list[Moved]:
    """The commit that moved a row as an item of minutes says."""
    if not one.names:
        return []
    likely = past.likely(one.start, one.end, dict.fromkeys(one.names, 1.0), dense=False)
    return moved_rows(one.stored.decision, one.talk, likely)[:1]


def _links(
    reader: Reader, past: Past, scope: Scope, one: Stored, found: Sequence[Carrying]
) -> Iterator[tuple[Link, str]]:
    """Each commit found, for as long as its words stood, and each that brought them back, with their shas."""
    there = {(each.change.commit.sha, each.change.lineage) for each in found}
    for each in found:
        change = each.change
        first = change.commit.sha == found[0].change.commit.sha
        again = [Turn(o.change.commit, True, o.change.section) for o in found if o.change.lineage == change.lineage]
        carried = Carried(change.commit, change.lineage, each.edit)
        for stretch in held(reader, scope, carried, again, past.reverts):
            times = stretch.since, stretch.until, stretch.ended_by
            yield Link(one.id, commit_node(change.commit), each.evidence(), first, *times), change.commit.sha
            turn = stretch.begun
            if turn and turn.section and (turn.commit.sha, change.lineage) not in there:
                there.add((turn.commit.sha, change.lineage))
                words = replace(each.evidence(), removed=(), reference=None, author_spoke=False, section=turn.section)
                yield Link(one.id, commit_node(turn.commit), words, False, *times), turn.commit.sha


def commit_node(commit: CommitRow) -> str:
    """Id of the commit in the graph."""
    return ids.digest("commit", commit.source, commit.sha)
