"""Takes README's picture of a terminal: how the demonstration begins, told by the product itself.

    python -m tests.pictures.terminal

Needs Chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from assistant.graph.servers import embedded
from assistant.graph.space import open_space
from assistant.settings import load_settings
from workers.demo.story import set_up, tell

IMAGES = Path(__file__).parents[2] / "docs" / "images"
WIDTH = 920
MARGIN, LINE = 36, 18.2
"""Pixels above and below the text together, and of a line of it, as PAGE sets them."""

UNTIL = "And a question about a number"
"""The scene before which the picture ends; what follows is cut off below."""

PAGE = """<!doctype html><meta charset="utf-8"><style>{stylesheet}
body {{ margin: 0; padding: 18px 22px; background: #101418; color: #d6dde4; }}
pre {{ margin: 0; font: 14px/18.2px "DejaVu Sans Mono", monospace; }}
a {{ color: inherit; text-decoration: none; }}</style>
<pre><code style="font-family: inherit">{code}</code></pre>"""


def main() -> None:
    """Tells the story into a page and photographs it."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium here: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="brain-pictures-") as name:
        folder = Path(name)
        settings = load_settings(folder / "home")
        console = Console(record=True, width=100, file=(folder / "told").open("w"), force_terminal=True)
        with open_space(settings) as space:
            tell(set_up(console, settings, space))
        embedded.stop(space.servers)
        lines = console.export_text(clear=False).splitlines()
        shown = next(number for number, line in enumerate(lines) if line.startswith(UNTIL))
        size = f"--window-size={WIDTH},{round(MARGIN + (shown - 1) * LINE)}"
        page = folder / "page.html"
        page.write_text(console.export_html(theme=MONOKAI, code_format=PAGE), encoding="utf-8")
        IMAGES.mkdir(parents=True, exist_ok=True)
        options = ["--headless=new", "--no-sandbox", "--hide-scrollbars", size]
        quiet = ["--disable-background-networking", f"--user-data-dir={folder / 'browser'}"]
        picture = f"--screenshot={IMAGES / 'terminal.png'}"
        subprocess.run([browser, *options, *quiet, picture, page.as_uri()], check=True, capture_output=True)


if __name__ == "__main__":
    main()
