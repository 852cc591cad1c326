"""Errors, by what the one who catches them should do.

BrainError
├── Retry            try again after `after` seconds: a server starting, a rate limit, a lost connection
├── Skip             this one record is unreadable; go on with the next and say so
├── Fatal            stop: what is broken does not mend itself
│   └── Closed       we may not write in this place; tell the person elsewhere
└── UserFacing       the person asked for what cannot be served; the text says what to do
"""


class BrainError(Exception):
    """Every error of ours."""


class Retry(BrainError):
    """May go well later."""

    def __init__(self, message: str, after: float = 1.0) -> None:
        super().__init__(message)
        self.after = after
        """Seconds to wait."""


class Skip(BrainError):
    """One record cannot be read; the others can."""


class Fatal(BrainError):
    """Will not go well, however often it is tried."""


class Closed(Fatal):
    """We may not write in this place; tell the person elsewhere."""


class UserFacing(BrainError):
    """Its text is one line for the person: what is wrong and what to do. `brain` exits with 1."""
