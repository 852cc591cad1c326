"""A rule is asked about, changes, and whoever relied on the old answer is told: the story, by the real parts."""

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from assistant.access import NOBODY
from assistant.agent.ask import ask
from assistant.chat.render.terminal import render_answer
from assistant.embed import Embedder
from assistant.errors import UserFacing
from assistant.graph.sources import last_commit, list_sources
from assistant.graph.space import Space
from assistant.model.answers import Answer, AskedQuestion, SectionCitation
from assistant.model.audiences import PUBLIC, Place, Viewer
from assistant.model.times import day, moment, moment_or_none
from assistant.search.indexing import embed_current
from assistant.settings import Settings
from assistant.staleness.check import Notice, check_commit
from assistant.staleness.refresh import refresh
from connectors.git import GitRepository
from workers.demo.company import ASKED, BEFORE, CHANGE, DECIDED, TALK, UNWRITTEN, WHY, write_handbook
from workers.ingest import ingest_git
from workers.pages import page_history
from workers.reconcile import reconcile
from workers.talk import ingest_slack_export, ingest_zoom


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the story is told and what it works with."""

    console: Console
    settings: Settings
    space: Space
    repo: GitRepository
    embedder: Embedder


def set_up(console: Console, settings: Settings, space: Space) -> Stage:
    """The stage with the company's repository written and nothing read from it yet.

    Raises UserFacing where the home knows something already: the story begins with nothing.
    """
    if list_sources(space.reader):
        raise UserFacing(f"{settings.home} knows something already: leave --home out, or name a new folder")
    folder = settings.home / "tidewater.git"
    write_handbook(folder)
    repo = GitRepository(folder, cache=settings.cache)
    return Stage(console, settings, space, repo, Embedder(settings.embedding_model, settings.cache))


def tell(stage: Stage) -> None:
    """The story from the first question to the last; nothing in it is prepared but the handbook."""
    read(stage, BEFORE, "Reading the handbook of Tidewater, a company made up for this demo")
    scene(stage, "In July, an analyst asks")
    old = put(stage, ASKED)
    scene(stage, "Then the rule changes")
    read(stage, CHANGE, "A request is merged")
    warn(stage, old)
    scene(stage, "The same question again")
    show_question(stage, ASKED)
    new = refresh(stage.space, stage.embedder, NOBODY, old.answer_id, stage.settings.zone)
    say(stage, new)
    show_versions(stage, new)
    scene(stage, "Why, and who decided it?")
    listen(stage)
    put(stage, DECIDED)
    scene(stage, "And a question about a number")
    read(stage, None, "August comes")
    put(stage, WHY)
    scene(stage, "And a rule that nobody wrote down")
    put(stage, UNWRITTEN)


def read(stage: Stage, until: str | None, what: str) -> None:
    """Reads the handbook up to a commit."""
    stage.console.print(Text(f"{what} …", style="dim"))
    ingest_git(stage.space, stage.repo, until=until)
    embed_current(stage.space, stage.embedder)


def listen(stage: Stage) -> None:
    """Reads what was said in meetings and in Slack, and finds what was decided."""
    stage.console.print(Text("Reading the recording of a meeting, and Slack …", style="dim"))
    ingest_zoom(stage.space, TALK / "zoom", audience=PUBLIC)
    ingest_slack_export(stage.space, TALK / "slack")
    reconcile(stage.space, days=stage.settings.chat_only_days)


def put(stage: Stage, question: str) -> Answer:
    """Asks, as anybody in the company could, and shows the answer."""
    show_question(stage, question)
    answer = answered(stage, question)
    say(stage, answer)
    return answer


def answered(stage: Stage, question: str, earlier: tuple[str, ...] = ()) -> Answer:
    """What anybody is told who has asked the earlier questions before."""
    asked, zone = AskedQuestion(text=question, earlier=earlier), stage.settings.zone
    clock = last_commit(stage.space.reader)
    return ask(asked, Viewer(), Place(), stage.space, stage.embedder, NOBODY, zone=zone, clock=clock)


def show_question(stage: Stage, question: str) -> None:
    """A question as it is asked."""
    stage.console.print(Text.assemble(("? ", "bold cyan"), (question, "bold")))


def say(stage: Stage, answer: Answer) -> None:
    """An answer with its sources."""
    stage.console.print(render_answer(answer, stage.settings.zone))


def warn(stage: Stage, answer: Answer) -> None:
    """Shows what the change did to the answer given before."""
    commit = stage.repo.landing(CHANGE)
    report = check_commit(stage.space, commit)
    for notice in report.invalidated:
        if notice.answer_id == answer.answer_id:
            stage.console.print(stale_panel(stage, notice))


def stale_panel(stage: Stage, notice: Notice) -> Panel:
    """The notice that whoever relied on the answer would get."""
    body = Text()
    body.append("This answer no longer holds.\n\n", style="bold")
    body.append("was  ", style="dim").append(notice.old_quote + "\n", style="strike red")
    body.append("now  ", style="dim").append((notice.new_quote or "removed") + "\n\n", style="green")
    request = f"request {notice.merge_request} · " if notice.merge_request else ""
    when = day(moment(notice.at), stage.settings.zone)
    body.append(f"{request}commit {notice.commit[:8]} · {notice.author} · {when}\n", style="cyan")
    body.append(f"Owned by {', '.join(notice.owners) or 'nobody'}", style="dim")
    return Panel(body, title="stale", title_align="left", border_style="red", padding=(0, 1))


def show_versions(stage: Stage, answer: Answer) -> None:
    """When each version of the cited section held, and by which request and commit."""
    zone = stage.settings.zone
    cited = next(citation for citation in answer.citations if isinstance(citation, SectionCitation))
    for row in page_history(stage.space, cited.path, " > ".join(cited.heading_path)):
        until = moment_or_none(row.valid_to)
        held = f"{day(moment(row.valid_from), zone)} to {day(until, zone) if until else 'now'}"
        words = " ".join(row.text.split("\n", 1)[-1].split())
        line = Text.assemble((f"  {held}", "bold"), f" · request {row.merge_request} · commit {row.commit[:8]}\n")
        stage.console.print(line.append(f"  {words}", "dim"))


def scene(stage: Stage, title: str) -> None:
    """A line between two parts of the story."""
    stage.console.print()
    stage.console.print(Rule(title, align="left", style="dim"))


def go_on(stage: Stage) -> None:
    """Lets the person ask until they have had enough (an empty line, quit, Ctrl-D or Ctrl-C); each may follow up."""
    scene(stage, "Your turn")
    show_help(stage)
    earlier: tuple[str, ...] = ()
    while question := wish(stage):
        if question.lower() in ("help", "?"):
            show_help(stage)
            continue
        try:
            say(stage, answered(stage, question, earlier))
            earlier = (*earlier, question)
        except UserFacing as error:
            stage.console.print(Text(str(error), style="yellow"))


def wish(stage: Stage) -> str:
    """What the person types; '' where they have had enough."""
    try:
        typed = stage.console.input("[bold cyan]? [/]").strip()
    except (EOFError, KeyboardInterrupt):
        stage.console.print()
        return ""
    return "" if typed.lower() in ("quit", "exit", ":q", "q", "bye") else typed


def show_help(stage: Stage) -> None:
    """What can be asked, and how to end."""
    stage.console.print(
        Text("Ask Tidewater's handbook anything; an empty line or quit ends. For example:", style="dim")
    )
    for example in ("How many days of annual leave do we get, and since when?", "Who owns the expenses page?",
                    "What was the hotel limit on 2026-06-30?"):  # fmt: skip
        stage.console.print(Text(f"  {example}", style="dim italic"))


def demo_settings(home: Path, settings: Settings) -> Settings:
    """Settings of a home for the demonstration: embedded servers, whatever the environment names."""
    return settings.model_copy(update={"home": home, "falkordb_url": None, "redis_url": None})
