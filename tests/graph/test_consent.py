"""What a channel's people chose: the newest counts, all stay, and no choice records nothing."""

from datetime import UTC, datetime, timedelta

from assistant.graph.consent import Choice, Mode, choices, mode_of, set_mode
from assistant.graph.space import Space

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def test_where_nobody_chose_we_answer_and_record_nothing(space: Space) -> None:
    set_mode(space.graph, "C2", Mode.RECORD, "U1", NOON)
    assert mode_of(space.reader, "C1") is Mode.ANSWER


def test_the_newest_choice_counts_and_all_stay_with_their_authors(space: Space) -> None:
    later = NOON + timedelta(days=1)
    set_mode(space.graph, "C1", Mode.OFF, "U2", later)
    set_mode(space.graph, "C1", Mode.RECORD, "U1", NOON)  # a click that arrives late is still the older one
    set_mode(space.graph, "C1", Mode.OFF, "U2", later)
    assert mode_of(space.reader, "C1") is Mode.OFF
    assert choices(space.reader, "C1") == [
        Choice("C1", Mode.RECORD, "U1", NOON),
        Choice("C1", Mode.OFF, "U2", later),
    ]
    assert choices(space.reader) == choices(space.reader, "C1")
