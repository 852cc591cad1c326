"""The command `brain`: one command or group of commands a file, its parts loaded only when they run."""

import sys

import typer

from assistant.errors import BrainError, UserFacing


def main() -> None:
    """Runs the command line. Exit status: 0 done, 1 it could not be served (one line says why), 2 wrong usage."""
    from workers.cli.app import app

    try:
        app()
    except UserFacing as error:
        typer.echo(f"brain: {one_line(error)}", err=True)
        sys.exit(1)
    except BrainError as error:
        typer.echo(f"brain: {one_line(error)} (`brain doctor` checks the install)", err=True)
        sys.exit(1)


def one_line(error: Exception) -> str:
    """What an error says, without line breaks."""
    return " ".join(str(error).split()) or type(error).__name__
