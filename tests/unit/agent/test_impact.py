"""Which commit or request a question names: any number that people type is looked up, none is stumbled over."""

from types import SimpleNamespace
from typing import Any

import pytest

from assistant.agent.draft import Refusal
from assistant.agent.offline.changes import impact
from assistant.agent.tools.commit_impact import ImpactOf


@pytest.mark.parametrize(
    ("target", "asked"),
    [
        ("354", ImpactOf(merge_request="354")),
        ("123456", ImpactOf(merge_request="123456")),
        ("12345a", ImpactOf(commit="12345a")),
        ("1234567", ImpactOf(commit="1234567")),
        ("1" * 44, ImpactOf(merge_request="1" * 44)),
        ("٣٥٤٣٥٤٣٥", ImpactOf(merge_request="٣٥٤٣٥٤٣٥")),
    ],
)
def test_a_sha_is_told_from_a_number(target: str, asked: ImpactOf) -> None:
    given: list[ImpactOf] = []
    run = SimpleNamespace(call=lambda _, arguments: given.append(arguments) or [])
    asking: Any = SimpleNamespace(run=run, intent=SimpleNamespace(target=target))
    assert isinstance(impact(asking), Refusal)
    assert given == [asked]
