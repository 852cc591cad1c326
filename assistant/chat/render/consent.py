"""What a channel is told about us, with the choice of its people, as a Slack message."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from assistant.chat import texts
from assistant.chat.render.slack import section
from assistant.graph.consent import OUTSIDERS, Choice, Mode
from assistant.model.surfaces import Json, Message
from assistant.model.times import day

BUTTONS = (
    (Mode.ANSWER, "consent_answer", texts.CONSENT_ANSWER),
    (Mode.RECORD, "consent_record", texts.CONSENT_RECORD),
    (Mode.OFF, "consent_off", texts.CONSENT_OFF),
)
FORGET = "consent_forget"
STATES = {Mode.OFF: texts.CONSENT_IS_OFF, Mode.ANSWER: texts.CONSENT_ANSWERS, Mode.RECORD: texts.CONSENT_RECORDS}


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds in a channel."""

    channel: str
    choices: Sequence[Choice]
    """All that were made, oldest first."""
    kept: bool
    """Whether anything that was said there is recorded."""
    retention_days: int | None = None


def consent_message(standing: Standing, zone: tzinfo) -> Message:
    """What we do and for what, what holds now and by whose choice, and the buttons to choose anew."""
    now = state(standing, zone)
    about = texts.CONSENT_ABOUT
    if standing.retention_days:
        about += texts.CONSENT_RETENTION.format(days=standing.retention_days)
    mode = standing.choices[-1].mode if standing.choices else None
    buttons = [_button(action, _marked(label, chosen=one is mode), standing.channel) for one, action, label in BUTTONS]
    blocks = [section(about), section(f"*{now}*"), {"type": "actions", "elements": buttons}]
    if standing.kept and mode is not Mode.RECORD:
        blocks += [section(texts.CONSENT_KEPT), {"type": "actions", "elements": [_forget(standing.channel)]}]
    return Message(f"{about}\n{now}", tuple(blocks))


def state(standing: Standing, zone: tzinfo) -> str:
    """What holds now, since when, and who chose it: of the same choice made again, the first counts."""
    if not standing.choices:
        return texts.CONSENT_NONE
    last = first = standing.choices[-1]
    for earlier in reversed(standing.choices):
        if earlier.mode is not last.mode:
            break
        first = earlier
    told = texts.CONSENT_STOPPED if first.by == OUTSIDERS else STATES[first.mode]
    return told.format(day=day(first.at, zone), by=chooser(first))


def chooser(choice: Choice) -> str:
    """Who made a choice, as markup."""
    return f"<@{choice.by}>" if choice.by[:1] in ("U", "W") and choice.by.isalnum() else texts.CONSENT_BY_ADMIN


def _marked(label: str, *, chosen: bool) -> str:
    return f"✓ {label}" if chosen else label


def _button(action: str, label: str, channel: str) -> Json:
    return {"type": "button", "action_id": action, "text": _plain(label), "value": channel}


def _forget(channel: str) -> Json:
    confirm = {
        "title": _plain(texts.CONSENT_FORGET_TITLE),
        "text": _plain(texts.CONSENT_FORGET_SURE),
        "confirm": _plain(texts.FORGET),
        "deny": _plain(texts.CANCEL),
        "style": "danger",
    }
    return {**_button(FORGET, texts.CONSENT_FORGET, channel), "style": "danger", "confirm": confirm}


def _plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}
