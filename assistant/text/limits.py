"""What limits a sentence: its conditions, negations, exceptions, scope, numbers, dates, and whom it names by handle."""

import re
from functools import lru_cache

from assistant.text.spans import amounts, dates, numbers

_WORDS = """
if unless when whenever once until till while only provided providing where otherwise depending subject
not no never none neither nor cannot without nobody nothing nowhere stop stopped
except excepting excluding exclude excludes excluded exception exceptions besides but however although though instead
exempt unlike rather
all any each every everyone everybody both always either must may shall should required mandatory optional allowed
forbidden prohibited banned maximum minimum most least more less fewer limit limited up over under above below before
after within between during from since
daily weekly fortnightly monthly quarterly yearly annually hourly once twice half quarter double today tomorrow
monday tuesday wednesday thursday friday saturday sunday weekday weekdays weekend weekends
january february march april june july august september october november december
wenn falls sofern solange bis nur außer ausser ausgenommen ohne kein keine keinen keiner nicht nie niemals niemand sonst
jedoch aber alle jede jeder jedes immer muss müssen darf dürfen soll höchstens mindestens täglich wöchentlich monatlich
si sauf sans seulement jamais aucun aucune pas ne quand lorsque jusque toujours tous toutes chaque doit mais cependant
excepté
cuando salvo excepto sin solo sólo nunca ningún ninguna hasta siempre todos todas cada debe pero
se quando senza mai nessuno solo sempre ogni deve eccetto tranne não sem apenas sempre todo nunca
als tenzij alleen niet nooit geen zonder behalve altijd elke moet maar
""".split()
"""English, German, French, Spanish, Italian, Portuguese, Dutch."""
_LIMITING = frozenset(_WORDS)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SPACED = re.compile(r"[A-Za-z\u00c0-\u024f]")
"""Latin letters: of other scripts these words tell nothing."""
_SHORTENED = re.compile(r"n['’]t$", re.I)
_HANDLE = re.compile(r"(?<!\w)[#@][\w-]+|[\w.+-]+@[\w.-]+\w")
"""Channels, people, addresses."""
_SIGN = re.compile(r"[%‰$€£¥<>≤≥≠±]|\d\+|(?<=[^\W\d_])\d+")
"""Signs that go with numbers, and figures that stand right behind letters, as in scripts without spaces."""


@lru_cache(maxsize=4096)
def limits(text: str) -> frozenset[str]:
    """What limits the text, each in one spelling; none where nothing does.

    A text in letters that are not Latin counts as limited by all its words, since none of them is known.
    """
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    found = {"not" if _SHORTENED.search(word) else word for word in words}
    limiting = {word for word in found if word in _LIMITING or not _SPACED.search(word)}
    counted = {f"{amount.value:g}" for amount in amounts(text)} | numbers(text) | dates(text)
    named = {handle.casefold() for handle in _HANDLE.findall(text)}
    return frozenset(limiting | counted | named | set(_SIGN.findall(text)))
