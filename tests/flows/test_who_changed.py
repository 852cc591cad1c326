"""Who changed a subject of many sections: a change is told before how one of them began."""

from collections.abc import Iterator

import pytest

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import Space, open_space
from assistant.settings import Settings
from tests.fakes.graphs import drop
from tests.fakes.handbook import Handbook
from tests.flows.test_why import asked
from tests.flows.test_why_none import day

LEAVE = """# Leave

## Annual leave
Everyone gets {days} days of annual leave a year.

## Sick leave
Tell your lead before 9:30 on the first day. A doctor's note is needed from the third day.
"""


@pytest.fixture(scope="module")
def company(shared_settings: Settings, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Space]:
    with open_space(shared_settings, name="changed", servers=servers) as space:
        book = Handbook(space, tmp_path_factory.mktemp("changed"))
        book.commit({"leave.md": LEAVE.format(days=25)}, "Start", at=day(2026, 1, 5))
        book.commit({"leave.md": LEAVE.format(days=27)}, "More leave (#9)", at=day(2026, 2, 16))
        book.ingest()
        yield space
        drop(space.graph)


def test_a_change_is_told_before_a_beginning(company: Space) -> None:
    answer = asked(company, "Who changed the leave and when?")
    assert answer.text.startswith("#9 by Ada Example on 16 February 2026")


def test_another_section_than_the_asked_one_is_not_told_for_it(company: Space) -> None:
    assert "was added to Sick leave" in asked(company, "Who changed sick leave and when?").text
    assert "was added to Sick leave" in asked(company, "Who added the doctor's note from the third day?").text
