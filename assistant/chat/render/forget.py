"""The forms behind `/why forget`: what is recorded, and the question whether it is to go for good."""

from collections.abc import Sequence

from assistant.chat import texts
from assistant.chat.render.fit import shortened
from assistant.chat.render.mrkdwn import escaped, sections
from assistant.chat.render.slack import section
from assistant.model.surfaces import Json

NAME = 200
"""Characters of a place's name."""
PLACES = 100
"""Places that are told one by one; there may be more."""
SURE = "forget_sure"
"""Callback id of the form."""


def own_form(places: Sequence[tuple[str, int]], asked: int, marked: int, judged: int = 0) -> Json:
    """What is recorded of one's own words in places that one can open, and whether to forget all of them."""
    lines = [texts.FORGET_PLACE.format(place=escaped(shortened(n, NAME)), count=messages(c)) for n, c in places]
    lines = lines[:PLACES] or [texts.FORGET_ELSEWHERE]
    if asked:
        lines.append(texts.FORGET_ASKED.format(count=counted(texts.FORGET_QUESTIONS, asked)))
    if marked:
        lines.append(texts.FORGET_MARKED.format(count=counted(texts.FORGET_MESSAGES, marked)))
    if judged:
        lines.append(texts.FORGET_JUDGED.format(count=counted(texts.FORGET_ANSWERS, judged)))
    return sure_form("\n".join([texts.FORGET_FOUND, *lines]), texts.FORGET_SURE, "")


def others_form(name: str, said: int, asked: int, target: str) -> Json:
    """What is recorded of a person or a conversation, for an admin."""
    parts = [messages(said), *([counted(texts.FORGET_QUESTIONS, asked)] if asked else [])]
    found = texts.FORGET_ADMIN_FOUND.format(name=escaped(shortened(name, NAME)), count=", ".join(parts))
    return sure_form(found, texts.FORGET_ADMIN_SURE, target)


def sure_form(found: str, sure: str, target: str) -> Json:
    """A form that asks whether to forget; `target` comes back with it, unseen."""
    blocks = [*map(section, sections(found)), section(sure)]
    return {
        "type": "modal",
        "callback_id": SURE,
        "private_metadata": target,
        "title": _plain(texts.FORGET_TITLE),
        "submit": _plain(texts.FORGET),
        "close": _plain(texts.CANCEL),
        "blocks": blocks,
    }


def messages(count: int) -> str:
    """So many messages, in words."""
    return counted(texts.FORGET_MESSAGES, count)


def counted(forms: tuple[str, str], count: int) -> str:
    """A number of things in words."""
    return forms[0] if count == 1 else forms[1].format(count=f"{count:,}")


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}
