"""The file that settles who is who, read as plain data."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

WORD = re.compile(r"[^\W_]+")


def settled(text: str) -> Iterator[frozenset[str]]:
    """What a file that settles who is who, YAML or JSON, calls each person; at each source, too."""
    told: Any = yaml.safe_load(text)
    for row in (told.get("people") if isinstance(told, dict) else told) or ():
        given = {field: value if isinstance(value, list) else [value] for field, value in row.items()}
        handles = {field.removesuffix("_id"): [str(one).removeprefix("@") for one in given[field]] for field in given}
        names = {one for values in handles.values() for one in values}
        names |= {f"{source}:{one}" for source, values in handles.items() for one in values}
        names |= {f"people:{' '.join(WORD.findall(one))}" for one in handles.get("name", ())}
        yield frozenset(name.lower() for name in names)
