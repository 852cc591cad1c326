"""The classifier: a weighted sum of an utterance's features, whose few kilobytes of weights `training/` made."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from assistant.decisions.extract.features import NAMES
from assistant.errors import Fatal

LONGEST = 15.0
"""Words from which an utterance counts as long: what is longer is no surer a decision."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Log odds = bias + sum of weight * feature."""

    bias: float
    by_name: dict[str, float]
    first: float
    """Log odds from which the likeliest utterance of a conversation is a decision."""
    further: float
    """Log odds from which another one is, too."""

    def log_odds(self, rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
        """One number a row; rows have len(NAMES) columns."""
        table = capped(rows)
        odds: NDArray[np.float64] = self.bias + table @ np.array([self.by_name.get(name, 0.0) for name in NAMES])
        return odds


def capped(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """The rows as a table, with what grows without end held down."""
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(NAMES))
    length = NAMES.index("length")
    table[:, length] = np.minimum(table[:, length], np.log1p(LONGEST))
    return table


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """Those that come with the product; raises Fatal where they do not fit the features."""
    stored = json.loads((files("assistant.decisions.extract") / "weights.json").read_text(encoding="utf-8"))
    unknown = set(stored["weights"]) - set(NAMES)
    if unknown:
        raise Fatal(f"weights.json names features that are none: {sorted(unknown)}; train it again")
    return Weights(stored["bias"], stored["weights"], stored["first"], stored["further"])
