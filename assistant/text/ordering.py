"""Fractional keys: strings that sort in reading order, with room between any two of them."""

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_VALUE = {digit: value for value, digit in enumerate(DIGITS)}


def between(before: str | None, after: str | None) -> str:
    """A key that sorts after `before` and before `after` as a plain string; None is the open end.

    Keys never end in the lowest digit, so there is always room. Raises ValueError unless before < after.
    """
    low, high = before or "", after
    if (high is not None and low >= high) or low.endswith(DIGITS[0]):
        raise ValueError(f"no key lies between {before!r} and {after!r}")
    key = ""
    while True:
        at = len(key)
        floor = _VALUE[low[at]] if at < len(low) else 0
        ceiling = len(DIGITS) if high is None else _VALUE[high[at]] if at < len(high) else 0
        if floor == ceiling:
            key += DIGITS[floor]
            continue
        if ceiling - floor > 1:
            return key + DIGITS[_step(floor, ceiling, before, after)]
        key += DIGITS[floor]
        high = None


def _step(floor: int, ceiling: int, before: str | None, after: str | None) -> int:
    """The next digit: close to the end that is written on, so that keys of a long list stay short; else the middle."""
    if after is None and before is not None:
        return floor + 1
    if before is None and after is not None:
        return ceiling - 1
    return (floor + ceiling) // 2
