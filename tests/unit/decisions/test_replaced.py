"""Which decision takes whose place: all compared at once gives what comparing them pair by pair does."""

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.decisions.marks import read_value, spoken_marks
from assistant.decisions.replaced import replaced, told
from assistant.graph.writing.deciding import Stored
from assistant.model.decisions import Extracted
from assistant.text.words import STOP_WORDS, search_tokens

AT = 1_600_000_000_000_000
DAY = 86_400_000_000
WORDS = "trial report seats parking budget review onboarding travel hotel limit page owner merge desk lunch".split()
VALUES = (None, "3 days", "5 days", "1,500 EUR", "1,800 EUR", "in writing", "by phone", "anybody", "12 seats")


def decision(name: str, talk: str, day: float, about: str, value: str | None, places: frozenset[str]) -> Stored:
    said = f"We decided that the {about} is {value or 'kept'} from now on."
    extracted = Extracted(
        conversation=talk,
        statement=said,
        utterance=f"{talk}/{name}",
        quote=said,
        supporting=(),
        decided_by="Ada",
        decider=None,
        decided_at=AT + int(day * DAY),
        old_value=None,
        new_value=value,
        topic=about,
        reasons=(),
        alternatives=(),
        supersedes_utterance=None,
        origin="rules",
    )
    tokens = frozenset(search_tokens(said))
    none: frozenset[str] = frozenset()
    return Stored(name, "public", extracted, "", tokens, tokens - STOP_WORDS, "", name, places, none, none)


def some(seed: int, count: int) -> list[Stored]:
    """Decisions that are alike in part, the oldest first, as the graph gives them."""
    dice = random.Random(seed)
    made = []
    for number in range(count):
        about = " ".join(dice.choices(WORDS, k=dice.randint(1, 6)))
        places = frozenset(dice.sample("abcd", dice.randint(0, 2)))
        day = dice.choice((number, number // 5, number * 40))
        made.append(decision(f"d{number}", f"t{dice.randrange(count)}", day, about, dice.choice(VALUES), places))
    return sorted(made, key=lambda one: (one.decision.decided_at, one.id))


def pair_by_pair(decisions: list[Stored]) -> set[tuple[str, str]]:
    """The rule said plainly, for one pair after another."""
    marks = [
        {word: 2.0 if word in one.tokens - STOP_WORDS else 1.0 for word in (one.tokens - STOP_WORDS) | one.context}
        for one in decisions
    ]
    marks = [{word: weight for word, weight in own.items() if len(word) > 1 and not word[0].isdigit()} for own in marks]
    spread = Counter(word for own in marks for word in own)
    vectors = [
        {word: weight * math.log((len(marks) + 1) / spread[word]) for word, weight in own.items()} for own in marks
    ]
    found = set()
    for number, earlier in enumerate(decisions):
        for other in range(number + 1, len(decisions)):
            if _takes_its_place(decisions[other], earlier, vectors[other], vectors[number]):
                found.add((decisions[other].id, earlier.id))
                break
    return found


def _takes_its_place(later: Stored, earlier: Stored, new: dict[str, float], old: dict[str, float]) -> bool:
    if not later.decision.new_value or not earlier.decision.new_value:
        return False
    value, before = read_value(later.decision.new_value), read_value(earlier.decision.new_value)
    passed = later.decision.decided_at - earlier.decision.decided_at
    foremost = sorted(new, key=lambda word: (-new[word], word))[:12]
    if (
        later.decision.conversation == earlier.decision.conversation
        or not 0 < passed < 3 * 365 * DAY
        or value.marks == before.marks
        or bool(value.numbers) != bool(before.numbers)
        or not old.keys() & set(foremost)
    ):
        return False
    product = math.hypot(*new.values()) * math.hypot(*old.values())
    alike = sum(weight * old.get(word, 0.0) for word, weight in new.items()) / product
    names_it = bool(before.numbers) and before.numbers <= spoken_marks(later.decision.statement)
    rare = names_it and any(len(number) > 3 for number in before.numbers)
    return alike >= (0.12 if rare else 0.2 if names_it or later.lineages & earlier.lineages else 0.4)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), count=st.integers(0, 40))
def test_all_at_once_gives_what_pair_by_pair_does(seed: int, count: int) -> None:
    decisions = some(seed, count)
    assert replaced(decisions) == pair_by_pair(decisions)


def test_the_examples_replace_and_do_not() -> None:
    decisions = some(7, 40)
    assert 5 < len(replaced(decisions)) < 39


@pytest.mark.parametrize("changed", ["content", "place", "gone", "new", "pairs"])
def test_whatever_matters_is_told(changed: str) -> None:
    decisions, pairs = some(7, 5), {("d1", "d0")}
    before = told(decisions, pairs)
    first = decisions[0]
    others = {
        "content": [decision("x", "t0", 0, "trial", None, first.lineages), *decisions[1:]],
        "place": [
            decision(first.id, "t0", 0, "trial", "3 days", first.lineages | {"elsewhere"}),
            *decisions[1:],
        ],
        "gone": decisions[1:],
        "new": [*decisions, decision("x", "t9", 99, "trial", "3 days", frozenset())],
        "pairs": decisions,
    }
    assert told(others[changed], set() if changed == "pairs" else pairs) != before
    assert told(some(7, 5), {("d1", "d0")}) == before
