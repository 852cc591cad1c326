"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        file_okay=False,
        help="Folder of the embedded databases. Default: BRAIN_HOME, the servers of FALKORDB_URL and REDIS_URL, or "
        "your user-data folder.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, one object a line, and nothing else there.")]
