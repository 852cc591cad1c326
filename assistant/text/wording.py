"""Whether an edit touched what a section says, or only how it is written."""

from collections import Counter
from collections.abc import Sequence

from assistant.model.sections import Block, ChangeKind
from assistant.text.meaning import code_spans, meaning
from assistant.text.spelling import english, is_respelled

_ARTICLES = frozenset(("a", "the"))
_AFTER_ARTICLE = frozenset("few little lot bit couple number most rest first second third last same other only".split())
"""With an article these words say something else than without."""
_UNJOINED = frozenset(("a", "no", "not", "never", "every", "some", "any", "may"))
"""Words that, joined to the next one, can make a word of another meaning (not able, notable)."""
_IS_SHORT = frozenset("it he she that this what who there here where how when let".split())
"""Words whose 's is a word of its own."""
_LONGEST_JOIN = 3


def classify(old: Block, new: Block) -> ChangeKind | None:
    """None for the same source, COSMETIC where no word's meaning changed, else MODIFIED. Place does not count here."""
    if old.source == new.source:
        return None
    return ChangeKind.COSMETIC if says_the_same(old.source, new.source) else ChangeKind.MODIFIED


def says_the_same(old: str, new: str) -> bool:
    """Whether two texts differ in markup, white space, case, idle punctuation, link targets and spelling only."""
    return _same_tokens(meaning(old), meaning(new)) and _same_code(old, new)


def _same_code(old: str, new: str) -> bool:
    """Whether each code span that is gone or new still stands, or stood, in the text, letter for letter."""
    was, now = Counter(code_spans(old)), Counter(code_spans(new))
    if was == now:
        return True
    return all(span in new for span in was - now) and all(span in old for span in now - was)


def _same_tokens(old: Sequence[str], new: Sequence[str]) -> bool:
    """Walks both texts in step; every difference must be a slip that one of the rules explains."""
    if old == new:
        return True
    i = j = 0
    nearby: Counter[str] = Counter()
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            i, j = i + 1, j + 1
            continue
        if not nearby:
            nearby = Counter(old) & Counter(new)
        step = _joined(old, new, i, j) or _respelled(old, new, i, j, nearby) or _idle(old, new, i, j)
        if step is None:
            return False
        i, j = i + step[0], j + step[1]
    return _is_repeat(old, i, len(old)) and _is_repeat(new, j, len(new))


def _respelled(old: Sequence[str], new: Sequence[str], i: int, j: int, nearby: Counter[str]) -> tuple[int, int] | None:
    was, now = old[i], new[j]
    if _is_apostrophe(was, now):
        return 1, 1
    if was.endswith("'s") and now.endswith("'s"):
        was, now = was[:-2], now[:-2]
    return (1, 1) if is_respelled(was, now, nearby) else None


def _is_apostrophe(old: str, new: str) -> bool:
    """Whether an apostrophe tells them apart, or a possessive 's (not one that stands for *is*: it's, that's)."""
    if "'" not in old + new:
        return False
    if old.replace("'", "") == new.replace("'", ""):
        return True
    short, long = sorted((old, new), key=len)
    return long == short + "'s" and short not in _IS_SHORT


def _joined(old: Sequence[str], new: Sequence[str], i: int, j: int) -> tuple[int, int] | None:
    """One word written as two or three, or the other way round (open source, opensource)."""
    for size in range(2, _LONGEST_JOIN + 1):
        for parts, whole, step in ((old[i : i + size], new[j], (size, 1)), (new[j : j + size], old[i], (1, size))):
            if "".join(parts) != whole or not whole.isalpha():
                continue
            return None if parts[0] in _UNJOINED and whole in english() and whole != "cannot" else step
    return None


def _idle(old: Sequence[str], new: Sequence[str], i: int, j: int) -> tuple[int, int] | None:
    """A word written twice, or an article, on one side only."""
    for longer, shorter, at, other, step in ((old, new, i, j, (1, 0)), (new, old, j, i, (0, 1))):
        word = longer[at]
        following = longer[at + 1] if at + 1 < len(longer) else ""
        if following != shorter[other]:
            continue
        if (word in _ARTICLES and following not in _AFTER_ARTICLE) or _is_repeat(longer, at, at + 1):
            return step
    return None


def _is_repeat(tokens: Sequence[str], start: int, end: int) -> bool:
    """Whether the tokens there are none, or one word that stands right before already."""
    if start == end:
        return True
    return end - start == 1 and start > 0 and tokens[start] == tokens[start - 1] and tokens[start].isalpha()
