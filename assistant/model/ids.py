"""Ids: short hashes of what makes a thing itself, so that writing it twice finds it again."""

import hashlib


def digest(*parts: str) -> str:
    """20 hex digits of SHA-256 over the parts, which no other way of cutting them gives."""
    coded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return hashlib.sha256(b"".join(len(data).to_bytes(8, "big") + data for data in coded)).hexdigest()[:20]


def text_hash(text: str) -> str:
    """The key of a text in the vector cache; the same words have it wherever they stand."""
    return digest("text", text)


def lineage_id(source: str, commit: str, path: str, index: int) -> str:
    """A section's lineage, named for where its first version came up: the nth section of a path at a commit."""
    return digest("lineage", source, commit, path, str(index))


def version_id(lineage: str, commit: str, path: str, index: int) -> str:
    """One version of a section. Never of its text alone: rules do go from A to B and back to A."""
    return digest("version", lineage, commit, path, str(index))


def page_id(source: str, commit: str, path: str) -> str:
    """A page, named for where it came up first; it keeps the id through renames."""
    return digest("page", source, commit, path)
