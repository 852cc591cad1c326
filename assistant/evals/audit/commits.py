"""Every commit of the mainline, and only those: author, time, subject and request, read from the raw message."""

import re
from collections.abc import Iterator, Sequence

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.repository import Message
from assistant.evals.audit.walk import Mainline
from assistant.graph.reading.audit import Commit

BROUGHT_BY = (
    re.compile(r"\AMerge pull request (?:\S*#|'.*' \(\S*#)(\d+)"),
    re.compile(r"\AMerged in .+ \(pull request #(\d+)\)|\AMerged PR (\d+)\b"),
)
URL = r"https?://\S+/(?:pulls?|merge_requests|pull-requests|pullrequest|\+)/(\d+)\S*"
IN_BODY = (
    re.compile(rf"^See merge request (?:\S*!(\d+)|{URL})[ \t]*$", re.M),
    re.compile(
        rf"^(?:(?:Merge-Request|Pull-Request|Reviewed-on|PR-URL)[ \t]*:[ \t]*{URL}"
        r"|(?:Merge-Request|Pull-Request)[ \t]*:[ \t]*[\w./-]*[#!]?(\d+)|(?:MR[ \t]*:[ \t]*)?[\w./-]*!(\d+))[ \t]*$",
        re.M | re.I,
    ),
)
BRACKETED = re.compile(r"\([\w./-]*[#!](\d+)\)")


def check_commits(mainline: Mainline, commits: Sequence[Commit], audience: str) -> Checked:
    """Counts every commit of the mainline, those missing from the graph, and those that only the graph has."""
    found = Checked("commits")
    by_sha: dict[str, list[Commit]] = {}
    for one in commits:
        by_sha.setdefault(one.sha, []).append(one)
    for sha, message in mainline.messages.items():
        known = by_sha.pop(sha, [])
        if len(known) != 1:
            found.missing(sha, f"in the graph {len(known)} times")
            continue
        found.look(sha, _told(known[0], message, mainline.times[sha], request_of(message.text), audience))
    for sha in by_sha:
        found.missing(sha, "not on the mainline")
    return found


def _told(one: Commit, message: Message, at: int, request: str | None, audience: str) -> Iterator[str]:
    """What the graph says otherwise than the message."""
    email = message.email.strip().lower()
    name = message.name.strip() or message.email.strip() or "unknown"
    if (one.author_name, one.author_email) != (name, email):
        yield f"author {one.author_name} <{one.author_email}>, not {name} <{email}>"
    if one.authors != [email or name.lower()]:
        yield f"authored by {one.authors}"
    if (one.at, one.committed_at) != (at, min(max(message.seconds, 0), 2**33) * 1_000_000):
        yield "at another time"
    words = message.text.split()
    told = one.subject.split()
    if words[: len(told)] != told or (words and not told):
        yield f"subject {one.subject!r}"
    first = message.text.strip("\n").partition("\n")[0].split()
    if told[: len(first)] != first:
        yield "subject is cut"
    if one.merge_request != request:
        yield f"request {one.merge_request}, not {request}"
    if one.requests != ([request] if request else []):
        yield f"brought by requests {one.requests}"
    if one.audience != audience:
        yield f"audience {one.audience}"


def request_of(message: str) -> str | None:
    """Number of the request that a message says brought the commit."""
    text = message.strip("\n")
    for pattern in BROUGHT_BY:
        if named := pattern.match(text):
            return str(next(filter(None, named.groups())))
    subject, _, body = text.partition("\n")
    for pattern in IN_BODY:
        if all_named := list(pattern.finditer(body)):
            return str(next(filter(None, all_named[-1].groups())))
    wrapped = re.split(r"\n\s*\n|\n(?=[*+-] |https?://\S+$|[A-Za-z]\w*(?:-\w+)+: \S)", body, maxsplit=1)[0]
    for line in (subject, " ".join(wrapped.split("\n")) if not body.startswith("\n") else ""):
        own = line.rpartition('"')[2] if line.startswith(("Revert ", "Reapply ")) else line
        if numbers := BRACKETED.findall(own):
            return str(numbers[-1])
    return None
