"""Text in Slack's markup: escaped, so that nobody is pinged and no link appears that we did not make."""

import re
from urllib.parse import quote

from assistant.chat.render.fit import pieces

SECTION = 3000
"""Characters in the text of a section block; from Slack's Block Kit reference."""

FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*(\{#[^}]*\})?$")
BULLET = re.compile(r"^(\s*)[-*+]\s+")
LINK = re.compile(r"!?\[([^\[\]\n]*+)\]\((?:[^()\s]|\([^()\s]{0,99}\))*+(?:\s+\"[^\"\n]*\")?\)")
BOLD = re.compile(r"(\*\*|__)(?=\S)(.{1,999}?)(?<=\S)\1")


TURNING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Characters that turn the direction of whatever is written behind them, our own words too."""


def escaped(text: str) -> str:
    """The text with the three characters that Slack reads as markup of its own: mentions, channels and links; and
    without what would turn round the words behind it.
    """
    return text.translate(TURNING).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link(url: str | None, label: str) -> str:
    """A link, or the bare label when the address is not one of the web."""
    words = escaped(label).replace("|", "¦")
    if url is None or not url.startswith(("https://", "http://")):
        return words
    return f"<{quote(url, safe=SAFE)}|{words}>"


SAFE = "%/:?#[]@!$&'()*+,;=-._~"
"""Characters that stand in an address as they are; all others, among them those that end Slack's link, are encoded."""


def from_markdown(text: str) -> str:
    """Handbook text for Slack, escaped: headings and strong words bold, bullets, links as their words alone."""
    lines = []
    code = False
    for line in text.splitlines():
        fence = bool(FENCE.match(line))
        lines.append("```" if fence else escaped(line) if code else _line(line))
        code ^= fence
    return "\n".join(lines) + ("\n```" if code else "")


def _line(line: str) -> str:
    words = escaped(LINK.sub(r"\1", line))
    if found := HEADING.match(words):
        title = BOLD.sub(r"\2", found[1])
        return f"*{title}*" if title else ""
    return BOLD.sub(r"*\2*", BULLET.sub(r"\1• ", words))


def sections(markup: str) -> list[str]:
    """Markup cut into the texts of section blocks; a code block that a cut goes through stays one on both sides."""
    parts = pieces(markup, SECTION - len("```\n\n```"))
    found = []
    inside = False
    for part in parts:
        opened = inside
        inside ^= part.count("```") % 2 == 1
        found.append(("```\n" if opened else "") + part + ("\n```" if inside else ""))
    return found
