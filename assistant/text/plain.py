"""Inline markup off: what a reader sees of a line of Markdown."""

import html
import re

_MARKED = re.compile(r"[\\`*_~\[\]<>&{!$]")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)", re.S)
_IMAGE = re.compile(r"!\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]]*\])")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
_AUTOLINK = re.compile(r"<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]+@)[^\s<>]*)>", re.I)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_BREAK = re.compile(r"<(?:br|hr|/?p|/?div|/?li|/?t[rdh])\b[^<>]*>", re.I)
_RUN = re.compile(r"\*+|_+|~~|\n[ \t]*\n")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ATTRIBUTES = re.compile(r"\{:?[ \t]*(?:[#.][\w-]+[ \t]*)+\}|\{\{[<%].*?[%>]\}\}")
_HELD = re.compile("\ue000(\\d+)\ue001")


def plain(markdown: str) -> str:
    """The text without inline markup: links and images as their words, emphasis off, entities decoded."""
    if not _MARKED.search(markdown):
        return markdown
    held: list[str] = []

    def hold(text: str) -> str:
        held.append(text)
        return f"\ue000{len(held) - 1}\ue001"

    text = markdown.replace("\ue000", "").replace("\ue001", "")
    text = _CODE.sub(lambda m: hold(_trim(m[2])), text)
    text = _ESCAPE.sub(lambda m: hold(m[1]), text)
    text = _AUTOLINK.sub(lambda m: hold(m[1]), text)
    text = without_comments(text)
    text = _TAG.sub("", _BREAK.sub(" ", text))
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _FOOTNOTE.sub("", _ATTRIBUTES.sub("", text))
    text = _unmarked(text)
    text = html.unescape(text)
    while "\ue000" in text:
        text = _HELD.sub(lambda m: held[int(m[1])], text)
    return text


def without_comments(text: str) -> str:
    """The text without HTML comments; one that never ends is none."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join(kept) + text[at:] if kept else text


def _unmarked(text: str) -> str:
    """The text without its emphasis: each run of marks that closes takes away as many of the last that opened.

    A star between digits is a product, an underscore between letters part of a name.
    """
    opened: dict[str, list[tuple[int, int]]] = {}
    dropped: list[tuple[int, int]] = []
    for run in _RUN.finditer(text):
        start, end = run.span()
        mark, before, after = text[start], text[start - 1 : start], text[end : end + 1]
        if mark == "\n":
            opened.clear()
            continue
        if (before.isdigit() and after.isdigit()) or (mark == "_" and before.isalnum() and after.isalnum()):
            continue
        stack = opened.setdefault(mark, [])
        if before and not before.isspace() and not (mark == "_" and after.isalnum()):
            while stack and start < end:
                left, right = stack.pop()
                size = min(right - left, end - start)
                dropped += (right - size, right), (start, start + size)
                start += size
                if right - size > left:
                    stack.append((left, right - size))
        if start < end and after and not after.isspace() and not (mark == "_" and before.isalnum()):
            stack.append((start, end))
    return _without(text, dropped)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept: list[str] = []
    at = 0
    for start, end in sorted(spans):
        kept.append(text[at:start])
        at = end
    return "".join(kept) + text[at:] if kept else text


def _trim(code: str) -> str:
    """A code span's text: one space off both ends where both have one."""
    return code[1:-1] if code[:1] == code[-1:] == " " and code.strip() else code
