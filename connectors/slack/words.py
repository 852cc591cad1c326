"""Slack's way of writing a message, read as plain words."""

import re

REFERENCE = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def plain_words(text: str, bot: str | None) -> str:
    """The text without mentions of the bot (user id), links as their words, channels as #name, entities decoded."""

    def word(found: re.Match[str]) -> str:
        target, label = found[1], found[2]
        if bot and target == f"@{bot}":
            return ""
        if target.startswith("@"):
            return f"@{label}" if label else ""
        if target.startswith("#"):
            return f"#{label}" if label else ""
        if target.startswith("!"):
            return label or ""
        return label or target.removeprefix("mailto:")

    words = REFERENCE.sub(word, text)
    for entity, character in ENTITIES:
        words = words.replace(entity, character)
    return "\n".join(" ".join(line.split()) for line in words.splitlines()).strip()


def mentions(text: str, user: str | None) -> bool:
    """Whether the message mentions this user id."""
    return bool(user) and re.search(rf"<@{user}(?:\|[^<>]*)?>", text) is not None
