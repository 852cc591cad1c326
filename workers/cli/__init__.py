"""The command `brain`: one command or group of commands a file, its parts loaded only when they run."""

import sys
from typing import NoReturn

from assistant.errors import BrainError, UserFacing

STOPPED = 130
"""Exit status after Ctrl-C: 128 and the number of the signal."""


def main() -> None:
    """Runs the command line. Exit status: 0 done, 1 it could not be served (one line says why), 2 wrong usage."""
    try:
        from workers.cli.app import app

        app(prog_name="brain")
    except UserFacing as error:
        fail(one_line(error))
    except BrainError as error:
        fail(f"{one_line(error)} (`brain doctor` checks the install)")
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    except OSError as error:
        if error.filename is None:
            raise
        fail(f"{error.filename}: {error.strerror} (`brain doctor` checks the install)")


def fail(why: str) -> NoReturn:
    """Ends the command with one line on stderr."""
    print(f"brain: {why}", file=sys.stderr)  # noqa: T201
    sys.exit(1)


def one_line(error: Exception) -> str:
    """What an error says, without line breaks."""
    return " ".join(str(error).split()) or type(error).__name__
