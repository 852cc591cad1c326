"""Two versions of a sentence with what differs marked, in Slack's markup."""

from difflib import SequenceMatcher

from assistant.chat.render.mrkdwn import escaped
from assistant.text.plain import plain

AROUND = 14
"""Words that stand before and after a difference where there are more."""
LONGEST = 600
"""Characters of one version at most, as markup."""
WORD = 80
"""Characters of a word."""
SPLIT = str.maketrans({"*": "∗", "~": "∼", "`": "'"})
"""What Slack would read as markup, by what looks like it."""

Run = tuple[bool, list[str]]
"""Words in a row, and whether they differ."""


def changed(old: str, new: str) -> tuple[str, str]:
    """Both versions, escaped: what went struck through, what came bold."""
    was, now = _words(old), _words(new)
    gone: list[Run] = []
    came: list[Run] = []
    for tag, start, end, begin, stop in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        gone.append((tag != "equal", was[start:end]))
        came.append((tag != "equal", now[begin:stop]))
    return _marked(gone, "~"), _marked(came, "*")


def bold(text: str) -> str:
    """All of it as what came."""
    return _marked([(True, _words(text))], "*")


def unmarked(text: str) -> str:
    """All of it as what stands."""
    return _marked([(False, _words(text))], "")


def _words(text: str) -> list[str]:
    cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
    words = plain(" · ".join(cells)).translate(SPLIT).split()
    return [word if len(word) <= WORD else f"{word[: WORD - 1]}…" for word in words]


def _marked(runs: list[Run], sign: str) -> str:
    left, parts = LONGEST, []
    for number, (differs, words) in enumerate(runs):
        near = words if differs else _near(words, first=number == 0, last=number == len(runs) - 1)
        shown = _fitting(near, left)
        left -= sum(len(word) + 1 for word in shown)
        if shown:
            parts.append(f"{sign}{' '.join(shown)}{sign}" if differs else " ".join(shown))
        if len(shown) < len(near):
            return " ".join([*parts, "…"])
    return " ".join(parts)


def _fitting(words: list[str], limit: int) -> list[str]:
    """As many of the words, escaped, as have room."""
    found = []
    for word in map(escaped, words):
        limit -= len(word) + 1
        if limit < 0:
            break
        found.append(word)
    return found


def _near(words: list[str], *, first: bool, last: bool) -> list[str]:
    """Of words that are alike in both those next to a difference."""
    if first and last:
        return words
    if first:
        return words if len(words) <= AROUND else ["…", *words[-AROUND:]]
    if last:
        return words if len(words) <= AROUND else [*words[:AROUND], "…"]
    return words if len(words) <= 2 * AROUND else [*words[:AROUND], "…", *words[-AROUND:]]
