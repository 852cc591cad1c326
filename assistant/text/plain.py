"""Inline markup off: what a reader sees of a line of Markdown."""

import html
import re

_MARKED = re.compile(r"[\\`*_~\[\]<>&{!$]")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)", re.S)
_IMAGE = re.compile(r"!\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^\[\]]*\])")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
_AUTOLINK = re.compile(r"<((?:[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]+@)[^\s<>]*)>", re.I)
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>")
_BREAK = re.compile(r"<(?:br|hr|/?p|/?div|/?li|/?t[rdh])\b[^<>]*>", re.I)
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)(.{1,800}?)(?<=\S)\1", re.S)
_UNDER = re.compile(r"(?<![\w_])(_{1,3})(?=\S)(.{1,800}?)(?<=\S)\1(?![\w_])", re.S)
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
    text = _COMMENT.sub("", text)
    text = _TAG.sub("", _BREAK.sub(" ", text))
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _FOOTNOTE.sub("", _ATTRIBUTES.sub("", text))
    for _ in range(3):
        bare = _UNDER.sub(r"\2", _STRONG.sub(r"\2", text))
        if bare == text:
            break
        text = bare
    text = html.unescape(text)
    while "\ue000" in text:
        text = _HELD.sub(lambda m: held[int(m[1])], text)
    return text


def _trim(code: str) -> str:
    """A code span's text: one space off both ends where both have one."""
    return code[1:-1] if code[:1] == code[-1:] == " " and code.strip() else code
