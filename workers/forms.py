"""Fills in the forms about a message: what is held as decided by it, and the sections where a rule may belong."""

import time
from typing import Any

from assistant.agent.ask import explain
from assistant.chat import texts
from assistant.chat.render.forms import About, Choice, RuleForm, no_decision_form, note_view, rule_form, who_view
from assistant.errors import UserFacing
from assistant.graph.consent import Mode, mode_of
from assistant.graph.flags import decisions_resting_on, said_at
from assistant.graph.reading.decisions import DecisionRow
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.model.surfaces import Json
from assistant.search.hybrid import search
from connectors.slack.shortcuts import Picked
from connectors.slack.spoken import micros_of
from workers.equipment import equipment
from workers.marking import Marking, Message, message_to_mark, own_scope, settled_by, slack_user

FRESH = 2.5
"""Seconds after its opening in which nobody has changed a form's words yet."""
SECTIONS = 8
"""Sections to choose from."""


def fill(payload: dict[str, Any]) -> None:
    """The job: show a form anew with what is known; one that was sent or closed meanwhile stays as it is."""
    ready = equipment()
    desk = ready.desk()
    with ready.space() as space:
        job = Marking(ready, desk, space, Picked(**payload["picked"]))
        view = who(job, payload) if payload["form"] == "who_decided" else marking(job, payload)
    desk.surface.refill(payload["view"], payload["hash"], view)


def marking(job: Marking, payload: dict[str, Any]) -> Json:
    """A form that marks the message; or why this person may not."""
    rule = payload["form"] == "flag_rule"
    title = texts.RULE_TITLE if rule else texts.NO_DECISION_TITLE
    try:
        message = message_to_mark(job)
    except UserFacing as error:
        return note_view(title, str(error))
    held = settled_by(job, message.utterance)
    if rule:
        return rule_form(_rule(job, payload, message, held[0] if held else None))
    return no_decision_form(_about(job.picked, message.text), [one.statement for one in held])


def _rule(job: Marking, payload: dict[str, Any], message: Message, held: DecisionRow | None) -> RuleForm:
    """The form filled in: fields that somebody may have changed are left alone."""
    find, turn = payload["find"], payload["turn"]
    fresh = find is None and time.time() - payload["opened"] < FRESH
    statement = held.statement if held else message.text
    decider = slack_user(job, held.decider) if held and held.decider else None
    unrecorded = not message.known and mode_of(job.space.reader, job.picked.channel) is not Mode.RECORD
    return RuleForm(
        _about(job.picked, message.text),
        statement,
        decider or job.picked.speaker,
        sections(job, find or statement),
        unrecorded,
        ".2" if fresh else turn,
    )


def sections(job: Marking, text: str) -> list[Choice]:
    """The sections that speak most of it, among those the person may read."""
    scope = own_scope(job, job.picked.user)
    hits = search(job.space.reader, scope, text, job.ready.embedder, limit=SECTIONS)
    return [Choice(hit.section.lineage, hit.section.name.replace(" > ", " › "), hit.section.path) for hit in hits]


def who(job: Marking, payload: dict[str, Any]) -> Json:
    """Who decided what the message settled or supports; or that nothing is known."""
    picked = job.picked
    if not job.desk.directory.member(picked.user):
        return note_view(texts.WHO_TITLE, texts.GUEST)
    if mode_of(job.space.reader, picked.channel) is Mode.OFF:
        return note_view(texts.WHO_TITLE, texts.FLAG_OFF)
    scope = own_scope(job, picked.user)
    said = said_at(job.space.reader, picked.channel, micros_of(picked.ts))
    seen = said if said and said.audience in scope.audiences else None
    rows = decisions_resting_on(job.space.reader, scope, seen.id) if seen else []
    about = _about(picked, seen.text if seen else "")
    if not rows:
        return who_view(about, None, job.desk.zone)
    viewer, place = Viewer(picked.user), Place(PlaceKind.DM)
    try:
        event = f"who/{payload['view']}"
        answer = explain(rows[0], viewer, place, job.space, job.desk.directory, event=event, zone=job.desk.zone)
    except UserFacing as error:
        return note_view(texts.WHO_TITLE, str(error))
    return who_view(about, answer, job.desk.zone)


def _about(picked: Picked, words: str) -> About:
    return About(picked.packed(), words, picked.speaker, picked.url)
