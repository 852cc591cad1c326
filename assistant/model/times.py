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


def whole_day(at: datetime, source: str) -> bool:
    """Whether only its day is known: minutes (`minutes:…`) without a time of day keep their order in microseconds."""
    clock = at.astimezone(UTC)
    past = (clock.hour, clock.minute, clock.second)
    return source.startswith("minutes:") and past == (0, 0, 0) and clock.microsecond > 0


def zone_of(at: datetime, source: str, zone: tzinfo) -> tzinfo:
    """The zone to tell it in: where only the day is known it is that day everywhere."""
    return UTC if whole_day(at, source) else zone


def day(at: datetime | int, zone: tzinfo) -> str:
    """The date of a moment (or of microseconds since 1970) in a time zone, as people write it: 4 March 2020."""
    local = (moment(at) if isinstance(at, int) else at).astimezone(zone)
    return f"{local.day} {local:%B %Y}"
