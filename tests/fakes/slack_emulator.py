"""The local Slack emulator (npm local-slack-linux-x64, MIT), installed once into a cache outside the tree."""

import contextlib
import json
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from tests.fakes import slack_requests as made
from tests.fakes.storm import free_port, wait_for

PACKAGE = "local-slack-linux-x64@0.1.8"
TOKEN = "xoxb-why"
APP_TOKEN = "xapp-why"
Json = dict[str, Any]


def installed() -> Path:
    """The emulator's program; skips the test, with the reason, where it cannot be had."""
    folder = Path(platformdirs.user_cache_dir("company-brain-tests")) / PACKAGE.replace("@", "-")
    program = folder / "node_modules" / PACKAGE.split("@")[0] / "bin" / "local-slack"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm here, so no Slack emulator")
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode or not program.exists():
            pytest.skip(f"the Slack emulator cannot be installed: {(done.stderr or 'no program').splitlines()[0]}")
    return program


@dataclass(frozen=True)
class Emulator:
    """A running emulator; `url` is its page, `web` the port that its events go to."""

    url: str
    web: int

    def control(self, what: str, **body: Any) -> Json:
        """A step of its control API: message, command, interact, open-home, edit-message, delete-message."""
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_control/{what}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as response:
            return dict(json.loads(response.read()))

    def state(self, what: str) -> Json:
        """What it knows: state, log, messages/CHANNEL."""
        with urllib.request.urlopen(f"{self.url}/_control/{what}", timeout=20) as response:
            return dict(json.loads(response.read()))

    def messages(self, channel: str) -> list[Json]:
        """All messages of a channel."""
        return list(self.state(f"messages/{channel}")["messages"])

    def log(self) -> list[Json]:
        """What went to and fro."""
        return list(self.state("log")["log"])

    def direct(self) -> str:
        """The channel id of the direct conversation, once there is one."""
        return next((str(one["id"]) for one in self.state("state")["channels"] if one["is_im"]), "")


@contextlib.contextmanager
def running(folder: Path, web_port: int, *, socket_mode: bool = False) -> Iterator[Emulator]:
    """An emulator with one channel, three people and our app, whose events go to a port or over socket mode."""
    port = free_port()
    app = {
        "appId": "A01APP",
        "botUserId": "U0BOT",
        "botName": "brain",
        "botToken": TOKEN,
        "appToken": APP_TOKEN,
        "signingSecret": made.SECRET,
        "mode": "socket" if socket_mode else "events",
        "requestUrl": f"http://127.0.0.1:{web_port}/slack/events",
    }
    people = [
        {"id": "U01ANA", "name": "ana", "real_name": "Ana Lindt", "email": "ana@acme.example"},
        {"id": "U02BEN", "name": "ben", "real_name": "Ben Ode", "email": "ben@acme.example"},
        {"id": "U03LENA", "name": "lena.brandt", "real_name": "Lena Brandt", "email": "lena@acme.example"},
    ]
    channel = {"id": "C01RULES", "name": "rules", "members": ["U01ANA", "U02BEN", "U03LENA", "U0BOT"]}
    config = {
        "workspace": {"name": "Acme", "domain": "acme", "teamId": "T01TEST"},
        "apps": [app],
        "users": people,
        "channels": [channel],
    }
    (folder / "emulator.json").write_text(json.dumps(config))
    log = (folder / "emulator.log").open("wb")
    command = [str(installed()), "--config", str(folder / "emulator.json"), "--port", str(port)]
    environment = {**os.environ, "TZ": "UTC"}
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        wait_for(f"http://localhost:{port}/_control/state")
        yield Emulator(f"http://localhost:{port}", web_port)
    finally:
        process.terminate()
        process.wait(10)
        log.close()
