"""Search alone over a filled home: which section comes first, whether the shown words hold the answer, what is refused.

python tests/bench/search.py --home HOME --eval ../shared/data/eval/sourcegraph [--words-only]
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

from assistant.embed import Embedder
from assistant.graph.sources import heads
from assistant.graph.space import open_space
from assistant.model.audiences import PUBLIC, Scope
from assistant.search.hybrid import search
from assistant.search.passages import best_passages
from assistant.search.support import supported
from assistant.settings import load_settings

SHOWN = 2
"""Passages that count as shown."""


def rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--words-only", action="store_true")
    args = parser.parse_args()
    settings = load_settings(home=args.home)
    embedder = None if args.words_only else Embedder(settings.embedding_model, settings.cache)
    counts = dict.fromkeys(("first", "first three", "first eight", "answer shown", "refused wrongly"), 0)
    refused, seconds = 0, []
    lookup, unanswerable = rows(args.eval / "lookup.dev.jsonl"), rows(args.eval / "unanswerable.dev.jsonl")
    with open_space(settings) as space:
        scope = Scope((PUBLIC,), heads(space.reader))
        for row in lookup + unanswerable:
            begun = perf_counter()
            hits = search(space.reader, scope, row["question"], embedder)
            passages = best_passages(row["question"], hits, embedder)
            answerable = supported(row["question"], passages).answerable
            seconds.append(perf_counter() - begun)
            if "gold_span" not in row:
                refused += not answerable
                continue
            wanted = (row["path"], row["heading_path"][-1])
            right = [(hit.section.path, hit.section.heading) == wanted for hit in hits]
            shown = " ".join(" ".join(p.unit.plain.split()) for p in passages[:SHOWN]).casefold()
            counts["first"] += any(right[:1])
            counts["first three"] += any(right[:3])
            counts["first eight"] += any(right)
            counts["answer shown"] += row["gold_span"].casefold() in shown
            counts["refused wrongly"] += not answerable
    for name, count in counts.items():
        print(f"{name:<18} {count}/{len(lookup)}")
    print(f"{'refused rightly':<18} {refused}/{len(unanswerable)}")
    ordered = sorted(seconds)
    print(f"seconds            median {ordered[len(ordered) // 2]:.3f}, p95 {ordered[int(0.95 * len(ordered))]:.3f}")


if __name__ == "__main__":
    main()
