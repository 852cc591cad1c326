"""Fits the weights that tell which of two texts supports a statement, or tells how good they are on other pages.

    python -m workers.train_support PAIRS            # figures of five folds, no page in two
    python -m workers.train_support PAIRS --write    # and writes assistant/staleness/support.json

PAIRS is a file of JSON lines: `claim`, `old_text`, `new_text`, `supported` (whether it is the new text that supports
the claim) and `page`, as the real revisions of VitaminC give them (Schuster, Fisch, Barzilay 2021; CC BY-SA 3.0).
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import typer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from assistant.staleness.support import NAMES, features

FOLDS = 5
WEIGHTS = Path(__file__).parent.parent / "assistant/staleness/support.json"


def difference(row: dict[str, Any]) -> list[float]:
    """What the new text has over the old one, one number a name."""
    new = features(row["claim"], row["new_text"], row["old_text"])
    old = features(row["claim"], row["old_text"], row["new_text"])
    return [one - other for one, other in zip(new, old, strict=True)]


def fit(table: Any, truth: Any) -> Any:
    """Weights in the features' own scale; without a bias, since either text may be the one that supports."""
    spread = table.std(axis=0)
    fitted = LogisticRegression(fit_intercept=False).fit(table / spread, truth)
    return fitted.coef_[0] / spread


def right(odds: Any, truth: Any) -> float:
    """The share of pairs told right; where the odds are even, half of one."""
    return float(np.where(odds == 0, 0.5, (odds > 0) == truth).mean())


def main() -> None:
    """Prints the share of pairs in which the supporting text is told, each page judged by weights made without it."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    table = np.array([difference(row) for row in rows])
    truth = np.array([row["supported"] for row in rows])
    pages = [row["page"] for row in rows]
    shares = [
        right(table[held] @ fit(table[known], truth[known]), truth[held])
        for known, held in GroupKFold(FOLDS).split(table, truth, pages)
    ]
    told = ", ".join(f"{share:.3f}" for share in shares)
    typer.echo(f"{len(rows)} pairs of {len(set(pages))} pages: {np.mean(shares):.3f} ({told})")
    weights = fit(table, truth)
    typer.echo(f"in sample: {right(table @ weights, truth):.3f}")
    if "--write" in sys.argv:
        stored = {name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)}
        WEIGHTS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
