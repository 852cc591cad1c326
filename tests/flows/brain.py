"""Running the command as people and scripts do: in a process of its own, reading only what it prints."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output, every line of which must be one JSON object."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Brain:
    """The command on one home."""

    home: Path
    cache: Path

    def __call__(self, *words: object, stdin: str = "", **environment: str) -> Said:
        return self.without_home(*words, "--home", self.home, stdin=stdin, **environment)

    def without_home(self, *words: object, stdin: str = "", **environment: str) -> Said:
        """The command with the servers of the environment."""
        done = subprocess.run(
            [sys.executable, "-m", "workers.cli", *map(str, words)],
            input=stdin,
            capture_output=True,
            text=True,
            env={**os.environ, "BRAIN_CACHE": str(self.cache), **environment},
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)
