"""Time as the graph keeps it: whole microseconds since 1970 in UTC; aware datetimes everywhere else."""

from datetime import UTC, datetime, timedelta, tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

FOREVER = 2**53 - 1
"""`valid_to` of what still holds. The largest integer that a range index, which keeps doubles, tells from its
neighbours; as a time it lies in the year 2255."""


def micros(moment: datetime) -> int:
    """Microseconds since 1970 of an aware datetime, exactly (no float on the way)."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(at: int) -> datetime:
    """The aware UTC datetime of microseconds since 1970."""
    return EPOCH + timedelta(microseconds=at)


def moment_or_none(at: int) -> datetime | None:
    """As `moment`, but None for what still holds."""
    return None if at >= FOREVER else moment(at)


def day(at: datetime | int, zone: tzinfo) -> str:
    """The date of a moment (or of microseconds since 1970) in a time zone, as people write it: 4 March 2020."""
    local = (moment(at) if isinstance(at, int) else at).astimezone(zone)
    return f"{local.day} {local:%B %Y}"
