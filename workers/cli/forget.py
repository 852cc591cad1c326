"""`brain forget`: a conversation, or all that a person said, gone for good; and letting it be read in again."""

from typing import TYPE_CHECKING, Annotated

import typer

from assistant.errors import UserFacing
from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from assistant.graph.space import Space
    from assistant.settings import Settings
    from workers.forgetting import Writing
    from workers.whose import Words


def forget(
    conversation: Annotated[
        str | None,
        typer.Argument(help="As `brain decisions` prints it: slack:rules/1583020800.000100.", show_default=False),
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="EMAIL", help="Everything that this person said or asked.", show_default=False)
    ] = None,
    lift: Annotated[
        bool, typer.Option("--lift", help="Let a forgotten conversation be read in again, by the next import.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether to.")] = False,
    json: Json = False,
    home: Home = None,
) -> None:
    """Forget a conversation, or all that a person said: the words, the decisions found in them, and the answers that
    quote them; then the files on the disk are written anew. It does not come back by another import.

    Backups made before still hold it: delete them.

    brain forget slack:rules/1583020800.000100

    brain forget --person ana@acme.example --yes
    """
    if (conversation is None) == (person is None) or (lift and conversation is None):
        raise typer.BadParameter("name a conversation, or a person with --person")
    settings = load_settings(home)
    from workers.cli.session import opened

    with opened(settings) as space:
        if lift:
            lifted(space, str(conversation), json=json)
        else:
            gone(space, settings, conversation, person, yes=yes, json=json)


def gone(
    space: "Space", settings: "Settings", conversation: str | None, person: str | None, *, yes: bool, json: bool
) -> None:
    """Forgets and tells what; raises UserFacing where nothing is called so, or it was not confirmed."""
    from assistant.graph.posts import due_posts
    from workers.cli.output import print_json, say
    from workers.forgetting import forget as forget_words

    found = meant(space, conversation, person)
    name, said, asked = person or conversation or "", len(found.utterances), len(found.answers)
    if not yes and not confirmed(f"Forget {said} messages and {asked} questions of {name} for good?"):
        raise UserFacing("nothing was forgotten; with --yes it is not asked")
    forget_words(
        space,
        writing(settings, space),
        found.utterances,
        answers=found.answers,
        marks=found.marks,
        by="command line",
        about=name,
        settings=settings,
    )
    left = len(due_posts(space.reader))
    if json:
        print_json({"forgotten": name, "messages": said, "questions": asked, "posts_waiting": left})
        return
    say(f"{said} messages and {asked} questions of {name} are forgotten. Backups made before still hold them.")
    if left:
        say(f"{left} messages of ours that quote them wait for a worker that is connected to the chat.")


def confirmed(question: str) -> bool:
    """Whether somebody says yes; nobody there is a no."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        return False


def meant(space: "Space", conversation: str | None, person: str | None) -> "Words":
    """What is to be forgotten; raises UserFacing where there is nothing."""
    from workers.whose import words_by, words_in

    found = words_in(space, conversation) if conversation else words_by(space, str(person))
    if found is None or not found.any:
        raise UserFacing(f"nothing is recorded of {conversation or person}: `brain decisions` shows how ids look")
    return found


def lifted(space: "Space", conversation: str, *, json: bool) -> None:
    """Lets a conversation be read in again, and tells how much of it."""
    from workers.cli.output import print_json, say
    from workers.forgetting import lift

    count = lift(space, conversation)
    if json:
        print_json({"lifted": conversation, "messages": count})
    else:
        say(f"{count} messages of {conversation} may come back; the next import brings what it holds of them.")


def writing(settings: "Settings", space: "Space") -> "Writing | None":
    """The chat, to clear our own posts; None where none is connected."""
    from workers.forgetting import Chat

    return Chat.of(settings, space) if settings.slack_bot_token else None
