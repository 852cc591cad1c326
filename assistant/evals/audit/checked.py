"""What a check found."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Checked:
    """One check's result: how many things were looked at, and what is wrong with which."""

    check: str
    total: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)
    """By the thing's id what is wrong with it, in order."""

    def look(self, thing: str, complaints: Iterable[str]) -> None:
        """Counts a thing, and what is wrong with it."""
        self.total += 1
        for complaint in complaints:
            self.blame(thing, complaint)

    def blame(self, thing: str, complaint: str) -> None:
        """Something is wrong with a thing that is counted elsewhere."""
        self.wrong.setdefault(thing, []).append(complaint)

    def missing(self, thing: str, complaint: str) -> None:
        """Something of the source is not in the graph."""
        self.total += 1
        self.blame(thing, complaint)

    @property
    def passed(self) -> int:
        """How many things have nothing wrong."""
        return self.total - len(self.wrong)

    @property
    def failures(self) -> list[str]:
        """One line for each thing with something wrong."""
        return [f"{thing}: {'; '.join(dict.fromkeys(told))}" for thing, told in self.wrong.items()]
