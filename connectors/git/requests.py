"""What a commit's message says about it: its subject, the request that brought it, the commits it takes back.

Pure. Only words that say *this commit came by that request* count, no mention of an issue or of another request.
"""

import re

UNDER_SUBJECT = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+: \S|[*+-] |https?://\S+$")
"""A line that belongs to the body though no empty line parts it from the subject: a trailer as machines append it
(`Origin-Sha: …`), a list, a link."""

MERGED = re.compile(
    r"Merge pull request (?:[\w.-]+/[\w.-]+)?#(\d+)\b"  # GitHub
    r"|Merge pull request '.*' \((?:[\w./-]+)?#(\d+)\)"  # Gitea, Forgejo
    r"|Merged in .+ \(pull request #(\d+)\)"  # Bitbucket
    r"|Merged PR (\d+)\b"  # Azure DevOps
)

LINK = r"https?://\S+?/(?:pull|pulls|merge_requests|pull-requests|pullrequest|\+)/(\d+)(?:[/?#]\S*)?"

SEE = re.compile(rf"^See merge request (?:(?:\S*/)?[\w.-]*!(\d+)|{LINK})\s*$", re.MULTILINE)
"""GitLab's line in merge commits and, by its template, in squashed ones."""

NAMED = re.compile(
    rf"^(?:(?:Merge-Request|Pull-Request|Reviewed-on|PR-URL)\s*:\s*{LINK}"
    r"|(?:Merge-Request|Pull-Request)\s*:\s*(?:[\w.-]+(?:/[\w.-]+)*)?[#!]?(\d+)"
    r"|(?:MR\s*:\s*)?(?:[\w.-]+(?:/[\w.-]+)*)?!(\d+))\s*$",
    re.MULTILINE | re.IGNORECASE,
)
"""Trailers that name the request, and GitLab's short form of it alone on a line."""

IN_BRACKETS = re.compile(r"\((?:[\w.-]+(?:/[\w.-]+)*)?[#!](\d+)\)")
"""`(#12)`, `(org/repo#12)`, `(!12)`."""

REVERTS = re.compile(r"\bThis reverts commits?((?:[\s,]+(?:and\s+)?[0-9a-f]{7,64}\b)+)")


def subject_and_body(message: str) -> tuple[str, str]:
    """The subject on one line, and what follows. A long subject may be wrapped; trailers right under it are body."""
    lines = message.strip("\n").split("\n")
    end = 1
    while end < len(lines) and lines[end].strip() and not UNDER_SUBJECT.match(lines[end]):
        end += 1
    subject = " ".join(line.strip() for line in lines[:end]).strip()
    return subject, "\n".join(lines[end:]).strip("\n")


def merge_request(message: str) -> str | None:
    """Number of the merge or pull request that brought the commit, without # or !; None where it names none."""
    subject, body = subject_and_body(message)
    if found := MERGED.match(subject):
        return _number(found)
    for pattern in (SEE, NAMED):
        if named := list(pattern.finditer(body)):
            return _number(named[-1])
    return _in_subject(message)


def _in_subject(message: str) -> str | None:
    """The last number in brackets of the subject's first line, else of the lines it is wrapped over; what a revert
    quotes is the number of what it takes back, not its own.
    """
    first = message.strip("\n").partition("\n")[0]
    wrapped = subject_and_body(message)[0].removeprefix(first.strip())
    for line in (first, wrapped):
        quoted = line.startswith(("Revert ", "Reapply ")) and '"' in line
        if found := IN_BRACKETS.findall(line.rpartition('"')[2] if quoted else line):
            return str(found[-1])
    return None


def _number(found: re.Match[str]) -> str:
    return next(number for number in found.groups() if number)


def reverted(message: str) -> tuple[str, ...]:
    """Shas, as written, of the commits that this one says it takes back (not those that a merge had brought)."""
    return tuple(dict.fromkeys(re.findall(r"[0-9a-f]{7,64}", " ".join(REVERTS.findall(message)))))
