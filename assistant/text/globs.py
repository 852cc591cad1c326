"""File patterns of owner files as regular expressions: GitHub's, GitLab's and codenotify's readings of `*` and `/`."""

import re
from functools import lru_cache

_SPECIAL = re.compile(r"\\(.)|((?<![^/])\*\*/|\*\*|\*|\?)|(\[[!^]?\]?[^\]]*\])|(.)", re.S)


@lru_cache(maxsize=1 << 14)
def github(pattern: str) -> re.Pattern[str]:
    """As gitignore: anchored where a slash stands before its end; a match of a folder matches all in it.

    Brackets are plain characters, and a last `*` after a slash does not reach into folders.
    """
    anchored = "/" in pattern.rstrip("/")
    body = pattern.strip("/")
    inside = pattern.endswith("/")
    if pattern.startswith("**/"):
        anchored = False
        body = body[3:]
    if body.endswith("/**") or body == "**":
        body, inside = body[:-3] if body != "**" else "*", body != "**"
    deep = not body.endswith("/*") and not (body == "*" and anchored)
    tail = "/.+" if inside else "(?:/.*)?" if deep else ""
    return re.compile(_translated(body if anchored else f"**/{body}", brackets=False) + tail, re.S)


@lru_cache(maxsize=1 << 14)
def gitlab(pattern: str) -> re.Pattern[str]:
    """As GitLab: at any depth unless it starts with a slash; one that ends with a slash matches all in the folder.

    Matched against a path with a slash before it. `**` spans folders only as `**/`.
    """
    if pattern == "*":
        pattern = "/**/*"
    if not pattern.startswith("/"):
        pattern = "/**/" + pattern
    if pattern.endswith("/"):
        pattern += "**/*"
    return re.compile(_translated(pattern, brackets=True), re.S)


@lru_cache(maxsize=1 << 14)
def codenotify(pattern: str) -> re.Pattern[str]:
    """As codenotify: relative to the file's folder, from its start to its end; a last `**` spans folders."""
    if pattern.endswith("/**"):
        pattern += "/*"
    return re.compile(_translated("**/*" if pattern == "**" else pattern, brackets=True), re.S)


def _translated(pattern: str, brackets: bool) -> str:
    """The pattern's regular expression. `*` and `?` stay within a folder; `**/`, where a folder's name begins, stands
    for any folders or none.

    A wildcard keeps the nearest fit for what stands up to the next one of its kind, which can take in whatever a
    farther fit could: so no pattern costs more than its length for each character of a path.
    """
    runs = [[""]]
    for escaped, wild, group, plain in _SPECIAL.findall(pattern):
        if wild == "**/":
            runs.append([""])
        elif wild in ("*", "**"):
            runs[-1].append("")
        else:
            one = "[^/]" if wild else _group(group) if group and brackets else re.escape(escaped or group or plain)
            runs[-1][-1] += one
    return _nearest("(?:[^/]*/)*?", [_nearest("[^/]*?", pieces) for pieces in runs])


def _nearest(wildcard: str, parts: list[str]) -> str:
    """The parts with the wildcard between them, which goes back on none but its last fit."""
    first, *inner = parts
    last = [wildcard + inner.pop()] if inner else []
    return "".join([first, *(f"(?>{wildcard}{part})" for part in inner), *last])


def _group(group: str) -> str:
    """A set of characters; as plain characters where it is none."""
    inner = group[1:-1]
    negated = inner[:1] in ("!", "^")
    inner = (inner[1:] if negated else inner).replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]")
    found = f"(?!/)[{'^' if negated else ''}{inner}]"
    try:
        re.compile(found)
    except re.error:
        return re.escape(group)
    return found
