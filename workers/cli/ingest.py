"""`brain ingest …`: reading sources into the graph."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import Settings, load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from assistant.graph.space import Space
    from workers.ingest import IngestReport

MANY = 1_000
"""Versions after which the embedded server's log is worth folding, so that its next start is quick."""

app = typer.Typer(help="Read a source into the graph.", no_args_is_help=True)


@app.callback()
def sources() -> None:
    """Read a source into the graph: only what is new, and an interrupted run is finished by the next."""


@app.command()
def git(
    repo: Annotated[Path, typer.Argument(help="A clone, a bare repository, or a .bundle.", show_default=False)],
    ref: Annotated[str | None, typer.Option(help="Branch or tag to follow. Default: HEAD.", show_default=False)] = None,
    until: Annotated[
        str | None,
        typer.Option(help="Stop after this commit, or the first mainline commit that contains it.", show_default=False),
    ] = None,
    subdir: Annotated[
        str, typer.Option(help="Read only the pages below this folder. Default: all.", show_default=False)
    ] = "",
    codeowners: Annotated[
        Path | None,
        typer.Option(
            help="A CODEOWNERS file to use instead of the repository's own.", dir_okay=False, show_default=False
        ),
    ] = None,
    web_url: Annotated[
        str | None,
        typer.Option(
            help="Where people see the repository, for links: https://github.com/acme/handbook.", show_default=False
        ),
    ] = None,
    audience: Annotated[
        str | None,
        typer.Option(
            help="Who may see it: `public`, or `channel:ID`. Default: as before, else public.", show_default=False
        ),
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Return when what is current can be found by meaning, too.")
    ] = True,
    embed: Annotated[
        bool, typer.Option("--embed/--no-embed", help="Compute vectors, or find by words and titles only.")
    ] = True,
    json: Json = False,
    home: Home = None,
) -> None:
    """Read a handbook repository: its mainline, oldest commit first, on from where the last run stopped.

    brain ingest git ~/src/handbook --web-url https://github.com/acme/handbook

    brain ingest git handbook.bundle --subdir content --until 4f2a91c
    """
    from connectors.git import GitRepository
    from workers.cli.output import progress_bar
    from workers.cli.session import opened
    from workers.embedding import start_embedding
    from workers.ingest import ingest_git

    settings = load_settings(home)
    repository = GitRepository(repo, cache=settings.cache, ref=ref, subdir=subdir, codeowners=codeowners)
    with opened(settings) as space:
        with progress_bar("Reading commits") as progress:
            report = ingest_git(space, repository, until=until, web_url=web_url, audience=audience, progress=progress)
        embedded = finish(settings, space, report, embed=embed and wait)
        known = known_now(report, space, settings.zone)
    if embed:
        start_embedding(settings)
    tell(report, embedded, known, json=json)


def finish(settings: Settings, space: "Space", report: "IngestReport", *, embed: bool) -> int:
    """What comes after the reading: decisions are held against the new commits, sections can be found by meaning.

    Gives how many sections were embedded.
    """
    from workers.reconcile import reconcile_as_set
    from workers.tell import ask_to_tell

    ask_to_tell(space, settings)
    reconcile_as_set(space, settings)
    embedded = embed_now(settings, space) if embed else 0
    if report.versions >= MANY:
        space.compact()
    return embedded


def tell(report: "IngestReport", embedded: int, known: str, *, json: bool) -> None:
    """What a run did, and last what is known now; as JSON on stdout only the former."""
    from workers.cli.output import print_json, say

    if json:
        print_json(asdict(report))
        return
    if report.rewound:
        say("The history was rewritten: what had come from the old one was taken back first.")
    for what, count in report.skipped.items():
        say(f"Left out: {count} files ({what}).")
    if report.commits:
        say(f"Commits read: {report.commits}, changes of sections: {report.sections_changed}.")
    if embedded:
        say(f"Sections embedded: {embedded}.")
    say(known if report.commits or report.rewound else f"Nothing new. {known}")


def known_now(report: "IngestReport", space: "Space", zone: tzinfo) -> str:
    """How much is known of the source, and up to when."""
    from assistant.graph.reading.known import Extent, extents
    from assistant.graph.sources import list_sources
    from assistant.model.audiences import Scope
    from assistant.model.times import day

    if report.head is None or report.cursor is None:
        return "Nothing is known yet."
    [source] = [source for source in list_sources(space.reader) if source.id == report.source]
    scope = Scope((source.audience,), {source.id: report.head})
    known = extents(space.reader, scope).get(source.id, Extent(0, 0))
    until = f"{day(report.head, zone)} (commit {report.cursor[:12]})"
    return f"{known.sections} sections on {known.pages} pages are known, up to {until}."


def embed_now(settings: Settings, space: "Space") -> int:
    """Computes the vectors of all current sections that have none; how many those were."""
    from assistant.search.indexing import embed_current
    from workers.cli.output import progress_bar
    from workers.cli.session import embedder_of

    with progress_bar("Embedding sections") as progress:
        return embed_current(space, embedder_of(settings), progress)


def embed_older(home: Home = None) -> None:
    """Compute the vectors that are still missing: of current sections first, then of older versions.

    Runs at the lowest priority and ends when all is done; of several at once only one works.
    """
    from assistant.search.indexing import embed_current
    from assistant.search.indexing import embed_older as embed_rest
    from workers.cli.output import progress_bar
    from workers.cli.session import embedder_of, opened

    os.nice(19)
    settings = load_settings(home)
    with opened(settings) as space, alone(settings.home / "embed-older.lock") as first:
        if not first:
            return
        embedder = embedder_of(settings)
        with progress_bar("Embedding sections") as progress:
            embed_current(space, embedder, progress)
        while embed_rest(space, embedder):
            continue


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """True inside for the one process that holds the lock file; the lock goes with the process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
