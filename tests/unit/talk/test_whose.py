"""What somebody typed behind `/why forget`: a person, a message, a conversation, or no such thing at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.web.slack.forget import is_forgetting
from workers.whose import LINK, person_meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("<@U01ANA|ana>", "U01ANA"),
        ("<@W01ANA>", "W01ANA"),
        ("<mailto:ana@acme.example|ana@acme.example>", "ana@acme.example"),
        ("ana@acme.example", "ana@acme.example"),
        ("slack:rules/1583020800.000100", None),
        ("@ana", None),
        ("<@U01ANA> and others", None),
    ],
)
def test_a_person_is_meant_by_a_mention_or_an_address(typed: str, meant: str | None) -> None:
    assert person_meant(typed) == meant


@pytest.mark.parametrize("end", ["", "?thread_ts=1583020800.000100&cid=C01"])
def test_a_link_names_the_channel_and_the_message(end: str) -> None:
    for link in (
        f"https://acme.slack.com/archives/C01/p1583020800000200{end}",
        f"<https://acme.slack.com/archives/C01/p1583020800000200{end}>",
    ):
        found = LINK.fullmatch(link)
        assert found is not None
        assert found.groups() == ("C01", "1583020800", "000200")


@given(st.text(max_size=300))
def test_whatever_is_typed_is_read_in_no_time_and_means_one_thing_at_most(typed: str) -> None:
    assert not (person_meant(typed) and LINK.fullmatch(typed))
    assert is_forgetting(typed) is (
        typed.split()[:1] != [] and typed.split()[0].casefold() == "forget" and len(typed.split()) <= 2
    )
