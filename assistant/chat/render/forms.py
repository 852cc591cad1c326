"""Slack forms about one message: *This is a rule*, *Not a decision*, *Who decided this?*. Limits are Slack's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from assistant.chat import texts
from assistant.chat.render.fit import shortened
from assistant.chat.render.mrkdwn import escaped, link
from assistant.chat.render.slack import answer_messages, section
from assistant.model.answers import Answer
from assistant.model.surfaces import Json

STATEMENT = 500
"""Characters of a statement, which is one sentence."""
OPTION = 75
"""Characters of an entry of a list."""
SHOWN = 300
"""Characters of a message that are shown over a form."""
NO_SECTION = "none"
"""What the last entry of the list of sections stands for."""
BLOCKS = 100
"""Blocks of a view."""


@dataclass(frozen=True, slots=True)
class About:
    """The message that a form is about, as far as the form shows it."""

    packed: str
    """Comes back with the form, unseen."""
    words: str
    speaker: str | None
    """User id; None for an app."""
    url: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A section of the handbook to choose."""

    lineage: str
    heading: str
    """Its headings, joined."""
    path: str


@dataclass(frozen=True, slots=True)
class RuleForm:
    """What the form *This is a rule* is filled in with."""

    about: About
    statement: str
    decider: str | None
    """User id."""
    sections: Sequence[Choice] | None = None
    """None while they are looked for."""
    unrecorded: bool = False
    turn: str = ""
    """How the names of the fields end: a field keeps what was typed or chosen while it keeps its name."""


def rule_form(form: RuleForm) -> Json:
    """The form that makes a rule of a message."""
    statement = {
        "type": "plain_text_input",
        "action_id": "statement",
        "multiline": True,
        "max_length": STATEMENT,
    } | ({"initial_value": shortened(form.statement, STATEMENT)} if form.statement else {})
    decider = {"type": "users_select", "action_id": "decider"} | (
        {"initial_user": form.decider} if form.decider else {}
    )
    note = [_context(texts.RULE_UNRECORDED)] if form.unrecorded else []
    blocks = [
        section(_quoted(form.about)),
        _input(f"statement{form.turn}", texts.RULE_STATEMENT, statement, texts.RULE_STATEMENT_HINT),
        _input(f"decider{form.turn}", texts.RULE_DECIDER, decider),
        *_sections(form.sections),
        *note,
    ]
    return _modal("flag_rule", texts.RULE_TITLE, form.about.packed, blocks, texts.RULE_SEND)


def no_decision_form(about: About, held: Sequence[str] | None) -> Json:
    """The question whether to take away what is held as decided by a message: `held`, None while it is looked up."""
    if held is None:
        known = [_context(texts.NO_DECISION_LOOKING)]
    elif held:
        known = [
            section("\n".join((texts.NO_DECISION_FOUND, *(f"• {escaped(shortened(h, SHOWN))}" for h in held[:5]))))
        ]
    else:
        known = [_context(texts.NO_DECISION_NONE)]
    blocks = [section(_quoted(about)), *known, section(texts.NO_DECISION_ASK)]
    return _modal("flag_no_decision", texts.NO_DECISION_TITLE, about.packed, blocks, texts.NO_DECISION_SEND)


def who_view(about: About, answer: Answer | None, zone: tzinfo) -> Json:
    """Who decided it, in what words and what came of it; or that nothing is known, with the way to mark it."""
    if answer is None:
        mark = {"type": "button", "action_id": "flag_from_who", "text": plain(texts.RULE_TITLE), "value": "rule"}
        told = [section(f"{texts.WHO_NONE} {texts.WHO_MARK}"), {"type": "actions", "elements": [mark]}]
    else:
        told = [block for one in answer_messages(answer, zone) for block in one.blocks if block["type"] in SPOKEN]
    return _modal("who_decided", texts.WHO_TITLE, about.packed, [section(_quoted(about)), *told][:BLOCKS])


SPOKEN = ("section", "context", "divider")
"""Blocks of an answer that a form may show: its buttons belong to a message."""


def note_view(title: str, text: str) -> Json:
    """A form that only says something."""
    return _modal("note", title, "", [section(text)])


def plain(text: str) -> Json:
    """Text without markup."""
    return {"type": "plain_text", "text": text}


def _sections(choices: Sequence[Choice] | None) -> list[Json]:
    """The list of sections, the first one chosen, and the field that looks for others."""
    if choices is None:
        return [_context(texts.RULE_LOOKING)]
    options = [_option(one) for one in choices] + [{"text": plain(texts.RULE_NO_SECTION), "value": NO_SECTION}]
    shown = "".join(one.lineage[:2] for one in choices[:8])
    chosen = {"type": "static_select", "action_id": "section", "options": options, "initial_option": options[0]}
    find = {
        "type": "plain_text_input",
        "action_id": "flag_find",
        "max_length": OPTION,
        "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed"]},
    }
    nearest = (
        [_input(f"section.{shown}", texts.RULE_SECTION, chosen)] if choices else [_context(texts.RULE_NO_SECTIONS)]
    )
    return [
        *nearest,
        {**_input("find", texts.RULE_FIND, find, texts.RULE_FIND_HINT), "optional": True, "dispatch_action": True},
    ]


def _option(one: Choice) -> Json:
    """An entry: the last headings, which tell most, and the path."""
    heading = one.heading if len(one.heading) <= OPTION else f"…{one.heading[1 - OPTION :]}"
    path = one.path if len(one.path) <= OPTION else f"…{one.path[1 - OPTION :]}"
    return {"text": plain(heading), "value": one.lineage, "description": plain(path)}


def _quoted(about: About) -> str:
    """The message as it stands over a form."""
    who = f"<@{about.speaker}>" if about.speaker else "an app"
    words = escaped(shortened(about.words, SHOWN))
    return f"{link(about.url, 'The message')} of {who}" + (f":\n> {words}" if words else "")


def _modal(name: str, title: str, packed: str, blocks: Sequence[Json], send: str | None = None) -> Json:
    submit = {"submit": plain(send), "close": plain(texts.CANCEL)} if send else {"close": plain(texts.CLOSE)}
    return {
        "type": "modal",
        "callback_id": name,
        "private_metadata": packed,
        "title": plain(title),
        **submit,
        "blocks": list(blocks),
    }


def _input(name: str, label: str, element: Json, hint: str = "") -> Json:
    told = {"hint": plain(hint)} if hint else {}
    return {"type": "input", "block_id": name, "label": plain(label), "element": element, **told}


def _context(markup: str) -> Json:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": markup, "verbatim": True}]}
