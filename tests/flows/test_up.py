"""The children of `brain up`: which ends are final, and which are followed by another start."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.errors import Fatal, Retry, UserFacing
from assistant.settings import Settings
from workers.up import Child


def busy(_: Settings) -> None:
    raise Retry("the server is still reading its data")


def broken(_: Settings) -> None:
    raise Fatal("Slack refuses the token")


def unset(_: Settings) -> None:
    raise UserFacing("no token is set")


def ended(main: Callable[[Settings], None], home: Path) -> Child:
    """A child that has come to its end."""
    child = Child("answer", main, Settings(home=home), pause=0.0)
    child.start()
    assert child.process is not None
    child.process.join()
    return child


@pytest.mark.parametrize("main", [broken, unset])
def test_what_does_not_mend_itself_ends_it_all(main: Callable[[Settings], None], tmp_path: Path) -> None:
    with pytest.raises(UserFacing, match="answer could not start"):
        ended(main, tmp_path).look()


def test_what_may_go_well_later_is_started_again(tmp_path: Path) -> None:
    child = ended(busy, tmp_path)
    first = child.process
    child.look()
    assert child.process is not first
    child.ended(until=0.0)
