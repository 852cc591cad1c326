"""Ordinary minutes, each of one kind: every decision in them is found, and what only looks like one is not."""

import re
from pathlib import Path

import pytest

from assistant.decisions.extract.by_rules import extract
from assistant.text.people import People
from connectors.minutes.files import open_files

KINDS = re.split(r"^=== ", (Path(__file__).parent / "minutes.txt").read_text(encoding="utf-8"), flags=re.M)[1:]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.partition("\n")[0].replace(" ", "-"))
def test_what_was_decided_and_nothing_else(tmp_path: Path, kind: str) -> None:
    text = kind.partition("\n")[2]
    wanted = [line[4:].partition(" | ") for line in text.splitlines() if line.startswith("--- ")]
    file = tmp_path / "minutes.md"
    file.write_text(re.sub(r"^--- .*\n?", "", text, flags=re.M), encoding="utf-8")
    [heard] = [one.read(People().speaker) for one in open_files(file)]
    found = [one for talk in heard.conversations for one in extract(talk)]
    assert [words for words, _, _ in wanted if not any(words in one.statement for one in found)] == []
    assert len(found) == len(wanted), [one.statement for one in found]
    for words, _, value in wanted:
        [own] = [one for one in found if words in one.statement]
        assert words in own.quote
        assert own.quote in file.read_text(encoding="utf-8")
        assert not value or own.new_value == value
