"""Replaying time: a list of steps over a handbook's history, in one process, as CONTRACT.md writes them."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from assistant.agent.ask import ask
from assistant.embed import Embedder
from assistant.errors import UserFacing
from assistant.graph.people import GraphMembers, known_place
from assistant.graph.reading.conversations import decision_count
from assistant.graph.sources import last_commit
from assistant.graph.space import Space
from assistant.search.indexing import embed_current
from assistant.settings import Settings
from assistant.staleness.check import Notice, StaleReport, check_commit
from connectors.git import GitRepository
from workers.asked import Asked, AskedRow, numbered_lines, reason
from workers.ingest import ingest_git
from workers.reconcile import reconcile_as_set
from workers.talk import ingest_minutes, ingest_slack_export, ingest_zoom


class Advance(BaseModel):
    """Ingest up to and including a commit."""

    model_config = ConfigDict(extra="ignore")
    op: Literal["advance"]
    id: str | None = None
    commit: str


class Ask(AskedRow):
    """Ask at that moment of history."""

    op: Literal["ask"]


class Stale(BaseModel):
    """Which stored answers a commit touched."""

    model_config = ConfigDict(extra="ignore")
    op: Literal["stale"]
    id: str | None = None
    commit: str


class Ingest(BaseModel):
    """Take in what people had said up to a time."""

    model_config = ConfigDict(extra="ignore")
    op: Literal["ingest"]
    id: str | None = None
    kind: Literal["slack-export", "zoom", "minutes"]
    path: Path
    until: datetime | None = None
    audience: str | None = None
    people: Path | None = None


AnyStep = Advance | Ask | Stale | Ingest
STEP: TypeAdapter[AnyStep] = TypeAdapter(Annotated[AnyStep, Field(discriminator="op")])


def read_steps(script: Path) -> list[AnyStep]:
    """The steps of a script; raises UserFacing naming the first line that is none, before anything is done."""
    steps = []
    for number, line in numbered_lines(script):
        try:
            steps.append(STEP.validate_json(line))
        except ValidationError as error:
            raise UserFacing(f"{script}:{number}: {reason(error)}") from error
    return steps


class Replay:
    """One walk through a repository's history."""

    def __init__(
        self, space: Space, repo: GitRepository, settings: Settings, embedder: Embedder, *, embed: bool
    ) -> None:
        """With `embed`, all current sections get vectors before each question."""
        self._space, self._repo, self._settings, self._embedder = space, repo, settings, embedder
        self._embed = embed
        self._asked: dict[str, str] = {}
        """The script's own id of each answer given so far, by the answer's id."""

    def run(self, steps: list[AnyStep]) -> Iterator[dict[str, Any]]:
        """The result of each step, in order."""
        for step in steps:
            match step:
                case Advance():
                    yield self._advance(step)
                case Ask():
                    yield {"op": step.op, **self._ask(step.asked(self._settings.zone))}
                case Stale():
                    yield self._stale(step)
                case Ingest():
                    yield self._ingest(step)
                case _:
                    assert_never(step)

    def _advance(self, step: Advance) -> dict[str, Any]:
        wanted = self._repo.landing(step.commit)
        report = ingest_git(self._space, self._repo, until=wanted)
        reconcile_as_set(self._space, self._settings)
        if report.cursor != wanted:
            raise UserFacing(f"this home has been filled beyond {wanted[:12]}: replay into a fresh one with --home")
        return {"op": step.op, "id": step.id, "commit": wanted, "sections_changed": report.sections_changed}

    def _ask(self, asked: Asked) -> dict[str, Any]:
        if self._embed:
            embed_current(self._space, self._embedder)
        members, place = GraphMembers(self._space.reader), known_place(self._space.reader, asked.place)
        zone = self._settings.zone
        clock = last_commit(self._space.reader)
        answer = ask(asked.question, asked.viewer, place, self._space, self._embedder, members, zone=zone, clock=clock)
        self._asked[answer.answer_id] = answer.id or ""
        return answer.model_dump(mode="json")

    def _stale(self, step: Stale) -> dict[str, Any]:
        commit = self._repo.landing(step.commit)
        report: StaleReport = check_commit(self._space, commit)
        return {
            "op": step.op,
            "id": step.id,
            "commit": commit,
            "invalidated": [self._told(notice) for notice in report.invalidated],
            "unsure": [self._told(notice) for notice in report.unsure],
            "revalidated": [
                {"answer_id": name, "ask_id": self._asked.get(name) or None} for name in report.revalidated
            ],
        }

    def _ingest(self, step: Ingest) -> dict[str, Any]:
        until = step.until
        if until is not None and until.tzinfo is None:
            until = until.replace(tzinfo=self._settings.zone)
        about: dict[str, Any] = {"people": step.people, "until": until}
        match step.kind:
            case "slack-export":
                report = ingest_slack_export(self._space, step.path, **about)
            case "zoom":
                report = ingest_zoom(self._space, step.path, audience=step.audience, **about)
            case "minutes":
                report = ingest_minutes(self._space, [step.path], audience=step.audience, **about)
        reconcile_as_set(self._space, self._settings)
        decisions = decision_count(self._space.reader, report.found)
        return {"op": step.op, "id": step.id, "conversations": report.conversations, "decisions": decisions}

    def _told(self, notice: Notice) -> dict[str, Any]:
        return {
            "answer_id": notice.answer_id,
            "ask_id": self._asked.get(notice.answer_id) or None,
            "old_quote": notice.old_quote,
            "new_quote": notice.new_quote,
            "owners": list(notice.owners),
        }
