"""`brain ask`: one question, or a file of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.settings import Settings, load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from assistant.model.answers import Answer
    from workers.asked import Asked


def ask(
    question: Annotated[str | None, typer.Argument(help="What you want to know.", show_default=False)] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            help="The day to ask about: 2026-06-30 means the end of that day in BRAIN_TIMEZONE; an ISO time, "
            "`yesterday` and `today` are understood, too. Default: now.",
            show_default=False,
        ),
    ] = None,
    viewer: Annotated[str, typer.Option(help="Who asks: an id, an e-mail, a handle, or `public`.")] = "public",
    asked_in: Annotated[
        str | None,
        typer.Option(
            "--in", help="Where the answer is read: a channel, or `dm`. Default: in public.", show_default=False
        ),
    ] = None,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="JSON lines with `id`, `question` and optionally `as_of`, `viewer`, `asked_in`; needs --json.",
            show_default=False,
        ),
    ] = None,
    embed: Annotated[
        bool,
        typer.Option("--embed/--no-embed", help="Find by meaning, too, or, within a second, by words and titles only."),
    ] = True,
    json: Json = False,
    home: Home = None,
) -> None:
    """Ask a question and get the answer with its sources.

    Each claim rests on the exact version of a section, or on a commit. What the handbook does not say is refused, with
    what was looked for and who might know.

    brain ask "How many days of leave do we get?"

    brain ask "What was the hotel limit?" --as-of 2026-06-30

    brain ask --from questions.jsonl --json
    """
    if (question is None) == (from_file is None) or (from_file is not None and not json):
        raise typer.BadParameter('give a question, or --from FILE.jsonl --json: brain ask "…"')
    if from_file is not None and (as_of, viewer, asked_in) != (None, "public", None):
        raise typer.BadParameter("with --from, each line of the file says itself `as_of`, `viewer` and `asked_in`")
    from workers.asked import AskedRow, read_questions

    settings = load_settings(home)
    if from_file is not None:
        asked = read_questions(from_file, settings.zone)
    else:
        asked = [AskedRow(question=question or "", as_of=as_of, viewer=viewer, asked_in=asked_in).asked(settings.zone)]
    for answer in answers(asked, settings, embed=embed):
        tell(answer, settings, json=json)


def answers(asked: "list[Asked]", settings: Settings, *, embed: bool) -> "Iterator[Answer]":
    """The answer to each question, in order, as soon as it is there."""
    from assistant.agent.ask import ask as answered
    from assistant.graph.people import GraphMembers, known_place
    from workers.cli.session import embedder_of, opened

    with opened(settings) as space:
        embedder, members = embedder_of(settings) if embed else None, GraphMembers(space.reader)
        for one in asked:
            place = known_place(space.reader, one.place)
            yield answered(one.question, one.viewer, place, space, embedder, members, zone=settings.zone)


def tell(answer: "Answer", settings: Settings, *, json: bool) -> None:
    """The answer on stdout, as JSON or for a person."""
    from workers.cli.output import console, print_json, show

    if json:
        print_json(answer.model_dump(mode="json"))
        return
    from assistant.chat.render.terminal import render_answer

    show(render_answer(answer, settings.zone, framed=console().is_terminal))
