"""Slack views: the App Home and the form that asks what was wrong with an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from assistant.chat import texts
from assistant.chat.render.fit import shortened
from assistant.chat.render.flags import OpenRules, open_blocks
from assistant.chat.render.mrkdwn import escaped, link, sections
from assistant.chat.render.slack import section
from assistant.model.surfaces import Json
from assistant.model.times import day

SHOWN_BOOKS = 20
SHOWN_QUESTIONS = 10
QUESTION = 150
"""Characters of a question in the list."""
WHY = 3000
"""Characters that Slack's input block takes at most."""


@dataclass(frozen=True, slots=True)
class Handbook:
    """A source as its readers see it."""

    name: str
    url: str | None
    pages: int
    sections: int
    until: datetime
    """Its head: everything up to this moment is known."""


@dataclass(frozen=True, slots=True)
class Recent:
    """A question that a person asked, and whether it was answered."""

    text: str
    at: datetime
    answered: bool


def home_view(
    handbooks: Sequence[Handbook],
    questions: Sequence[Recent],
    zone: tzinfo,
    open_rules: OpenRules | None = None,
    now: datetime | None = None,
    to_look_at: Sequence[Json] = (),
) -> Json:
    """What it knows, how fresh that is, and what the viewer asked lately, newest first.

    Over it what the viewer's channels decided and nobody wrote down, for a viewer who may know of any; and first of
    all `to_look_at`, blocks of what commits did to answers on pages of theirs.
    """
    undecided = open_blocks(open_rules, now or datetime.now(UTC), zone) if open_rules is not None else []
    known = [section(_handbook(book, zone)) for book in handbooks[:SHOWN_BOOKS]] or [section(texts.HOME_NOTHING)]
    asked = "\n".join(_question(one, zone) for one in questions[:SHOWN_QUESTIONS]) or texts.HOME_NO_QUESTIONS
    blocks = [
        *to_look_at,
        *undecided,
        _header(texts.HOME_TITLE),
        *known,
        {"type": "divider"},
        _header(texts.HOME_RECENT),
        *map(section, sections(asked)),
        {"type": "divider"},
        _header(texts.HOME_ASK),
        section(texts.HELP),
    ]
    return {"type": "home", "blocks": blocks}


def why_form(context: str) -> Json:
    """The form behind *Bad answer*; `context` comes back with it, unseen."""
    return {
        "type": "modal",
        "callback_id": "feedback_why",
        "private_metadata": context,
        "title": _plain(texts.WHY_TITLE),
        "submit": _plain(texts.SEND),
        "close": _plain(texts.CANCEL),
        "blocks": [
            {
                "type": "input",
                "block_id": "why",
                "label": _plain(texts.WHY_LABEL),
                "element": {"type": "plain_text_input", "action_id": "why", "multiline": True, "max_length": WHY},
            }
        ],
    }


def _handbook(book: Handbook, zone: tzinfo) -> str:
    local = book.until.astimezone(zone)
    fresh = f"complete up to {day(book.until, zone)}, {local:%H:%M %Z}"
    name = link(book.url, shortened(book.name, QUESTION))
    return f"*{name}*\n{book.pages:,} pages, {book.sections:,} sections · {fresh}"


def _question(one: Recent, zone: tzinfo) -> str:
    end = "" if one.answered else " · not answered"
    return f"• {escaped(shortened(one.text, QUESTION))} · {day(one.at, zone)}{end}"


def _header(text: str) -> Json:
    return {"type": "header", "text": _plain(text)}


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}
