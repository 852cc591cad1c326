"""Pages as we read them: each NAME.md beside this file with its sections and units in NAME.json.

After a change that is meant: `python tests/golden/text/test_pages.py` writes the files anew; read the diff.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.text.markdown import split_page
from assistant.text.units import units

HERE = Path(__file__).parent


def reading(text: str) -> dict[str, Any]:
    """Title, sections and units of a page, as plain data."""
    page = split_page(text)
    return {
        "title": page.title,
        "sections": [
            {
                "path": list(block.heading_path),
                "level": block.level,
                "anchor": block.anchor,
                "units": [[unit.kind.value, unit.plain, unit.context] for unit in units(block.source)],
            }
            for block in page.blocks
        ],
    }


@pytest.mark.parametrize("path", sorted(HERE.glob("*.md")), ids=lambda path: path.stem)
def test_page_reads_as_agreed(path: Path) -> None:
    assert reading(path.read_text("utf-8")) == json.loads(path.with_suffix(".json").read_text("utf-8"))


if __name__ == "__main__":
    for page in HERE.glob("*.md"):
        text = json.dumps(reading(page.read_text("utf-8")), ensure_ascii=False, indent=1)
        page.with_suffix(".json").write_text(text + "\n", "utf-8")
