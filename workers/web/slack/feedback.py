"""The buttons under an answer, and the form that asks what was wrong."""

import json
from typing import Any

from slack_bolt.async_app import AsyncApp

from assistant.chat import texts
from assistant.chat.render.views import why_form
from assistant.errors import Retry
from workers.queue import ACT, Work
from workers.web.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to both kinds of buttons and to the form."""

    @app.action("feedback")
    @app.action("feedback_good")
    @app.action("feedback_bad")
    async def judged(ack: Any, body: dict[str, Any], action: dict[str, Any], client: Any, respond: Any) -> None:
        verdict, _, answer_id = action["value"].partition(":")
        given = _given(body, verdict, answer_id)
        try:
            await intake.take(given)
        except Retry:
            await respond(texts.QUEUE_GONE, response_type="ephemeral", replace_original=False)
        else:
            if verdict == "bad":
                await client.views_open(trigger_id=body["trigger_id"], view=why_form(json.dumps(given.payload)))
        await ack()

    @app.view("feedback_why")
    async def explained(ack: Any, view: dict[str, Any]) -> None:
        given = json.loads(view["private_metadata"])
        why = view["state"]["values"]["why"]["why"]["value"] or ""
        about = f"feedback/{given['answer_id']}/{given['user']}/{view['id']}"
        try:
            await intake.take(Work(ACT, "workers.act.feedback", about, {**given, "why": why}))
        except Retry:
            await ack(response_action="errors", errors={"why": texts.QUEUE_GONE})
        else:
            await ack()


def _given(body: dict[str, Any], verdict: str, answer_id: str) -> Work:
    """One person's verdict on one answer, as of this click."""
    container = body["container"]
    user = body["user"]["id"]
    payload = {
        "answer_id": answer_id,
        "good": verdict == "good",
        "user": user,
        "channel": container["channel_id"],
        "thread": container.get("thread_ts"),
        "why": "",
    }
    return Work(ACT, "workers.act.feedback", f"feedback/{answer_id}/{user}/{body['trigger_id']}", payload)
