"""Takes README's pictures of a notice: the owner's message, and the answer that is out of date with the new one.

python -m tests.pictures.notices
"""

import asyncio
import json
import sys
import time

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import open_space
from assistant.settings import Settings
from tests.fakes.handbook import Handbook
from tests.fakes.slack_emulator import TOKEN, Emulator
from tests.pictures.flags import SET, open_place
from tests.pictures.slack import Page, ask, main, open_thread
from workers.tell import ask_to_tell

PAGE = "handbook/sales/trials.md"
RULE = """# Trials

## Threshold

A trial counts as an MQL when it has {seats} active seats.

## Length

A trial lasts 14 days. {more}
"""
LENA = "U03LENA"
prepared: list[Handbook] = []
places: list[Settings] = []


def written(seats: int, more: str = "") -> dict[str | bytes, str | bytes | None]:
    """The page, and whose it is."""
    return {PAGE: RULE.format(seats=seats, more=more), "CODEOWNERS": "* lena@acme.example\n"}


def prepare(settings: Settings) -> Servers:
    """A handbook of one page with an owner."""
    space = open_space(settings)
    book = Handbook(space, settings.home)
    book.commit(
        written(25), "Write it down (#1)", author="Ana Lindt <ana@acme.example>", at=int(time.time()) - 9_000_000
    )
    book.ingest(web_url="https://github.com/acme/handbook")
    prepared.append(book)
    places.append(settings)
    return space.servers


def change(message: str, seats: int, more: str = "") -> float:
    """Ben changes the page, and it is read as after a push; when that began."""
    began = time.monotonic()
    book = prepared[0]
    book.commit(written(seats, more), message, author="Ben Ode <ben@acme.example>", at=int(time.time()))
    book.ingest()
    ask_to_tell(book.space, places[0].model_copy(update={"slack_bot_token": TOKEN}))
    return began


def told(emulator: Emulator) -> str:
    """What our direct messages to the owner say."""
    rooms = [one["id"] for one in emulator.state("state")["channels"] if one["is_im"] and LENA in one["members"]]
    return json.dumps([emulator.messages(room) for room in rooms], ensure_ascii=False)


async def until(emulator: Emulator, words: str) -> float:
    """Returns when the owner has been told of it: the moment."""
    end = time.monotonic() + 60
    while words not in told(emulator):
        if time.monotonic() > end:
            raise TimeoutError(words)
        await asyncio.sleep(0.05)
    return time.monotonic()


async def all_pictures(page: Page, emulator: Emulator) -> None:
    """The thread with the answer that is out of date, and the owner's message."""
    await asyncio.to_thread(ask, emulator, "How long does a trial last?")
    await asyncio.to_thread(ask, emulator, "What is the trial threshold?")
    began = change("Raise the trial threshold (#52)", 31)
    sys.stdout.write(f"told {await until(emulator, '*31*') - began:.2f} s after the commit\n")
    change("Leave partners out (#54)", 31, "This does not apply to partners.")
    await until(emulator, "partners")
    await asyncio.sleep(3.0)
    await open_place(page, "rules")
    await open_thread(page)
    await page.picture("slack-stale", (1100, 640))
    await page.run(SET.format(field="document.querySelector('.actas select')", value=LENA))
    await open_place(page, "Lena")
    await page.picture("slack-notice", (1100, 760))


if __name__ == "__main__":
    main(all_pictures, prepare)
