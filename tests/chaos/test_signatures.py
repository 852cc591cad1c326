"""The signature fuzz in a small size; the whole one is the command in signatures.py."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.chaos.signatures import Case, Tally, a_case, check, note, run
from tests.fakes.forgeries import FORGERIES, PROVIDERS, Forgery, Provider, valid

NOW = 1_790_000_000.0


@settings(max_examples=400, deadline=None)
@given(st.randoms(use_true_random=False))
def test_nothing_forged_gets_through_and_nothing_valid_is_refused(rng: random.Random) -> None:
    case = a_case(rng, NOW)
    assert check(case) is not bool(case.forgery), f"{case.provider.name}: {case.forgery or 'valid'}"


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.name)
def test_no_forgery_of_any_kind_gets_through(provider: Provider, forgery: Forgery) -> None:
    rng = random.Random(7)
    for _ in range(40):
        secret = provider.make_secret(rng)
        if made := forgery(provider, secret, rng, NOW):
            assert not provider.accepts(*made)
            assert provider.accepts(secret, valid(provider, secret, rng, NOW))


def test_the_fuzz_sees_a_check_that_is_broken() -> None:
    def first_header_counts(settings: object, headers: object, body: bytes, now: float) -> bool:
        return True

    broken = replace(PROVIDERS[0], genuine=first_header_counts)
    tally, rng = Tally(), random.Random(3)
    made = [forgery(broken, "secret", rng, NOW) for forgery in FORGERIES]
    cases = [Case(broken, one[0], one[1], "forged") for one in made if one]
    for case in cases:
        note(tally, case, check(case))
    assert len(tally.wrong) == len(cases) > 10


def test_a_hundred_over_http() -> None:
    by_function, by_http = run(2_000, seed=5)
    assert by_function.wrong == by_http.wrong == []
    assert sum(by_http.forged.values()) > 5
