"""`brain replay`: a story as it happened."""

from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.settings import load_settings
from workers.cli.options import Home, Json


def replay(
    script: Annotated[
        Path, typer.Argument(metavar="SCRIPT.jsonl", help="The steps, one JSON object a line.", show_default=False)
    ],
    repo: Annotated[Path, typer.Option(help="The repository: a clone, a bare one, or a .bundle.", show_default=False)],
    ref: Annotated[str | None, typer.Option(help="Branch or tag to follow. Default: HEAD.", show_default=False)] = None,
    subdir: Annotated[
        str, typer.Option(help="Read only the pages below this folder. Default: all.", show_default=False)
    ] = "",
    embed: Annotated[
        bool,
        typer.Option(
            "--embed/--no-embed",
            help="Compute vectors of all current sections before each question: slow, and finds by meaning what words "
            "and titles miss.",
        ),
    ] = False,
    json: Json = False,
    home: Home = None,
) -> None:
    """Walk through a handbook's history: advance, ask, and see which answers a commit broke.

    {"op": "advance", "commit": "4f2a91c"}

    {"op": "ask", "id": "q1", "question": "What is the trial threshold?"}

    {"op": "stale", "id": "s1", "commit": "9b1c0de"}

    {"op": "ingest", "kind": "zoom", "path": "meetings", "until": "2026-03-01T00:00:00Z"}

    Each step's result is told in a line, with --json as JSON. All steps are read before the first is taken.
    """
    from connectors.git import GitRepository
    from workers.cli.output import print_json
    from workers.cli.session import embedder_of, opened
    from workers.replay import Replay, read_steps

    settings = load_settings(home)
    steps = read_steps(script)
    repository = GitRepository(repo, cache=settings.cache, ref=ref, subdir=subdir)
    with opened(settings) as space:
        walk = Replay(space, repository, settings, embedder_of(settings), embed=embed)
        for result in walk.run(steps):
            if json:
                print_json(result)
            else:
                tell(result)


def tell(result: dict[str, Any]) -> None:
    """One step's result for a person."""
    from workers.cli.output import console

    screen = console()
    match result["op"]:
        case "advance":
            line = f"→ {result['commit'][:12]}: {result['sections_changed']} sections changed"
        case "ask":
            line = f"? {result['id'] or ''} {result['status']}: {result['text']}"
        case "ingest":
            line = f"+ {result['conversations']} conversations, {result['decisions']} decisions in them"
        case _:
            broken = ", ".join(str(row["ask_id"] or row["answer_id"]) for row in result["invalidated"]) or "none"
            line = f"! {result['commit'][:12]} broke: {broken}; {len(result['revalidated'])} still stand"
    screen.print(line, markup=False)
