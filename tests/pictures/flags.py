"""Takes README's pictures of marking a rule by hand: the form, the owner's draft, the App Home.

    python -m tests.pictures.flags

The emulator has no menu of a message, so what Slack sends for a pick in it is sent here.
"""

import asyncio
import re

import aiohttp

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import open_space
from assistant.settings import Settings
from tests.chaos.slack import fill
from tests.fakes import slack_requests as made
from tests.fakes.slack_emulator import Emulator
from tests.pictures.slack import Page, main
from tests.pictures.talk import write_export
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export

RULE = "As it comes up each time: whoever leaves may buy the chair and the screen for a third of the price."
STATEMENT = "Whoever leaves may buy their chair and screen for a third of the price."
SET = """(() => {{ const field = {field};
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, {value!r});
field.dispatchEvent(new Event('input', {{bubbles: true}}));
field.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"""


def prepare(settings: Settings) -> Servers:
    """The demonstration's handbook, and what was said before."""
    servers = fill(settings)
    with open_space(settings, servers=servers) as space:
        ingest_slack_export(space, write_export(settings.home / "export"))
        reconcile(space, days=14)
    return servers


async def pick(emulator: Emulator, shortcut: str, ts: str, text: str) -> None:
    """Ana picks in the menu of Ben's message; return when the form is filled in."""
    emulator.control("command", channel="C01RULES", user="U01ANA", command="/why", text="help")
    trigger = re.findall(r"trigger_id=([\w.]+)", str(emulator.log()))[-1]
    body = made.shortcut(shortcut, {"ts": ts, "user": "U02BEN", "text": text}, trigger=trigger)
    headers = made.signed(body, kind="application/x-www-form-urlencoded")
    address = f"http://127.0.0.1:{emulator.web}/slack/interactivity"
    async with aiohttp.ClientSession() as session, session.post(address, data=body, headers=headers) as response:
        assert response.status == 200, await response.text()
    await asyncio.sleep(3.0)


async def open_place(page: Page, name: str) -> None:
    """Choose an entry of the sidebar."""
    script = f"[...document.querySelectorAll('.sidebar-item')].find(one => one.innerText.includes('{name}')).click()"
    await page.run(script)
    await asyncio.sleep(1.0)


async def all_pictures(page: Page, emulator: Emulator) -> None:
    """The form, the owner's message, the App Home."""
    sent = emulator.control("message", channel="C01RULES", user="U02BEN", text=RULE)
    await open_place(page, "rules")
    await pick(emulator, "flag_rule", str(sent["message"]["ts"]), RULE)
    await page.run(SET.format(field="document.querySelector('.modal .bk-plain-input')", value=STATEMENT))
    sections = "document.querySelectorAll('.modal .bk-select')[1]"
    first = await page.run(f"{sections}.options[1].value")
    await page.run(SET.format(field=sections, value=first))
    await page.picture("slack-rule", (1100, 720))
    await page.run("document.querySelector('.modal .modal-btn.primary').click()")
    await asyncio.sleep(4.0)
    await page.run(SET.format(field="document.querySelector('.actas select')", value="U03LENA"))
    await open_place(page, "Lena")
    await page.picture("slack-owner", (1100, 420))
    await page.run(SET.format(field="document.querySelector('.actas select')", value="U01ANA"))
    emulator.control("open-home", user="U01ANA")
    await open_place(page, "brain")
    await asyncio.sleep(2.0)
    await page.picture("slack-home", (1100, 860))


if __name__ == "__main__":
    main(all_pictures, prepare)
