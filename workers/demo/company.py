"""Tidewater: a company made up for the demonstration, with the git history of its handbook."""

import subprocess
from importlib.resources import files
from pathlib import Path

from assistant.errors import Fatal
from connectors.git.program import complaint, executable

BEFORE = "before-the-change"
CHANGE = "the-change"
"""Tags in its history: the state before the trial threshold is raised, and the commit that raises it."""

TALK = Path(str(files("workers.demo"))) / "talk"
"""What was said at Tidewater: a folder of meetings and a Slack export."""

ASKED = "What is the trial threshold?"
DECIDED = "Why was the trial threshold raised, and who decided it?"
UNWRITTEN = "How often may a team go for a team dinner?"
WHY = "Why did trial MQLs drop at the end of July?"


def write_handbook(folder: Path) -> None:
    """Makes the handbook's repository, bare, with its whole history; the shas are the same on every machine.

    Raises Fatal where git is missing or cannot write there.
    """
    story = files("workers.demo").joinpath("handbook.fast-import").read_bytes()
    git(folder.parent, "init", "--quiet", "--bare", "--initial-branch=main", str(folder))
    git(folder, "fast-import", "--quiet", "--done", stdin=story)


def git(folder: Path, *words: str, stdin: bytes = b"") -> None:
    """Runs git there, or raises Fatal."""
    done = subprocess.run([executable(), "-C", str(folder), *words], input=stdin, capture_output=True, check=False)
    if done.returncode:
        raise Fatal(f"git {words[0]} failed in {folder}: {complaint(done.stderr)}")
