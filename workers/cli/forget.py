"""`brain forget`: a conversation, or all that a person said, gone for good; and letting it be read in again."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from assistant.errors import UserFacing
from assistant.settings import load_settings
from workers.cli.options import Home, Json

if TYPE_CHECKING:
    from assistant.graph.space import Space
    from assistant.model.conversations import Person
    from assistant.settings import Settings
    from workers.forgetting import Writing
    from workers.whose import Words

SURE = re.compile(r"[^\s@]+@[^\s@]+|\w+:\S.*")
"""What one person alone is called: an e-mail, or an id with its source before it."""

SHOWN = 10
"""People that a word may mean who are shown."""


def forget(
    conversation: Annotated[
        str | None,
        typer.Argument(help="As `brain decisions` prints it: slack:rules/1583020800.000100.", show_default=False),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="EMAIL",
            help="Everything that this person said or asked: by e-mail, or by an id at a source as in slack:U01ANA. A "
            "name forgets nothing: it shows who is meant.",
            show_default=False,
        ),
    ] = None,
    lift: Annotated[
        bool, typer.Option("--lift", help="Let a forgotten conversation be read in again, by the next import.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether to.")] = False,
    json: Json = False,
    home: Home = None,
) -> None:
    """Forget a conversation, or all that a person said and asked, for good.

    The words go, the decisions found in them and the answers that quote them; then the files on the disk are written
    anew. Another import does not bring them back, unless `--lift` says so. Backups made before still hold it: delete
    them.

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
    from workers.cli.output import busy, counted, print_json, say
    from workers.forgetting import forget as forget_words

    found = meant(space, conversation, person)
    name, said, asked = person or conversation or "", len(found.utterances), len(found.answers)
    what = f"{counted(said, 'message')} and {counted(asked, 'question')} of {name}"
    whose = "" if found.name == name else f" ({found.name})"
    if not yes and not confirmed(f"Forget {what}{whose} for good?"):
        raise UserFacing("nothing was forgotten; with --yes it is not asked")
    with busy("Forgetting"):
        forget_words(
            space,
            writing(settings, space),
            found.utterances,
            answers=found.answers,
            marks=found.marks,
            reasons=found.reasons,
            by="command line",
            about=name,
            settings=settings,
        )
    left = len(due_posts(space.reader))
    if json:
        print_json({"forgotten": name, "messages": said, "questions": asked, "posts_waiting": left})
        return
    say(f"Forgotten: {what}. Backups made before still hold them.")
    if left:
        say(f"{counted(left, 'message')} of ours that quote them wait for a worker that is connected to the chat.")


def confirmed(question: str) -> bool:
    """Whether somebody says yes; nobody there is a no, and Ctrl-C ends the command."""
    from workers.cli.output import say

    try:
        return typer.confirm(question, err=True)
    except typer.Abort as stopped:
        if isinstance(stopped.__context__, KeyboardInterrupt):
            raise typer.Exit(130) from None
        say("")
        return False


def meant(space: "Space", conversation: str | None, person: str | None) -> "Words":
    """What is to be forgotten; raises UserFacing where there is nothing, and where a person is not surely meant."""
    from workers.whose import words_by, words_in

    if person is not None and not SURE.fullmatch(person):
        raise UserFacing(ask_again(space, person))
    found = words_in(space, conversation) if conversation else words_by(space, str(person))
    if found is None or not found.any:
        raise UserFacing(f"nothing is recorded of {conversation or person}: `brain decisions` shows how ids look")
    return found


def ask_again(space: "Space", word: str) -> str:
    """Shows on stderr whom a word may mean and what there is of each; gives what to do about it."""
    from assistant.graph.people import load_people
    from workers.cli.output import counted, say
    from workers.whose import words_by

    people = load_people(space.reader).persons.values()
    wanted = word.strip().removeprefix("@").casefold()
    alike = [one for one in people if wanted and any(wanted in name.casefold() for name in (one.name, *called(one)))]
    if not alike:
        return f"nothing was forgotten: nobody is known as {word or 'that'}; name the person by e-mail"
    for one in alike[:SHOWN]:
        found = words_by(space, one.id)
        of_theirs = f"{counted(len(found.utterances), 'message')}, {counted(len(found.answers), 'question')}"
        say(f"  {one.name or one.id}  --person {one.id}  {of_theirs}")
    if len(alike) > SHOWN:
        say(f"  … and {len(alike) - SHOWN} more")
    these = "this person is" if len(alike) == 1 else "these people are"
    return f"nothing was forgotten: {these} known as {word}; say it again with the e-mail or id, as shown"


def called(person: "Person") -> tuple[str, ...]:
    """All that a person goes by beside the name."""
    return (*person.emails, *person.handles, *person.other_names)


def lifted(space: "Space", conversation: str, *, json: bool) -> None:
    """Lets a conversation be read in again, and tells how much of it."""
    from workers.cli.output import counted, print_json, say
    from workers.forgetting import lift

    count = lift(space, conversation)
    if json:
        print_json({"lifted": conversation, "messages": count})
    elif not count:
        say(f"Nothing of {conversation} is kept from coming back; `brain consent history` lists what was forgotten.")
    else:
        back = counted(count, "message")
        say(f"{back} of {conversation} may come back; the next import brings what it holds of them.")


def writing(settings: "Settings", space: "Space") -> "Writing | None":
    """The chat, to clear our own posts; None where none is connected."""
    from workers.forgetting import Chat

    return Chat.of(settings, space) if settings.slack_bot_token else None
