"""Search words: the one normalisation that both writing and asking go through."""

import re
import unicodedata
from functools import lru_cache

from assistant.text.stems import stem

_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f]"
)
"""Accents, Hebrew and Arabic vowel points, variation selectors: people type without them."""
_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
)
"""Thai, Lao, Burmese, Khmer, kana, CJK, hangul; searched by pairs of characters."""
_SIGNS = "\u0900-\u0dff\u0f71-\u0f84\u3099\u309a"
"""Vowel signs that Python counts as no letters."""
_LETTER = rf"(?:[^\W_]|[{_SIGNS}{_SPACELESS}\U00020000-\U0003ffff])"
_CHUNK = re.compile(rf"{_LETTER}+(?:['’._/:,&@+-]{_LETTER}+|_+{_LETTER}+)*(?:\+\+|#(?!\w))?")
_ASCII_CHUNK = re.compile(r"[A-Za-z0-9]+(?:(?:['._/:,&@+-]|_+)[A-Za-z0-9]+)*(?:\+\+|#(?!\w))?")
_RUN = re.compile(rf"[{_SPACELESS}\U00020000-\U0003ffff]+")
_PART = re.compile(r"[-_/:@&+.,]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"v?\d+(?:[.:]\d+)+[a-z]{0,2}")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
    if word != "one"
}
"""Written numbers count as digits: handbooks say "three days", people ask for "3 days". "one" is mostly a pronoun."""
_WHOLE = 4
"""Chunks of more parts (paths, addresses) are found by their parts only."""
_STOP = frozenset(
    "a about after again all also am an and any are as at be because been before being between both but by "
    "can could did do does doing done each every few for from had has have having he her here hers him his "
    "how i if in into is it its itself just let may me might more most much must my no nor not of off on once "
    "only or other our out over own per same shall she should so some such than that the their them then "
    "there these they this those through to too under until up us very was we were what when where whether "
    "which while who whom whose why will with would you your yours cant dont doesnt isnt arent wont im ive "
    "were youre thats whats lets tell say says said please".split()
)
STOP_WORDS = _STOP | {stem(word) for word in _STOP}
"""English words that say nothing about what a text is about, as they are and as stems."""


def search_tokens(text: str) -> list[str]:
    """The text's search words in order, each of letters, digits and _ only: case, accents and endings off; Chinese,
    Japanese, Korean and other scripts without spaces as pairs of characters; joined words whole and in parts.
    """
    found: list[str] = []
    chunks = _ASCII_CHUNK.findall(text) if text.isascii() else _CHUNK.findall(_bare(text))
    for chunk in chunks:
        found += _tokens(chunk)
    return found


def content_tokens(text: str) -> list[str]:
    """The search words without those that every text has."""
    return [token for token in search_tokens(text) if token not in STOP_WORDS]


def _bare(text: str) -> str:
    """Compatibility forms and accents off. Hangul and kana keep their marks, which are letters there."""
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed))


@lru_cache(maxsize=1 << 17)
def _tokens(chunk: str) -> tuple[str, ...]:
    """The tokens of one run of letters, digits and the marks that join them."""
    low = _MARKS.sub("", chunk.casefold())
    if low.isascii() and low.isalpha():
        return _word(chunk, low)
    if not low.isascii() and _RUN.search(low):
        return _spaceless(low)
    if _THOUSANDS.fullmatch(low):
        low = low.replace(",", "")
    if low.isdigit():
        return (low,)
    if _NUMBER.fullmatch(low):
        whole = low.replace(".", "_").replace(":", "_")
        return (whole, whole[1:]) if whole[0] == "v" else (whole,)
    if low.endswith(("++", "#")):
        return (low.replace("+", "p").replace("#", "sharp"),)
    return _joined(chunk)


def _word(chunk: str, low: str) -> tuple[str, ...]:
    if len(chunk) > 2 and chunk.endswith("s") and chunk[:-1].isupper():
        return (stem(low[:-1]),)  # the plural of an acronym: MQLs, KPIs
    token = _NUMBER_WORDS.get(low) or stem(low)
    if chunk == low or chunk.isupper() or chunk[1:].islower():
        return (token,)
    parts = [stem(part.lower()) for part in _CAMEL.split(chunk) if len(part) > 1]
    return (token, *parts) if len(parts) > 1 else (token,)


def _spaceless(low: str) -> tuple[str, ...]:
    """Pairs of characters of scripts without spaces; what stands between them as usual."""
    found: list[str] = []
    at = 0
    for run in _RUN.finditer(low):
        found += search_tokens(low[at : run.start()])
        text = run[0]
        found += [text[i : i + 2] for i in range(len(text) - 1)] or [text]
        at = run.end()
    return (*found, *search_tokens(low[at:]))


def _joined(chunk: str) -> tuple[str, ...]:
    """A compound: its parts, and the whole of it without what joins it."""
    chunk = chunk.replace("’", "'")
    for end in ("'s", "'S"):
        chunk = chunk.removesuffix(end)
    chunk = chunk.replace("'", "")
    parts = [part for part in _PART.split(chunk) if part]
    if len(parts) == 1:
        low = _MARKS.sub("", parts[0].casefold())
        return _word(parts[0], low) if low.isalpha() else (low,)
    if all(len(part) == 1 and part.isalpha() for part in parts):
        return ("".join(parts).casefold(),)
    found = [token for part in parts for token in (_tokens(part) if part != chunk else ())]
    if len(parts) <= _WHOLE:
        glue = "_" if all(part.isdigit() for part in parts) else ""
        found.append(stem(glue.join(parts).casefold()))
    return tuple(found)
