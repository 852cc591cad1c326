"""What became of decisions, judged from the graph: each by itself for its commits, all together for who replaces whom."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from assistant.access import scope_along
from assistant.decisions.conflicts import against
from assistant.decisions.link import AFTER, BEFORE, Weighed, carried_out, weigh, weights
from assistant.decisions.sought import sought
from assistant.graph.commits import changes_of
from assistant.graph.deciding import Judgement, Stored
from assistant.graph.linking import SLOTS, likely_changes, spread
from assistant.graph.store import Reader
from assistant.model import ids
from assistant.model.audiences import Scope
from assistant.model.conversations import Conversation
from assistant.model.decisions import Link

METHOD = "4"
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
    start, end = wanted.at - BEFORE, wanted.at + AFTER
    words = wanted.words(SLOTS)
    about = weights(wanted, words, *spread(reader, scope, start, end, words))
    weighed = weigh(wanted, about, likely_changes(reader, scope, start, end, about.of))
    found = [one for one in carried_out(weighed) if not undone(reader, scope, one)]
    links = tuple(Link(one.id, commit_node(linked), linked.evidence()) for linked in found)
    opposed = () if links else against(reader, scope, wanted, end)
    waits = wanted.at + days * 86_400_000_000
    return Judgement(one.id, links, tuple((each.section.id, each.quote) for each in opposed), judged, waits)


def commit_node(linked: Weighed) -> str:
    """Id of the commit in the graph."""
    return ids.digest("commit", linked.change.commit.source, linked.change.commit.sha)


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


def replaced(decisions: Sequence[Stored]) -> set[tuple[str, str]]:
    """Pairs of decisions, the later one first, of which the later takes the earlier one's place."""
    by_utterance = {one.decision.utterance: one for one in decisions}
    pairs = set()
    for one in decisions:
        earlier = by_utterance.get(one.decision.supersedes_utterance or "")
        if earlier and earlier.id != one.id:
            pairs.add((one.id, earlier.id))
    return pairs
