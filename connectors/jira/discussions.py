"""Issues with their comments, from JSON files: answers of the REST API and of its search, texts as wiki markup (API 2)
or as Atlassian's document format (API 3).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.model.conversations import Identity
from connectors.base.discussions import Comment, Discussion, Discussions, first, gathered, inner, objects, read_values
from connectors.base.discussions import when as time_of

BLOCKS = frozenset({"paragraph", "heading", "listItem", "codeBlock", "blockquote", "panel", "tableRow", "rule"})
"""Nodes of a document that begin a line."""


def open_discussions(path: Path) -> Discussions:
    """Reads a file or folder; raises UserFacing where there is no file."""
    skipped: list[str] = []
    found = gathered(discussion(one) for _, value in read_values(path, skipped) for one in issues(value))
    return Discussions(found, tuple(skipped))


def issues(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The issues in an answer: itself, what a search lists, or the one that an event is about."""
    listed = value.get("issues")
    for one in (value, inner(value, "issue"), *objects(listed)):
        if first(one, "key") and inner(one, "fields"):
            yield one


def discussion(issue: dict[str, Any]) -> Discussion:
    """An issue with its comments."""
    key, fields = first(issue, "key"), inner(issue, "fields")
    made = Discussion(f"jira:{key}", f"jira:{key.partition('-')[0]}", first(fields, "summary"))
    site = first(issue, "self").partition("/rest/")[0]
    made.url = f"{site}/browse/{key}" if site else None
    opening = {"id": "0", "author": fields.get("reporter") or fields.get("creator"), "body": fields.get("description")}
    told = inner(fields, "comment").get("comments")
    for one in ({**opening, "created": fields.get("created")}, *objects(told)):
        if said := comment(one, made.url):
            made.comments[said.id] = said
    return made


def comment(value: dict[str, Any], url: str | None) -> Comment | None:
    """A comment; None for what has no words, writer or time, and for what only a role or group may see."""
    at, who, text = time_of(first(value, "created")), identity(inner(value, "author")), words(value.get("body")).strip()
    if at is None or who is None or not text or value.get("visibility") or value.get("jsdPublic") is False:
        return None
    updated = time_of(first(value, "updated"))
    number = first(value, "id")
    link = f"{url}?focusedCommentId={number}" if url and number != "0" else url
    app = inner(value, "author").get("accountType") == "app"
    return Comment(number, who, at, text, link, app, bool(updated and updated > at))


def identity(user: dict[str, Any]) -> Identity | None:
    """A user of Jira Cloud or Server."""
    number, name = first(user, "accountId", "key", "name"), first(user, "displayName", "name")
    return Identity("jira", name or number, number, first(user, "emailAddress") or None) if number or name else None


def words(body: object) -> str:
    """A text as it reads: wiki markup as it stands, a document's text with a line for each block."""
    if isinstance(body, str):
        return body
    if not isinstance(body, dict):
        return ""
    attributes = inner(body, "attrs")
    if body.get("type") in ("mention", "emoji", "inlineCard"):
        return first(attributes, "text", "shortName", "url")
    if body.get("type") == "hardBreak":
        return "\n"
    content = body.get("content")
    inside = "".join(words(one) for one in content) if isinstance(content, list) else first(body, "text")
    return f"{inside.rstrip()}\n" if body.get("type") in BLOCKS else inside
