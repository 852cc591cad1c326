"""Light English stems: plural, -ed, -ing, -ly, -ment, -al off, so that rules are found by any form of their words."""

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = ("ll", "ss", "zz")


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The stem of a lower-case word; numbers, short words and words of other scripts come back as they are."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _singular(word)
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    elif word.endswith("ment") and len(word) > 6 and _vowel(word[:-4]):
        word = word[:-4]
    elif word.endswith(("val", "wal", "osal")) and len(word) > 5:
        word = word[:-2]
    word = _infinitive(word)
    if word.endswith("e") and len(word) > 3 and not word.endswith("ee"):
        return word[:-1]
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _vowel(word: str) -> bool:
    return not _VOWELS.isdisjoint(word)


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def _infinitive(word: str) -> str:
    if word.endswith(("reed", "teed")) and len(word) > 5:
        return word[:-1]
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for suffix in ("ing", "ed"):
        rest = word.removesuffix(suffix)
        if rest != word and _vowel(rest) and not (suffix == "ed" and rest.endswith("e")):
            if len(rest) < 3:
                return rest + "e" if len(rest) == 2 else word
            if rest[-1] == rest[-2] and not rest.endswith(_KEPT_DOUBLE) and rest[-1] not in _VOWELS:
                return rest[:-1]
            return rest
    return word
