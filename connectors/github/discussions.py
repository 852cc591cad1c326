"""Issues, pull requests and discussions with their comments and reviews, from JSON: answers of the REST API,
`gh … --json`, webhook payloads, and GitHub's migration archives.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.model.conversations import Identity
from connectors.base.discussions import Comment, Discussion, Discussions, first, gathered, inner, objects, read_values
from connectors.base.discussions import when as time_of

PLACE = re.compile(r"https?://[^/]+/(?:api/v3/)?(?:repos/)?([^/\s]+/[^/\s]+)/(?:issues|pulls?|discussions)/(\d+)")
FRAGMENT = re.compile(r"#(?:issuecomment-|discussion_r|pullrequestreview-|discussioncomment-)(\d+)$")
"""How the address of something said ends, with its number: one source names it by that, another by a code."""
EVENTS = ("issue", "pull_request", "discussion")
SAID = ("comment", "review")
BODY = ("body", "bodyText")
OPENED = ("created_at", "createdAt", "submitted_at", "submittedAt")
ADDRESS = ("html_url", "url")


def open_discussions(path: Path) -> Discussions:
    """Reads a file or folder; raises UserFacing where there is no file."""
    skipped: list[str] = []
    found = gathered(one for _, value in read_values(path, skipped) for one in read(value))
    return Discussions(found, tuple(skipped))


def read(value: dict[str, Any]) -> Iterator[Discussion]:
    """What one object tells of a discussion: itself, or a comment on it."""
    if "iid" in value or "object_kind" in value:  # GitLab's, which look alike
        return
    about = inner(value, *EVENTS)
    if "title" in value and (made := discussion(value)):  # a pull request, told as an issue, says so by `pull_request`
        yield made
    elif about and (made := discussion(about)):  # a webhook's event
        for one in (comment(inner(value, name)) for name in SAID):
            made.comments |= {one.id: one} if one else {}
        yield made
    elif (
        target := PLACE.search(first(value, "issue_url", "pull_request_url", "issue", "pull_request", "html_url"))
    ) and (one := comment(value)):
        yield Discussion(f"github:{target[1]}#{target[2]}", f"github:{target[1]}", comments={one.id: one})


def discussion(value: dict[str, Any]) -> Discussion | None:
    """An issue or a pull request with what it holds of comments and reviews."""
    place = next((found for name in ADDRESS if (found := PLACE.search(str(value.get(name) or "")))), None)
    if place is None:
        return None
    made = Discussion(
        id=f"github:{place[1]}#{place[2]}",
        place=f"github:{place[1]}",
        title=first(value, "title"),
        url=first(value, *ADDRESS) or None,
    )
    if (opening := comment(value)) is not None:
        made.comments["0"] = Comment("0", opening.who, opening.at, opening.text, made.url, opening.bot)
    lists = (value.get(name) for name in ("comments", "reviews", "review_comments"))
    for one in (comment(each) for told in lists if isinstance(told, list) for each in objects(told)):
        made.comments |= {one.id: one} if one else {}
    return made


def comment(value: dict[str, Any]) -> Comment | None:
    """A comment or review; None for what has no words, writer or time."""
    user, at, text = value.get("user") or value.get("author"), time_of(first(value, *OPENED)), first(value, *BODY)
    who = identity(user)
    if at is None or who is None or not text:
        return None
    bot = isinstance(user, dict) and (user.get("type") == "Bot" or bool(user.get("is_bot")))
    address = first(value, *ADDRESS)
    fragment = FRAGMENT.search(address)
    name = fragment[1] if fragment else first(value, "id", "node_id") or address.rpartition("/")[2]
    updated = time_of(first(value, "updated_at", "lastEditedAt"))
    return Comment(
        name, who, at, text, address or None, bot or who.name.endswith("[bot]"), bool(updated and updated > at)
    )


def identity(user: object) -> Identity | None:
    """Somebody as an answer, or an archive, names them."""
    if isinstance(user, str) and user:
        login = user.rstrip("/").rpartition("/")[2]
        return Identity("github", login, login)
    if isinstance(user, dict) and (login := first(user, "login")):
        return Identity("github", first(user, "name") or login, login, first(user, "email") or None)
    return None
