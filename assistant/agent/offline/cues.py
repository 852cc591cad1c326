"""Words that tell what kind of question is asked, also when mistyped."""

import re

CUES = frozenset(
    "what which where when who whom whose why how before after under since until still previously previous "
    "formerly originally used changed change changes updated introduced removed added decided approved agreed "
    "wrote written committed commit merge pull request section sections page heading chapter owns owner "
    "owners responsible maintains lately recently yesterday between outline contents does says said comes".split()
)


def mended(question: str) -> str:
    """The question in lower case with cue words as they are spelt: a letter missing, doubled or swapped is put right.

    A letter that is another one is left alone: *charge* is no *change*.
    """
    return re.sub(r"[a-z]{4,}", lambda match: _SPELT.get(match[0], match[0]), _plain_quotes(question.lower()))


def _plain_quotes(text: str) -> str:
    return text.translate(str.maketrans("“”„«»’‘`", '"""""\'\'\''))


def _slips(word: str) -> set[str]:
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    doubled = {word[:i] + word[i] + word[i:] for i in range(len(word))}
    last = len(word) - word.endswith(("d", "s"))  # "approve" is no slip of "approved"
    missing = {word[:i] + word[i + 1 :] for i in range(1, last)} if len(word) > 4 else set()
    return {slip for slip in swapped | doubled | missing if len(slip) > 3}


def _spellings() -> dict[str, str]:
    """Slip → cue, where the slip is of one cue only and no common word itself."""
    found: dict[str, set[str]] = {}
    for cue in CUES:
        for slip in _slips(cue):
            found.setdefault(slip, set()).add(cue)
    return {slip: min(cues) for slip, cues in found.items() if len(cues) == 1 and slip not in CUES | WORDS}


WORDS = frozenset(
    "chang hose hows when then hoes sine sill unti till were ware owes owned own ages pages paged pull full "
    "quest addd comes does dose sections request requests commits commit content come with what whet whose "
    "those who ever there".split()
)
"""Words that look like a slip and are none."""

_SPELT = _spellings()
