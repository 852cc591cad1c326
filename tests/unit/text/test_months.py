"""Names of months, whole and short, in several languages."""

import re

import pytest

from assistant.text.months import MONTH, MONTHS


@pytest.mark.parametrize("name", MONTHS)
def test_every_name_is_read_whole(name: str) -> None:
    for written in (name, name.title(), f"{name}."):
        found = re.match(MONTH, f"{written} 3", re.I)
        assert found is not None
        assert found[0] == written


@pytest.mark.parametrize("word", ["sprint", "marching", "decide", "junior", "agoston"])
def test_what_only_begins_like_one_is_none(word: str) -> None:
    assert re.match(MONTH, word, re.I) is None
