"""What is said about marks: to who made one, to the owner of the nearest section, and on the App Home. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from assistant.chat import texts
from assistant.chat.render.fit import shortened
from assistant.chat.render.mrkdwn import escaped, link
from assistant.chat.render.slack import section
from assistant.model.surfaces import Json, Message
from assistant.model.times import day

if TYPE_CHECKING:  # the web process shows forms and makes no drafts
    from assistant.decisions.drafting import Draft

STATEMENT = 240
"""Characters of a statement in a list."""
LINE = 300
"""Characters of a line in a preview."""
SHOWN_RULES, SHOWN_CONFLICTS, SHOWN_MARKS = 12, 8, 8
"""Entries of each list of the App Home; with the rest of it they stay below its 100 blocks."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A mark that somebody made."""

    id: str
    statement: str
    """'' where it says that a message decided nothing."""
    at: datetime
    decider: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class OpenRule:
    """A decision that no commit carried out, as its readers see it."""

    statement: str
    decided_by: str | None
    at: datetime
    place: str
    """As people call it: `#rules`, the title of a meeting."""
    url: str | None
    origin: str = ""
    """Who marked it, where it was marked by hand."""
    says: str = ""
    """What the handbook says against it."""
    says_where: str = ""


@dataclass(frozen=True, slots=True)
class OpenRules:
    """What a person's App Home lists, newest first."""

    rules: Sequence[OpenRule] = ()
    conflicts: Sequence[OpenRule] = ()
    marks: Sequence[Marked] = ()
    rules_in_all: int = 0
    """Also those that are not listed."""
    conflicts_in_all: int = 0


def marked_message(mark: Marked, owner: str) -> Message:
    """Tells who made a mark that it is kept; `owner` is what became of telling the page's owner, '' for nothing."""
    words = texts.FLAG_RULE_KEPT if mark.statement else texts.FLAG_NO_DECISION_KEPT
    lead = words.format(message=link(mark.url, texts.THIS_MESSAGE))
    notes = [*_decided(mark), *([escaped(owner)] if owner else []), texts.FLAG_LATER]
    undo = _button("flag_undo", texts.FLAG_UNDO, mark.id)
    blocks = (section(_quoting(lead, mark)), _context("\n".join(notes)), _actions(undo))
    return Message(words.format(message=texts.THIS_MESSAGE), blocks)


def owner_message(mark: Marked, by: str, draft: "Draft") -> Message:
    """Tells the owner of a section which rule somebody would have there, with a draft of the text."""
    lead = texts.OWNER_LEAD.format(by=escaped(by), message=link(mark.url, texts.A_MESSAGE))
    path, place = (escaped(shortened(name.replace("`", "'"), LINE)) for name in (draft.path, draft.place))
    where = texts.OWNER_WHERE.format(path=path, place=place.replace(" &gt; ", " › "), line=draft.line)
    patch = [f"  {draft.before}", *(f"+ {line}" for line in draft.added)]
    shown = "\n".join(escaped(shortened_line(line)).replace("```", "'''") for line in patch)
    buttons = (
        {**_button("flag_done", texts.OWNER_DONE, mark.id), "style": "primary"},
        _button("flag_not_needed", texts.OWNER_NOT_NEEDED, mark.id),
    )
    decided = [_context("\n".join(_decided(mark)))] if _decided(mark) else []
    blocks = (section(_quoting(lead, mark)), *decided, section(f"{where}\n```\n{shown}\n```"), _actions(*buttons))
    return Message(texts.OWNER_LEAD.format(by=escaped(by), message=texts.A_MESSAGE), blocks)


def _quoting(lead: str, mark: Marked) -> str:
    return f"{lead}\n> {escaped(shortened(mark.statement, LINE))}" if mark.statement else lead


def _decided(mark: Marked) -> list[str]:
    decider = escaped(mark.decider.replace("`", "'"))
    return [f"Decided by {decider}"] if decider else []


def shortened_line(line: str) -> str:
    """A line of a preview, cut where it is too long; what it begins with stays."""
    lead = line[: len(line) - len(line.lstrip(" "))] or ""
    return lead + shortened(line, LINE)


def open_blocks(known: OpenRules, now: datetime, zone: tzinfo) -> list[Json]:
    """The part of the App Home that lists what nobody has written down, and what the viewer marked."""
    blocks = [
        _header(texts.HOME_RULES),
        *(section(_rule(one, now)) for one in known.rules[:SHOWN_RULES]),
        *_rest(known.rules_in_all - SHOWN_RULES),
    ]
    if not known.rules:
        blocks.append(section(texts.HOME_RULES_NONE))
    if known.conflicts:
        blocks += [_header(texts.HOME_CONFLICTS)]
        blocks += [section(_rule(one, now)) for one in known.conflicts[:SHOWN_CONFLICTS]]
        blocks += _rest(known.conflicts_in_all - SHOWN_CONFLICTS)
    if known.marks:
        blocks += [_header(texts.HOME_MARKS), *(_mark(one, zone) for one in known.marks[:SHOWN_MARKS])]
    return [*blocks, {"type": "divider"}]


def age(at: datetime, now: datetime) -> str:
    """How long ago in words: today, 1 day, 12 days."""
    days = max((now - at).days, 0)
    return "today" if not days else f"{days:,} day{'s' if days > 1 else ''}"


def _rule(one: OpenRule, now: datetime) -> str:
    who = f"decided by {one.decided_by}" if one.decided_by else "decided"
    meta = [age(one.at, now), escaped(who), link(one.url, one.place), *([escaped(one.origin)] if one.origin else [])]
    lines = [f"*{escaped(shortened(one.statement, STATEMENT))}*", " · ".join(meta)]
    if one.says:
        said = texts.HOME_SAYS.format(quote=shortened(one.says, STATEMENT), place=one.says_where)
        lines.insert(1, escaped(said))
    return "\n".join(lines)


def _mark(one: Marked, zone: tzinfo) -> Json:
    said = shortened(one.statement, STATEMENT) or texts.NO_DECISION_TITLE
    where = f" · {link(one.url, 'the message')}" if one.url else ""
    told = f"{escaped(said)}\n{day(one.at, zone)}{where}"
    return {**section(told), "accessory": _button("flag_undo_home", texts.FLAG_UNDO, one.id)}


def _rest(count: int) -> list[Json]:
    return [section(texts.HOME_REST.format(count=f"{count:,}"))] if count > 0 else []


def _header(text: str) -> Json:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _context(markup: str) -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": markup, "verbatim": True}]}


def _actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def _button(action: str, label: str, value: str) -> Json:
    return {"type": "button", "action_id": action, "text": {"type": "plain_text", "text": label}, "value": value}
