"""What became of a decision, judged from the graph: the commits that carried it out, or the handbook against it."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from assistant.access import scope_along
from assistant.decisions.conflicts import Against, against
from assistant.decisions.link import AFTER, BEFORE, Weighed, Weights, carried_out, weigh, weights
from assistant.decisions.rows import moved_rows, names
from assistant.decisions.sought import Sought, sought
from assistant.graph.reading.commits import changes_of
from assistant.graph.reading.linking import SLOTS, Changed, likely_changes, spread
from assistant.graph.store import Reader
from assistant.graph.writing.deciding import Judgement, Stored
from assistant.model import ids
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation, ConversationKind
from assistant.model.decisions import Link

METHOD = "7"
"""Changes with the way of judging, so that what was judged another way is judged again."""

Mainlines = Mapping[str, tuple[Sequence[int], Sequence[str]]]


def basis(one: Stored, lines: Mainlines, days: int) -> str:
    """What a judgement rests on: the decision, and the last commit of its time in every source.

    A commit's sha stands for all before it, so that nothing else can change what is found.
    """
    end = one.decision.decided_at + AFTER
    last = []
    for source, (times, shas) in sorted(lines.items()):
        count = bisect_right(times, end)
        last.append(f"{source} {shas[count - 1] if count else ''}")
    return ids.digest(METHOD, one.content, str(days), *last)


def judge(
    reader: Reader, one: Stored, talk: Conversation, heads: Mapping[str, int], judged: str, days: int
) -> Judgement:
    """The commits that carried a decision out, or else what the handbook says against it.

    Reads only what everybody who may see the decision may read. `days` is how long it may wait for a commit.
    """
    scope = scope_along((one.audience,), heads)
    wanted = sought(one.decision, talk)
    links = _by_rows(reader, scope, one, talk) if talk.kind is ConversationKind.MINUTES else ()
    opposed: Sequence[Against] = ()
    if not links:
        marks = wanted.words(SLOTS)
        about = weights(wanted, marks, *spread(reader, scope, wanted.at - BEFORE, wanted.at + AFTER, marks))
        links = _by_edits(reader, scope, one, talk, wanted, about)
        opposed = () if links else against(reader, scope, wanted, about, wanted.at + AFTER)
    waits = wanted.at + days * 86_400_000_000
    return Judgement(one.id, links, tuple((each.section.id, each.quote) for each in opposed), judged, waits)


def _by_edits(
    reader: Reader, scope: Scope, one: Stored, talk: Conversation, wanted: Sought, about: Weights
) -> tuple[Link, ...]:
    """The commit that edited sentences as decided; for minutes, of which most items change nothing, only clearly."""
    start, end = wanted.at - BEFORE, wanted.at + AFTER
    weighed = weigh(wanted, about, likely_changes(reader, scope, start, end, about.of))
    found = [each for each in carried_out(weighed) if not undone(reader, scope, each)]
    if talk.kind is ConversationKind.MINUTES and not (found and found[0].clear):
        return ()
    return tuple(Link(one.id, commit_node(each.change), each.evidence()) for each in found)


def _by_rows(reader: Reader, scope: Scope, one: Stored, talk: Conversation) -> tuple[Link, ...]:
    """The commit that moved a row as an item of minutes says."""
    start, end = one.decision.decided_at - BEFORE, one.decision.decided_at + AFTER
    named = dict.fromkeys(sorted(set().union(*names(one.decision, talk))), 1.0)
    if not named or not one.decision.new_value:
        return ()
    rows = moved_rows(one.decision, talk, likely_changes(reader, scope, start, end, dict(list(named.items())[:SLOTS])))
    return tuple(Link(one.id, commit_node(row.change), row.evidence()) for row in rows[:1])


def commit_node(change: Changed) -> str:
    """Id of the commit in the graph."""
    return ids.digest("commit", change.commit.source, change.commit.sha)


def undone(reader: Reader, scope: Scope, linked: Weighed) -> bool:
    """Whether the change was taken back within its time, and not made again."""
    edit, commit = linked.edit, linked.change.commit
    if not edit.before or not edit.after:
        return False
    stands = True
    for change in changes_of(reader, scope, linked.change.lineage):
        if commit.at < change.commit.at <= commit.at + AFTER:
            text = change.section.text
            if edit.after in text:
                stands = True
            elif edit.before in text:
                stands = False
    return not stands
