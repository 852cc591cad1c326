"""Vectors are computed beside whatever brings in words, so that nobody waits for them."""

import subprocess
import sys

from assistant.settings import Settings


def start_embedding(settings: Settings) -> None:
    """Starts `brain embed-older` as a process of its own, which nobody waits for."""
    command = [sys.executable, "-m", "workers.cli", "embed-older"]
    if settings.falkordb_url is None:
        command += ["--home", str(settings.home)]
    subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
