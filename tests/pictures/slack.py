"""Takes README's pictures: the product's processes on the demonstration's handbook, in the Slack emulator's page.

    python -m tests.pictures.slack

Needs npm (for the emulator) and Chromium. What the emulator cannot draw it shows as a grey word; README says so.
"""

import asyncio
import base64
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp

from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.graph.space import open_space
from assistant.model.audiences import PUBLIC
from assistant.settings import Settings
from tests.chaos.slack import fill
from tests.fakes import slack_emulator
from tests.fakes.slack_emulator import TOKEN, Emulator
from tests.fakes.storm import Pipeline, free_port
from workers.demo.company import DECIDED, TALK, UNWRITTEN, WHY
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export, ingest_zoom

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SIZE = (1100, 820)
CONTRARY = (
    "2026-06-10",
    [
        {"type": "message", "user": user, "ts": ts, "thread_ts": "1781082000.000100", "text": text}
        for user, ts, text in (
            (
                "U0PRIYA",
                "1781082000.000100",
                "Two candidates asked about annual leave, and others offer more. Stay at 28?",
            ),
            (
                "U0LENA",
                "1781083200.000200",
                "Agreed then: everybody gets 30 days of paid annual leave a year, from July on.",
            ),
        )
    ],
)
"""A thread in #people that goes against the handbook, and its day."""


class Page:
    """A page in headless Chromium, driven over its debugging protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.number = 0

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command and its result."""
        self.number += 1
        await self.socket.send_json({"id": self.number, "method": method, "params": params})
        while True:
            reply = await self.socket.receive_json()
            if reply.get("id") == self.number:
                return dict(reply.get("result", {}))

    async def run(self, script: str) -> Any:
        """The value of some JavaScript."""
        result = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return result.get("result", {}).get("value")

    async def picture(self, name: str, size: tuple[int, int] = SIZE) -> None:
        """What is seen, as docs/images/NAME.png."""
        width, height = size
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        await asyncio.sleep(0.7)
        shot = await self.call("Page.captureScreenshot", format="png")
        IMAGES.mkdir(parents=True, exist_ok=True)
        (IMAGES / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


async def photographed(emulator: Emulator, port: int, script: Callable[[Page, Emulator], Any]) -> None:
    """Run a script on the emulator's page in Chromium."""
    async with aiohttp.ClientSession() as session:
        for _ in range(100):
            try:
                async with session.put(f"http://127.0.0.1:{port}/json/new?{emulator.url}") as response:
                    target = await response.json()
                    break
            except aiohttp.ClientError:
                await asyncio.sleep(0.1)
        async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
            await script(Page(socket), emulator)


def main(script: Callable[[Page, Emulator], Any], prepare: Callable[[Settings], Servers] = fill) -> None:
    """Start everything, take the pictures, end everything. `prepare` fills the home."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium here: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="brain-pictures-") as folder:
        home, web, debugging = Path(folder), free_port(), free_port()
        servers = prepare(Settings(home=home, cache=home / "cache"))
        options = ["--headless=new", "--no-sandbox", "--hide-scrollbars", f"--remote-debugging-port={debugging}"]
        profile = [f"--user-data-dir={home}/browser", "--remote-allow-origins=*", "about:blank"]
        chromium = subprocess.Popen([browser, *options, *profile], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with slack_emulator.running(home, web) as emulator:
                pipeline = Pipeline(
                    home, 1, embed=False, api=f"{emulator.url}/api/", tokens={"SLACK_BOT_TOKEN": TOKEN}, port=web
                )
                with pipeline.running():
                    asyncio.run(photographed(emulator, debugging, script))
        finally:
            chromium.terminate()
            chromium.wait(10)
            embedded.stop(servers)


def filled(settings: Settings) -> Servers:
    """A home with the demonstration's handbook, what its people said, and a thread that goes against the handbook."""
    servers = fill(settings)
    export = settings.home / "slack"
    shutil.copytree(TALK / "slack", export)
    day, messages = CONTRARY
    (export / "people" / f"{day}.json").write_text(json.dumps(messages), encoding="utf-8")
    with open_space(settings) as space:
        ingest_zoom(space, TALK / "zoom", audience=PUBLIC)
        ingest_slack_export(space, export)
        reconcile(space, days=settings.chat_only_days)
    return servers


def ask(emulator: Emulator, text: str, **more: str) -> str:
    """Ana mentions the bot; returns the ts when the answer stands."""
    sent = emulator.control("message", channel="C01RULES", user="U01ANA", text=f"<@U0BOT> {text}", **more)
    ts = str(sent["message"]["ts"])
    thread = more.get("thread_ts", ts)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        later = [m for m in emulator.messages("C01RULES") if m.get("thread_ts") == thread and m["ts"] > ts]
        if any(block["type"] == "context_actions" for m in later for block in m.get("blocks", ())):
            return ts
        time.sleep(0.2)
    raise TimeoutError(text)


async def open_thread(page: Page) -> None:
    """Open the newest thread of #rules."""
    await page.run(
        "[...document.querySelectorAll('.sidebar-item')].find(one => one.innerText.includes('rules')).click()"
    )
    await asyncio.sleep(0.5)
    await page.run("[...document.querySelectorAll('.thread-summary')].at(-1).click()")
    await asyncio.sleep(0.5)


async def all_pictures(page: Page, emulator: Emulator) -> None:
    """An answer, a long one, and a refusal."""
    ts = await asyncio.to_thread(ask, emulator, "What is the trial threshold?")
    await open_thread(page)
    await page.picture("slack-answer", (1100, 640))
    await asyncio.to_thread(ask, emulator, "and what was it before?", thread_ts=ts)
    await asyncio.to_thread(ask, emulator, WHY)
    await open_thread(page)
    await page.picture("slack-long-answer")
    for name, question in (
        ("slack-why", DECIDED),
        ("slack-chat-only", UNWRITTEN),
        ("slack-conflict", "How many days of annual leave do we get?"),
    ):
        await asyncio.to_thread(ask, emulator, question)
        await open_thread(page)
        await page.picture(name, SIZE if name == "slack-why" else (1100, 640))
    await asyncio.to_thread(ask, emulator, "May I bring my dog to the office?")
    await open_thread(page)
    await page.picture("slack-refusal", (1100, 520))


if __name__ == "__main__":
    main(all_pictures, filled)
