"""Search words: one normalisation at writing and asking, so that people find rules by any form of their words."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.text.stems import stem
from assistant.text.words import content_tokens, search_tokens


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("hire", "hiring"),
        ("hired", "hires"),
        ("policy", "policies"),
        ("reimbursed", "reimbursement"),
        ("approve", "approvals"),
        ("using", "use"),
        ("stopped", "stop"),
        ("company", "company's"),
        ("UBER", "über"),
        ("ete", "ÉTÉ"),
        ("straße", "STRASSE"),
        ("ﬁle", "file"),
        ("open source", "open-source"),
        ("opensource", "open-source"),
        ("gitlab", "GitLab"),
        ("max users", "maxUsers"),
        ("maxusers", "max_users"),
        ("5500", "$5,500"),
        ("1.2", "v1.2"),
        ("v1.2", "v1.2"),
        ("3.5", "3.5%"),
        ("25", "25%"),
        ("14:00", "14:00"),
        ("2022", "2022-04-01"),
        ("L2", "l2"),
        ("3 days", "three days"),
        ("don't", "don’t"),
        ("C++", "c++"),
        ("sourcegraph", "https://about.sourcegraph.com/x"),
        ("ann@example.com", "Ann@Example.com"),
        ("閾値", "評価の閾値を変更"),
        ("评分规则", "新的评分规则"),
        ("휴가", "연차휴가는"),
        ("ライセンス", "ﾗｲｾﾝｽ"),
        ("हिन्दी", "हिन्दी में"),
        ("US", "U.S."),
    ],
)
def test_what_is_asked_is_found(asked: str, written: str) -> None:
    assert set(search_tokens(asked)) <= set(search_tokens(written))


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("1.2", "12"),
        ("14:00", "1400"),
        ("C++", "C"),
        ("C#", "C"),
        ("form", "from"),
        ("25", "250"),
        ("general", "generate"),
    ],
)
def test_what_differs_stays_apart(asked: str, written: str) -> None:
    assert not set(search_tokens(asked)) & set(search_tokens(written))


@settings(max_examples=100)
@given(st.text(max_size=80))
def test_tokens_are_safe_for_the_full_text_index(text: str) -> None:
    """Nothing that the query language or its tokenizer knows as a sign ever reaches it."""
    for token in search_tokens(text):
        assert token
        assert not re.search(r"[\s!-/:-@\[-^`{-~\u2000-\u206f]", token)


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_do_not_depend_on_what_stands_around(left: str, right: str) -> None:
    assert search_tokens(f"{left}\n\n{right}") == search_tokens(left) + search_tokens(right)


def test_content_words_leave_out_what_every_text_has() -> None:
    assert content_tokens("What is the policy for hiring?") == ["polici", "hir"]


@given(st.text(alphabet="abdegilmnrstvwxy", min_size=1, max_size=14))
def test_a_stem_is_never_empty(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word) + 1


def test_long_runs_take_time_in_proportion() -> None:
    for piece in ("a", "a-", "1,", "あ", "a'", "_", "a_", "1.", "@a"):
        assert search_tokens(piece * (100_000 // len(piece))) is not None
