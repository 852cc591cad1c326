"""Commit objects as git stores them, read."""

import re

from assistant.model.revisions import CommitInfo
from connectors.git import requests

PERSON = re.compile(r"(.*?) ?<(.*?)> ?(-?\d+)?(?: [+-]\d+)?$", re.DOTALL)

LATEST = 2**33
"""Seconds of the latest believable commit (the year 2242): beyond it no order could be kept in the graph."""

NAMED = 1000
"""Bytes of the line that names an author; a longer one is no name."""

LONGEST = 20_000
"""Characters of a message's body that are kept."""


def parse(sha: str, data: bytes) -> CommitInfo:
    """A commit from its raw object. Nothing in it is trusted to be well formed."""
    head, _, message = data.partition(b"\n\n")
    fields = dict(reversed([line.split(b" ", 1) for line in head.split(b"\n") if b" " in line.strip()]))
    encoding = fields.get(b"encoding", b"utf-8").decode("ascii", "replace")
    author, email, _ = _person(fields.get(b"author", b""), encoding)
    *_, seconds = _person(fields.get(b"committer", b""), encoding)
    text = _text(message, encoding)
    subject, body = requests.subject_and_body(text)
    return CommitInfo(
        sha=sha,
        author_name=author or email or "unknown",
        author_email=email,
        committed_at=min(max(seconds, 0), LATEST) * 1_000_000,
        subject=subject,
        body=body[:LONGEST],
        merge_request=requests.merge_request(text),
        reverts=requests.reverted(text),
    )


def _person(line: bytes, encoding: str) -> tuple[str, str, int]:
    """Name, e-mail, seconds since 1970."""
    found = PERSON.match(_text(line[:NAMED], encoding))
    if not found:
        return "", "", 0
    return found[1].strip(), found[2].strip(), int(found[3] or 0)


def _text(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding, "replace")
    except LookupError:
        text = data.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\0", "\ufffd")
