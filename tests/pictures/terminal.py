"""Takes README's picture of a terminal: the demonstration, told by the product itself.

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
SIZE = (920, 960)
PAGE = """<!doctype html><meta charset="utf-8"><style>{stylesheet}
body {{ margin: 0; padding: 18px 22px; background: #101418; color: #d6dde4; }}
pre {{ margin: 0; font: 14px/1.3 "DejaVu Sans Mono", monospace; }}</style>
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
        page = folder / "page.html"
        page.write_text(console.export_html(theme=MONOKAI, code_format=PAGE), encoding="utf-8")
        IMAGES.mkdir(parents=True, exist_ok=True)
        options = ["--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={SIZE[0]},{SIZE[1]}"]
        quiet = ["--disable-background-networking", f"--user-data-dir={folder / 'browser'}"]
        picture = f"--screenshot={IMAGES / 'terminal.png'}"
        subprocess.run([browser, *options, *quiet, picture, page.as_uri()], check=True, capture_output=True)


if __name__ == "__main__":
    main()
