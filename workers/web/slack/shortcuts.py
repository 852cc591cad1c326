"""The menu of a message: *This is a rule*, *Not a decision*, *Who decided this?*; and what their forms send.

A form has to open within three seconds, so it opens here with what the payload tells; a worker fills in the rest.
"""

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp

from assistant.chat import texts
from assistant.chat.render.forms import About, RuleForm, no_decision_form, note_view, rule_form
from assistant.errors import Fatal, Retry
from assistant.model.surfaces import Json
from connectors.slack.client import awaited
from connectors.slack.shortcuts import Picked, block_of, filled, picked_of, unpacked, words_of
from workers.queue import ACT, Work
from workers.web.intake import Intake

RULE, NO_DECISION, WHO = "flag_rule", "flag_no_decision", "who_decided"
"""Callback ids of the shortcuts, as manifests/slack.yaml names them; each is its form's, too."""
BUTTONS = ("flag_undo", "flag_undo_home", "flag_done", "flag_not_needed")
FORMS: dict[str, Callable[[About], Json]] = {
    RULE: lambda about: rule_form(RuleForm(about, about.words, about.speaker)),
    NO_DECISION: lambda about: no_decision_form(about, None),
    WHO: lambda _: note_view(texts.WHO_TITLE, texts.LOOKING),
}
"""What each opens with."""

log = structlog.get_logger()


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the shortcuts, to their forms, and to the buttons under what is told about marks."""
    for name in FORMS:
        app.shortcut(name)(_opening(name, intake))
    for name in (RULE, NO_DECISION):
        app.view(name)(_sent(name, intake))
    for action in BUTTONS:
        app.action(action)(_clicked(action, intake))

    @app.action("flag_find")
    async def sought(ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
        view = body["view"]
        await _have_filled(intake, RULE, view, unpacked(view["private_metadata"]), action.get("value") or "")
        await ack()

    @app.action("flag_from_who")
    async def from_who(ack: Any, body: dict[str, Any], client: Any) -> None:
        picked = unpacked(body["view"]["private_metadata"])
        view = await _opened(client, "views.push", body, FORMS[RULE](_about(picked, "")))
        await _have_filled(intake, RULE, view, picked)
        await ack()


def _opening(name: str, intake: Intake) -> Callable[..., Any]:
    async def opened(ack: Any, body: dict[str, Any], client: Any, respond: Any) -> None:
        picked = picked_of(body)
        try:
            view = await _opened(client, "views.open", body, FORMS[name](_about(picked, words_of(body))))
        except (Retry, Fatal) as error:  # Slack sends this once, and the moment in which a form can open has passed
            log.warning("a form did not open", form=name, reason=str(error))
            await respond(texts.NOT_OPENED, response_type="ephemeral", replace_original=False)
        else:
            await _have_filled(intake, name, view, picked)
        await ack()

    return opened


def _about(picked: Picked, words: str) -> About:
    return About(picked.packed(), words, picked.speaker, picked.url)


async def _opened(client: Any, method: str, body: dict[str, Any], view: Json) -> Json:
    """The form as Slack shows it. Raises Retry or Fatal."""
    shown = {"trigger_id": body["trigger_id"], "view": view}
    reply = await awaited(method, client.api_call(method, json=shown))
    return dict(reply["view"])


async def _have_filled(intake: Intake, name: str, view: Json, picked: Picked, find: str | None = None) -> None:
    """Have a form filled in; without a queue it stays as it is, which is enough to send it."""
    values = view.get("state", {}).get("values", {})
    payload = {
        "form": name,
        "view": view["id"],
        "hash": view["hash"],
        "opened": time.time(),
        "picked": asdict(picked),
        "find": find,
        "turn": block_of(values, "statement").removeprefix("statement"),
    }
    try:
        await intake.take(Work(ACT, "workers.forms.fill", f"form/{view['id']}/{view['hash']}", payload))
    except Retry as error:
        log.warning("a form is not filled in", form=name, reason=str(error))


def _sent(name: str, intake: Intake) -> Callable[..., Any]:
    async def sent(ack: Any, view: dict[str, Any]) -> None:
        values = view["state"]["values"]
        found = filled(values)
        if name == RULE and not any(letter.isalpha() for letter in found.statement):
            await ack(response_action="errors", errors={block_of(values, "statement"): texts.RULE_EMPTY})
            return
        fields = {"statement": found.statement, "decider": found.decider, "section": found.section}
        payload = {"form": name, "view": view["id"], "picked": asdict(unpacked(view["private_metadata"])), **fields}
        try:
            await intake.take(Work(ACT, "workers.flag.mark", f"flag/{view['id']}", payload))
        except Retry:
            if name == RULE:
                await ack(response_action="errors", errors={block_of(values, "statement"): texts.QUEUE_GONE})
            else:
                gone = note_view(texts.NO_DECISION_TITLE, texts.QUEUE_GONE)
                await ack(response_action="update", view=gone)
        else:
            await ack(response_action="clear")

    return sent


def _clicked(name: str, intake: Intake) -> Callable[..., Any]:
    async def clicked(ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
        user = body["user"]["id"]
        payload = {"flag": action["value"], "user": user, "action": name}
        await intake.take(Work(ACT, "workers.flag.clicked", f"{name}/{action['value']}/{user}", payload))
        await ack()

    return clicked
