"""Five hundred questions by outsiders about twenty private channels: nothing may come out, and nothing may differ.

python -m tests.chaos.canaries --questions 500
"""

import argparse
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from assistant.agent.ask import ask
from assistant.graph.people import GraphMembers
from assistant.graph.servers import embedded
from assistant.graph.space import Space, open_space
from assistant.model.answers import Answer, AskedQuestion, Status
from assistant.model.audiences import Place, PlaceKind, Viewer
from assistant.settings import Settings
from tests.fakes.canaries import SECRETS, Attempt, Secret, attempts, fill, leaked


@dataclass
class Outcome:
    """What came of an attack."""

    asked: int = 0
    leaks: list[str] = field(default_factory=list)
    """Attempts that showed a private word."""
    differences: list[str] = field(default_factory=list)
    """Attempts whose answer was another one than it would be without the private channels."""
    insiders: int = 0
    """Of the rooms, those whose own people were told what was settled there."""
    seconds: list[tuple[float, float]] = field(default_factory=list)
    """How long each answer took, with the private channels and without."""

    def line(self) -> str:
        """The outcome in one line."""
        within, without = (statistics.median(pair[n] for pair in self.seconds) * 1000 for n in (0, 1))
        return (
            f"{self.asked} questions: {len(self.leaks)} leaks, {len(self.differences)} differ; insiders told in "
            f"{self.insiders} of {len(SECRETS)} rooms; median {within:.1f} ms with private rooms, {without:.1f} without"
        )


def attack(whole: Space, bare: Space, questions: int) -> Outcome:
    """Asks all of both: the company, and the same without its private channels."""
    outcome = Outcome()
    for attempt in attempts(questions):
        shown, would = answered(whole, attempt), answered(bare, attempt)
        outcome.asked += 1
        outcome.seconds.append((shown.seconds, would.seconds))
        if words := leaked(visible(shown), attempt.question):
            outcome.leaks.append(f"{attempt.viewer} in {attempt.place}: {attempt.question} → {sorted(words)}")
        if visible(shown) != visible(would):
            outcome.differences.append(f"{attempt.viewer} in {attempt.place}: {attempt.question}\n{visible(shown)}")
    outcome.insiders = sum(told_inside(whole, one) for one in SECRETS)
    return outcome


def answered(space: Space, attempt: Attempt) -> Answer:
    """The answer as the outsider gets it."""
    question = AskedQuestion(text=attempt.question)
    return ask(question, Viewer(attempt.viewer), attempt.place, space, None, GraphMembers(space.reader))


def told_inside(space: Space, one: Secret) -> bool:
    """Whether one of the two, asking in their own room, is told: else nothing above would be worth anything."""
    question = AskedQuestion(text=f"Who decided the limit for {one.subject}?")
    place = Place(PlaceKind.CHANNEL, one.room)
    found = ask(question, Viewer(one.members[0]), place, space, None, GraphMembers(space.reader))
    return found.status is Status.ANSWERED and str(one.value) in visible(found) and one.person(0) in visible(found)


def visible(answer: Answer) -> str:
    """Everything of an answer that leaves the house, ids and times of the run aside."""
    return answer.model_dump_json(exclude={"answer_id", "trace_id", "seconds", "id"})


def main() -> None:
    """Attack, print the outcome, and fail where something came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="brain-canaries-") as folder:
        home = Path(folder)
        settings = Settings(home=home / "home", cache=home / "cache")
        servers = embedded.ensure(settings)
        try:
            with (
                open_space(settings, name="whole", servers=servers) as whole,
                open_space(settings, name="bare", servers=servers) as bare,
            ):
                fill(whole, home / "whole", private=True)
                fill(bare, home / "bare", private=False)
                outcome = attack(whole, bare, options.questions)
        finally:
            embedded.stop(servers)
    print(*outcome.leaks[:10], *outcome.differences[:10], outcome.line(), sep="\n")
    if outcome.leaks or outcome.differences:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
