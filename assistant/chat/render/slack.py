"""Answers and other words as Slack messages in Block Kit. Limits are those of Slack's Block Kit reference."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo

from assistant.chat import texts
from assistant.chat.render.fit import shortened
from assistant.chat.render.mrkdwn import escaped, from_markdown, link, sections
from assistant.chat.render.trail import Step, steps
from assistant.model.answers import Answer, Status
from assistant.model.surfaces import Json, Message
from assistant.model.times import day

BLOCKS = 50
"""Blocks in one message."""
MESSAGE = 12_000
"""Characters of text in one message; Slack refuses some above 13,200 with msg_blocks_too_long (measured by others)."""
MESSAGES = 5
"""Messages that one answer may take."""
FALLBACK = 3000
"""Characters of the plain text that notifications and screen readers get."""
SHOWN_SOURCES = 5
SHOWN_QUOTES = 3
QUOTED = 400
"""Characters of a source's quote."""
VALUE = 2000
"""Characters in the value of a button."""


@dataclass(frozen=True, slots=True)
class Share:
    """Where a private answer may be asked again in public."""

    channel: str
    question: str


def answer_messages(answer: Answer, zone: tzinfo, share: Share | None = None, lead: str = "") -> tuple[Message, ...]:
    """The answer as one message, or as several where Slack's limits demand; sources and buttons end the last one.

    `lead` is a line of markup over it.
    """
    markup = from_markdown(answer.text)
    parts = sections(f"{lead}\n{markup}" if lead else markup)
    pages = _pages(parts)
    blocks = [[section(part) for part in page] for page in pages]
    blocks[-1] += [*_sources(answer, zone), *_note(answer, zone)]
    buttons = list(_buttons(answer, share))
    text = shortened(answer.text, FALLBACK)
    return tuple(
        Message(
            escaped(text),
            (*page, *(new for new, _ in buttons)) if last else tuple(page),
            (*page, *(old for _, old in buttons)) if last else None,
        )
        for page, last in ((page, page is blocks[-1]) for page in blocks)
    )


def words(text: str) -> Message:
    """A message of our own words: already markup."""
    return Message(text, tuple(section(part) for part in sections(text))[:BLOCKS])


def _pages(parts: list[str]) -> list[list[str]]:
    """Sections laid out on messages; what no message may hold any more is cut and said so."""
    pages: list[list[str]] = [[]]
    for part in parts:
        if pages[-1] and sum(map(len, pages[-1])) + len(part) > MESSAGE:
            pages.append([])
        pages[-1].append(part)
    if len(pages) > MESSAGES:
        pages = [*pages[:MESSAGES]]
        pages[-1].append(texts.CUT)
    return pages


def section(markup: str) -> Json:
    """A block of markup; `verbatim`: Slack makes no link out of what merely looks like one."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": markup or " ", "verbatim": True}}


def _context(markup: str) -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": markup, "verbatim": True}]}


def _sources(answer: Answer, zone: tzinfo) -> Iterator[Json]:
    """A rule to the sources and one block each: the quote, then rule → request → dates."""
    found = steps(answer, zone)
    if not found:
        return
    yield {"type": "divider"}
    for step in found[:SHOWN_SOURCES]:
        yield _context(_source(step))
    if len(found) > SHOWN_SOURCES:
        yield _context(texts.MORE_SOURCES.format(count=len(found) - SHOWN_SOURCES))


def _source(step: Step) -> str:
    trail = [f"*{link(step.url, step.label)}*"]
    if step.request:
        trail.append(f"request {escaped(step.request)}")
    if step.holds:
        trail.append(escaped(step.holds))
    for decided in step.decided:
        trail += [escaped(decided.holds), link(decided.url, decided.label)]
    quotes = [quote for one in (step, *step.decided) for quote in one.quotes]
    lines = [f"> {escaped(shortened(quote, QUOTED))}" for quote in quotes[:SHOWN_QUOTES]]
    lines.append(" → ".join(trail))
    if step.notes:
        lines.append(" · ".join(map(escaped, step.notes)))
    return "\n".join(lines)


def _note(answer: Answer, zone: tzinfo) -> Iterator[Json]:
    if answer.as_of is not None:
        yield _context(texts.AS_OF.format(day=day(answer.as_of, zone)))


def _buttons(answer: Answer, share: Share | None) -> Iterator[tuple[Json, Json]]:
    """Each row of buttons twice: with Slack's feedback buttons, and for workspaces that refuse them."""
    if share is not None and answer.status is Status.ANSWERED:
        value = json.dumps({"channel": share.channel, "question": share.question}, ensure_ascii=False)
        if len(value) <= VALUE:
            row = _actions(_button("share", texts.SHARE_WHERE, value))
            yield row, row
    good, bad = f"good:{answer.answer_id}", f"bad:{answer.answer_id}"
    native = {
        "type": "feedback_buttons",
        "action_id": "feedback",
        "positive_button": _choice(texts.GOOD, good),
        "negative_button": _choice(texts.BAD, bad),
    }
    plain = _actions(_button("feedback_good", texts.GOOD, good), _button("feedback_bad", texts.BAD, bad))
    yield {"type": "context_actions", "elements": [native]}, plain


def _choice(label: str, value: str) -> Json:
    return {"text": {"type": "plain_text", "text": label}, "accessibility_label": label, "value": value}


def _actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def _button(action: str, label: str, value: str) -> Json:
    return {"type": "button", "action_id": action, "text": {"type": "plain_text", "text": label}, "value": value}
