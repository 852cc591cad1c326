"""What a computation costs, told so that a busy machine cannot make it look worse."""

from collections.abc import Callable, Sequence
from time import process_time

LEAST = 2e-5
"""Seconds below which the clock tells nothing."""


def in_proportion(call: Callable[[str], object], piece: str, counts: Sequence[int] = (300, 2400)) -> bool:
    """Whether a text of eight times the pieces costs about eight times as much; its square would cost 64 times."""
    small, large = (cost(call, piece * count) for count in counts)
    return large < 4 * counts[1] / counts[0] * max(small, LEAST)


def cost(call: Callable[[str], object], text: str) -> float:
    """Seconds of this process's own work, the best of three times."""

    def once() -> float:
        began = process_time()
        call(text)
        return process_time() - began

    return min(once() for _ in range(3))
