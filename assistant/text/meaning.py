"""What a section says, free of how it is written: the words, numbers and signs that a change must touch to matter."""

import html
import re
from functools import lru_cache
from itertools import chain

_FENCED = re.compile(
    r"^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t>]*\2[`~]*[ \t]*$|\Z)", re.M | re.S
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?>")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:|[^\s<>@]+@)[^\s<>]+)>")
_TARGET = r"\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)"
_IMAGE = re.compile(rf"!\[(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*\](?:{_TARGET}|\[[^\[\]\n]*\])")
_LINK = re.compile(rf"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\](?:({_TARGET})|\[([^\[\]\n]*)\])")
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\[\]\n]+\]:[ \t]*(\S+).*$", re.M)
_HREF = re.compile(r"\b(?:href|src)[ \t]*=[ \t]*[\"']?([^\"'\s>]+)", re.I)
_UNDERLINE = re.compile(r"^[ \t]*=+[ \t]*$", re.M)
_ATTRIBUTES = re.compile(r"\{:?[ \t]*(?:[#.][\w.:-]++[ \t]*+)++\}|\{:[^{}\n]*\}")
_MARKER = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+|^[ \t]*>[ \t>]*", re.M)
_CODE = re.compile(r"(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ARROW = re.compile(r"[-=]+>")
_UNDERSCORES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_WIDE = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Scripts without spaces between words: every character is a token."""
_SIGNS = (
    r"|https?://[^\s<>|]+"
    r"|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|\d+(?:[.,:/]\d+)*"
    r"|(?<![\w)\]%])[-−–](?=[$€£¥]?\.?\d)"
    r"|~~|\[[ xX]\]"
    r"|[%‰$€£¥₹<>≤≥≠=±×÷°^&]"
    r"|(?<=\d)\+|~(?=\d)"
    r"|[✅✔✓☑☐❌✗✘✖🚫👍👎]"
    r"|\ue000[^\ue001]*\ue001"
)
_TOKEN = re.compile(r"[^\W\d_][\w'’]*+(?!://|@\w)" + _SIGNS)
_WIDE_TOKEN = re.compile(
    rf"{_WIDE.pattern}|(?:(?!{_WIDE.pattern})[^\W\d_])(?:(?!{_WIDE.pattern})[\w'’])*+(?!://|@\w)" + _SIGNS
)
_OTHER_IN_CAPITALS = frozenset(("US", "IT", "WHO"))
_SAME = {"an": "a", "&": "and", "−": "-", "–": "-", "✓": "✅", "✔": "✅", "☑": "✅", "✗": "❌", "✘": "❌", "✖": "❌"}


_SPANNING = re.compile(r"<|```|~~~|\[[^\[\]\n]*\n\n")
"""Markup that may hold an empty line."""


@lru_cache(maxsize=4096)
def meaning(source: str) -> tuple[str, ...]:
    """The tokens that carry a section's meaning: all but markup, case, white space and most punctuation."""
    if _SPANNING.search(source):
        return _meaning(source)
    return tuple(chain.from_iterable(map(_meaning, source.split("\n\n"))))


@lru_cache(maxsize=1 << 15)
def _meaning(source: str) -> tuple[str, ...]:
    """The tokens of a paragraph, of which an edit leaves most as they were, or of a whole section."""
    text = source.replace("\ue000", "").replace("\ue001", "")
    if "```" in text or "~~~" in text:
        text = _FENCED.sub(_code_lines, text)
    text = _visible(text)
    text = text.replace("*", "")
    if ">" in text:
        text = _ARROW.sub(" ", text)
    if "_" in text:
        text = _UNDERSCORES.sub("", text)
    pattern = _TOKEN if text.isascii() or not _WIDE.search(text) else _WIDE_TOKEN
    return tuple(map(_canonical, pattern.findall(text)))


def code_spans(source: str) -> list[str]:
    """The texts of inline code, where every character counts."""
    return [" ".join(span[1].split()) for span in _CODE.findall(source)] if "`" in source else []


def link_targets(source: str) -> list[str]:
    """Where the section's links and images lead, in order of kind."""
    found = [target.strip("()") for _, target, _ in _LINK.findall(source) if target]
    found += _DEFINITION.findall(source)
    return found + _HREF.findall(source) + _AUTOLINK.findall(source)


def _code_lines(block: re.Match[str]) -> str:
    """Fenced code as one token a line, since there every sign counts."""
    lines = (line.rstrip() for line in block[3].split("\n"))
    return "\n".join(f"\ue000{line.strip()}\ue001" for line in lines if line) + "\n"


def _visible(text: str) -> str:
    """What a reader sees of it."""
    if "<" in text:
        text = _AUTOLINK.sub(r"\1", _COMMENT.sub("", text))
        text = _TAG.sub(" ", text)
    if "[" in text:
        text = _IMAGE.sub(" ", text)
        text = _DEFINITION.sub("", _LINK.sub(r"\1", text))
    if "{" in text:
        text = _ATTRIBUTES.sub("", text)
    if "==" in text:
        text = _UNDERLINE.sub("", text)
    text = _MARKER.sub("", text)
    text = _ESCAPE.sub(r"\1", text) if "\\" in text else text
    return html.unescape(text) if "&" in text else text


@lru_cache(maxsize=1 << 16)
def _canonical(token: str) -> str:
    """The one form of tokens that mean the same."""
    first = token[0]
    if first == "\ue000":
        return token
    if first.isdigit():
        return token.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", token) else token
    if "://" in token or "@" in token:
        return token.rstrip(".,;:!?)]'\"*")
    if token in _OTHER_IN_CAPITALS:
        return token
    low = token.casefold().replace("’", "'").rstrip("_'")
    return _SAME.get(low, low)
