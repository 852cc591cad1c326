"""manifests/slack.yaml: valid by Slack's rules, and asking for exactly what the code uses."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from connectors.slack import scopes
from connectors.slack.standing import PEOPLE_EVENTS, ROOM_EVENTS
from tests.fakes.slack_manifest import Manifest
from workers.web.slack.shortcuts import FORMS
from workers.web.slack.why import COMMAND

ROOT = Path(__file__).parents[3]
FILE = ROOT / "manifests" / "slack.yaml"
HISTORY = {"channels:history", "groups:history", "im:history", "mpim:history"}
READ = {"channels:read", "groups:read", "mpim:read"}
SCOPES: dict[str, set[str]] = {
    "auth.test": set(),
    "views.open": set(),
    "views.push": set(),
    "views.update": set(),
    "views.publish": set(),
    "chat.postMessage": {"chat:write"},
    "chat.postEphemeral": {"chat:write"},
    "chat.update": {"chat:write"},
    "chat.delete": {"chat:write"},
    "assistant.threads.setStatus": {"assistant:write"},
    "conversations.replies": HISTORY,
    "conversations.history": HISTORY,
    "conversations.open": {"im:write"},
    "conversations.info": READ,
    "conversations.members": READ,
    "users.conversations": {"channels:read", "groups:read"},
    "users.info": {"users:read"},
    "users.list": {"users:read"},
    "users.lookupByEmail": {"users:read.email"},
}
"""Scopes of each Web API method that we may call, from Slack's reference."""
EVENTS = {
    "app_mention": "app_mentions:read",
    "message.im": "im:history",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "app_home_opened": None,
    "reaction_added": "reactions:read",
    "reaction_removed": "reactions:read",
    **{name: "groups:read" if name.startswith("group") else "channels:read" for name in ROOM_EVENTS},
    **dict.fromkeys(PEOPLE_EVENTS, "users:read"),
}
"""Scope of each event."""


def manifest() -> dict[str, Any]:
    """The file as it is."""
    return dict(yaml.safe_load(FILE.read_text()))


def strings(folder: str) -> Iterator[tuple[str, ast.AST]]:
    """Every string in the code of a folder, and every attribute that is called, as the SDK's methods are."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value, node
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield re.sub("_", ".", node.func.attr, count=1), node


def methods_in_code() -> set[str]:
    """Web API methods that connectors and web name; `users.json` is a file of an export."""
    form = re.compile(r"(?:auth|chat|conversations|users|views|assistant|reactions|files)(?:\.(?!json$)\w+)+")
    return {
        text for folder in ("connectors/slack", "workers/web") for text, _ in strings(folder) if form.fullmatch(text)
    }


def test_it_is_valid() -> None:
    Manifest.model_validate(manifest())


def test_scopes_are_those_that_the_calls_and_events_need() -> None:
    needed = set().union(*(SCOPES[method] for method in methods_in_code()))
    needed |= {scope for event, scope in EVENTS.items() if scope} | {"commands"}
    assert manifest()["oauth_config"]["scopes"]["bot"] == sorted(needed)


def test_the_doctor_looks_for_the_same_scopes() -> None:
    assert list(scopes.SCOPES) == manifest()["oauth_config"]["scopes"]["bot"]


def test_every_known_method_is_called() -> None:
    assert methods_in_code() == set(SCOPES)


def test_events_are_those_that_listeners_hear() -> None:
    heard = {*ROOM_EVENTS, *PEOPLE_EVENTS}
    for file in (ROOT / "workers/web/slack").glob("*.py"):
        heard |= set(re.findall(r'@app\.event\((?:\{"type": )?"(\w+)"', file.read_text()))
    named = {event.split(".")[0] for event in EVENTS}
    assert heard == named
    assert manifest()["settings"]["event_subscriptions"]["bot_events"] == sorted(EVENTS)


def test_the_command_is_the_one_that_is_heard() -> None:
    assert [one["command"] for one in manifest()["features"]["slash_commands"]] == [COMMAND]


def test_the_shortcuts_are_those_that_are_heard() -> None:
    assert [one["callback_id"] for one in manifest()["features"]["shortcuts"]] == list(FORMS)


def test_every_scope_has_a_reason_beside_it() -> None:
    for scope in manifest()["oauth_config"]["scopes"]["bot"]:
        assert re.search(rf"- {re.escape(scope)}\s+# \S+", FILE.read_text()), scope
