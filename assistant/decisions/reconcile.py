"""What became of a decision, judged from the graph: the commits that carried it out, or the handbook against it."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from assistant.access import scope_along
from assistant.decisions.conflicts import Against, against
from assistant.decisions.link import AFTER, BEFORE, DAY, Weighed, Weights, carried_out, weigh, weights
from assistant.decisions.rows import Moved, moved_rows, names
from assistant.decisions.sought import Sought, sought
from assistant.decisions.taken_back import Carried, Turn, held
from assistant.graph.reading.commits import CommitRow
from assistant.graph.reading.linking import SLOTS, likely_changes, reverts, spread
from assistant.graph.store import Reader
from assistant.graph.writing.deciding import Judgement, Mainline, Stored, touched
from assistant.model import ids
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation, ConversationKind
from assistant.model.decisions import Link
from assistant.model.times import FOREVER

METHOD = "8"
"""Changes with the way of judging, so that what was judged another way is judged again."""

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


def judge(
    reader: Reader, one: Stored, talk: Conversation, heads: Mapping[str, int], lines: Mainlines, days: int
) -> Judgement:
    """The commits that carried a decision out, or else what the handbook says against it.

    Reads only what everybody who may see the decision may read. `days` is how long it may wait for a commit.
    """
    scope = scope_along((one.audience,), heads)
    wanted = sought(one.decision, talk)
    found: Sequence[Carrying] = _by_rows(reader, scope, one, talk) if talk.kind is ConversationKind.MINUTES else ()
    about: Weights | None = None
    if not found:
        about = _about(reader, scope, wanted)
        found = _by_edits(reader, scope, talk, wanted, about)
    told = list(_links(reader, scope, one, found))
    links = tuple(link for link, _ in told)
    opposed: Sequence[Against] = ()
    if all(link.valid_to < FOREVER for link in links):
        about = about or _about(reader, scope, wanted)
        until = max((wanted.at + AFTER, *(link.valid_to for link in links)))
        opposed = against(reader, scope, wanted, about, until)
    lineages = {each.change.lineage for each in found} | {each.section.lineage for each in opposed}
    commits = {sha for _, sha in told}
    return Judgement(
        one.id,
        links,
        tuple((each.section.id, each.quote) for each in opposed),
        basis(one, lines, days, commits, lineages, touched(reader, lineages)),
        wanted.at + days * DAY,
    )


def _about(reader: Reader, scope: Scope, wanted: Sought) -> Weights:
    marks = wanted.words(SLOTS)
    return weights(wanted, marks, *spread(reader, scope, wanted.at - BEFORE, wanted.at + AFTER, marks))


def _by_edits(reader: Reader, scope: Scope, talk: Conversation, wanted: Sought, about: Weights) -> list[Weighed]:
    """The commits that edited sentences as decided; for minutes, of which most items change nothing, only clearly."""
    start, end = wanted.at - BEFORE, wanted.at + AFTER
    found = carried_out(weigh(wanted, about, likely_changes(reader, scope, start, end, about.of)))
    if talk.kind is ConversationKind.MINUTES and not (found and found[0].clear):
        return []
    return found


def _by_rows(reader: Reader, scope: Scope, one: Stored, talk: Conversation) -> list[Moved]:
    """The commit that moved a row as an item of minutes says."""
    start, end = one.decision.decided_at - BEFORE, one.decision.decided_at + AFTER
    named = dict.fromkeys(sorted(set().union(*names(one.decision, talk))), 1.0)
    if not named or not one.decision.new_value:
        return []
    rows = moved_rows(one.decision, talk, likely_changes(reader, scope, start, end, dict(list(named.items())[:SLOTS])))
    return rows[:1]


def _links(reader: Reader, scope: Scope, one: Stored, found: Sequence[Carrying]) -> Iterator[tuple[Link, str]]:
    """Each commit found, for as long as its words stood, and each that brought them back, with their shas."""
    said = reverts(reader, scope) if found else []
    there = {(each.change.commit.sha, each.change.lineage) for each in found}
    for each in found:
        change = each.change
        first = change.commit.sha == found[0].change.commit.sha
        again = [Turn(o.change.commit, True, o.change.section) for o in found if o.change.lineage == change.lineage]
        carried = Carried(change.commit, change.lineage, each.edit)
        for stretch in held(reader, scope, carried, again, said):
            times = stretch.since, stretch.until, stretch.ended_by
            yield Link(one.id, commit_node(change.commit), each.evidence(), first, *times), change.commit.sha
            turn = stretch.begun
            if turn and turn.section and (turn.commit.sha, change.lineage) not in there:
                words = replace(each.evidence(), removed=(), reference=None, author_spoke=False, section=turn.section)
                yield Link(one.id, commit_node(turn.commit), words, False, *times), turn.commit.sha


def commit_node(commit: CommitRow) -> str:
    """Id of the commit in the graph."""
    return ids.digest("commit", commit.source, commit.sha)
