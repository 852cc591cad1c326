"""What owners are told of answers that a commit broke or put in doubt, and the mark at such an answer. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from assistant.chat import texts
from assistant.chat.render.changed import bold, changed, unmarked
from assistant.chat.render.fit import shortened
from assistant.chat.render.flags import age
from assistant.chat.render.mrkdwn import escaped, link
from assistant.chat.render.slack import section, words
from assistant.model.surfaces import Json, Message
from assistant.model.times import day

SHOWN = 5
"""Notices in one message."""
SHOWN_HOME = 10
"""On the App Home."""
LINE = 300
"""Characters of a question, a claim, a path, as markup."""
NAME = 80
"""Of somebody's name."""
NOTES = 3
"""On the App Home."""
USER = re.compile(r"[UW][A-Z0-9]{2,}")
CHANNEL = re.compile(r"channel:([CG][A-Z0-9]+)")
BUTTONS = {
    "notice_refresh": texts.NOTICE_REFRESH,
    "notice_right": texts.NOTICE_RIGHT,
    "notice_not_mine": texts.NOTICE_NOT_MINE,
    "notice_later": texts.NOTICE_LATER,
}
"""The buttons under a notice, by action."""


@dataclass(frozen=True, slots=True)
class Source:
    """The commit that changed something."""

    sha: str
    author: str
    at: int
    url: str | None = None
    request: str = ""
    """As its host writes it: `#52`."""
    request_url: str | None = None

    def linked(self) -> str:
        """Its short name, as markup."""
        return link(self.url, self.sha[:7])


@dataclass(frozen=True, slots=True)
class Change:
    """Words that an answer leans on, before and after."""

    old: str
    new: str | None
    """What stands in their place, or came beside them."""
    beside: bool
    path: str


@dataclass(frozen=True, slots=True)
class Card:
    """A notice as one owner may see it."""

    value: str
    """Comes back with a click."""
    sure: bool
    source: Source
    change: Change | None
    """None where the owner may not open the page."""
    question: str = ""
    """'' where the owner may not open the place that it was asked in."""
    claim: str = ""
    asker: str = ""
    place: str = ""
    """The answer's Audience."""
    url: str | None = None
    """Of the answer."""
    private: int = 1
    """How many people asked where the owner may not see it."""
    state: str = ""
    """What became of it, in words; '' while it is open."""
    anew: bool = False
    """Whether a new answer stands under the old one."""


def notice_message(cards: Sequence[Card], zone: tzinfo) -> Message:
    """Open notices first, at most SHOWN, with buttons; then a line for each that is settled."""
    waiting = [card for card in cards if not card.state]
    done = [card for card in cards if card.state][: 2 * SHOWN]
    blocks = [block for card in waiting[:SHOWN] for block in (*_card(card, zone), {"type": "divider"})][:-1]
    if len(waiting) > SHOWN:
        blocks.append(section(texts.NOTICE_MORE.format(count=len(waiting) - SHOWN)))
    blocks += [_context(_settled(card)) for card in done]
    if not cards:
        return words(texts.NOTICE_MOVED)
    count = len(waiting)
    summary = texts.NOTICE_SUMMARY[0] if count == 1 else texts.NOTICE_SUMMARY[1].format(count=count)
    return Message(summary if count else done[0].state, tuple(blocks))


def notice_blocks(
    cards: Sequence[tuple[Card, datetime]], in_all: int, notes: Sequence[str], now: datetime
) -> list[Json]:
    """The part of the App Home with a person's open notices, each with when it was found; `notes` under it."""
    title = f"{texts.HOME_NOTICES} ({in_all:,})"
    blocks: list[Json] = [{"type": "header", "text": {"type": "plain_text", "text": title}}]
    for card, found in cards[:SHOWN_HOME]:
        what = texts.NOTICE_SURE if card.sure else texts.NOTICE_DOUBT
        lead = f"*{what}* · {age(found, now)}\n{_asked(card)}"
        blocks += [section(lead), section("\n".join(_change(card))), _actions(card)]
    if in_all > len(cards[:SHOWN_HOME]):
        blocks.append(section(texts.HOME_REST.format(count=f"{in_all - len(cards[:SHOWN_HOME]):,}")))
    return [*blocks, *map(section, notes[:NOTES]), {"type": "divider"}]


def banner(source: Source, zone: tzinfo, *, sure: bool, again: bool) -> Json:
    """The mark over a stale answer, or one in doubt."""
    said = texts.STALE_SINCE if sure else texts.STALE_DOUBT
    later = texts.STALE_AGAIN if again else ""
    return section(
        said.format(commit=source.linked(), author=_brief(source.author, NAME), day=day(source.at, zone), again=later)
    )


def again_lead(source: Source, asker: str | None, question: str | None) -> str:
    """What stands over the new answer: in a thread whom it concerns, in a direct conversation the question."""
    commit, author = source.linked(), _brief(source.author, NAME)
    if question is not None:
        quoted = _brief(question)
        return texts.AGAIN_QUOTING.format(commit=commit, author=author, question=quoted)
    who = f"<@{asker}>, " if asker and USER.fullmatch(asker) else ""
    return texts.AGAIN_LEAD.format(who=who, commit=commit, author=author)


def _card(card: Card, zone: tzinfo) -> list[Json]:
    what = texts.NOTICE_SURE if card.sure else texts.NOTICE_DOUBT
    told = [f"*{what}*", _asked(card), texts.NOTICE_ANEW if card.anew else ""]
    change = "\n".join(_change(card))
    return [
        section("\n".join(filter(None, told))),
        *([section(change)] if change else []),
        _context(_trail(card, zone)),
        _actions(card),
    ]


def _asked(card: Card) -> str:
    if not card.question:
        return texts.NOTICE_PRIVATE[0] if card.private == 1 else texts.NOTICE_PRIVATE[1].format(count=card.private)
    who = f"<@{card.asker}>" if USER.fullmatch(card.asker) else _brief(card.asker, NAME) or texts.NOTICE_SOMEBODY
    lead = texts.NOTICE_ASKED.format(who=who, where=_where(card))
    claim = texts.NOTICE_ANSWERED.format(claim=_brief(card.claim)) if card.claim else ""
    return "\n".join(filter(None, (lead, f"> {_brief(card.question)}", claim)))


def _where(card: Card) -> str:
    if found := CHANNEL.fullmatch(card.place):
        return f"in <#{found[1]}>" + (f" ({link(card.url, 'there')})" if card.url else "")
    return texts.NOTICE_ON_COMMAND if card.place == "public" else texts.NOTICE_HERE


def _change(card: Card) -> list[str]:
    """The words before and after."""
    change = card.change
    if change is None:
        return [texts.NOTICE_BLIND]
    if change.beside:
        return [f"> {unmarked(change.old)}", f"{texts.NOTICE_BESIDE}\n> {bold(change.new or '')}"]
    if change.new is None:
        was, _ = changed(change.old, "")
        return [f"{texts.NOTICE_BEFORE}\n> {was}", f"{texts.NOTICE_NOW}\n> {texts.NOTICE_GONE}"]
    was, now = changed(change.old, change.new)
    return [f"{texts.NOTICE_BEFORE}\n> {was}", f"{texts.NOTICE_NOW}\n> {now}"]


def _trail(card: Card, zone: tzinfo) -> str:
    if card.change is None:
        return day(card.source.at, zone)
    source = card.source
    parts = [
        f"`{_brief(card.change.path.replace('`', chr(39)))}`",
        f"{source.linked()} by {_brief(source.author, NAME)}",
        day(source.at, zone),
    ]
    if source.request:
        parts.append(f"request {link(source.request_url, source.request)}")
    return " · ".join(parts)


def _settled(card: Card) -> str:
    """A notice that needs nothing more, in one line."""
    about = f"“{_brief(card.question, NAME)}” · " if card.question else ""
    return f"{about}{card.state}"


def _actions(card: Card) -> Json:
    return {
        "type": "actions",
        "elements": [
            {"type": "button", "action_id": action, "text": {"type": "plain_text", "text": label}, "value": card.value}
            for action, label in BUTTONS.items()
        ],
    }


def _brief(text: str, limit: int = LINE) -> str:
    """The text on one line, escaped, in at most so many characters of markup."""
    said = shortened(text, limit)
    while len(escaped(said)) > limit:
        said = shortened(said, len(said) * 3 // 4)
    return escaped(said)


def _context(markup: str) -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": markup, "verbatim": True}]}
