"""Who gets no answer, and where: guests, other companies, channels that are closed to us."""

import pytest

from assistant.chat import journeys, texts
from assistant.errors import Fatal, Retry
from assistant.model.surfaces import Inquiry, Way
from tests.flows.office import Office, direct, mention


def test_who_wrote_in_a_channel_is_known_to_be_in_it_but_sharing_proves_nothing(office: Office) -> None:
    journeys.answer(mention(), office.desk)
    shared = Inquiry(way=Way.SHARE, key="share/2", revision="1", user="U01ANA", text="limit?", channel="C2", ts="1.0")
    journeys.answer(shared, office.desk)
    assert [seen_in for _, _, _, seen_in in office.asked] == [frozenset({"C1"}), frozenset()]


@pytest.mark.parametrize(
    "marks",
    [
        {"is_ext_shared": True},
        {"is_shared": True},
        {"is_pending_ext_shared": True},
        {"members": ["U01ANA", "U5GUEST"]},
        {"members": ["U01ANA", "U6STRANGER"]},
    ],
    ids=str,
)
def test_with_guests_or_another_company_nothing_is_answered_and_the_asker_told_once(
    office: Office, marks: dict[str, object]
) -> None:
    office.slack.users["U5GUEST"] = {"is_restricted": True}
    office.slack.channels["C2"] = marks
    for number in range(3):
        journeys.answer(mention(ts=f"20{number}.000001", channel="C2"), office.desk)
    assert office.slack.by_us("C2") == office.asked == []
    [told] = [m for m in office.slack.messages["C2"] if m.get("ephemeral_to")]
    assert (told["ephemeral_to"], texts.SHARED_ROOM in told["text"]) == ("U01ANA", True)


def test_who_could_not_be_told_at_once_is_told_by_the_next_try(office: Office) -> None:
    office.slack.channels["C2"] = {"is_ext_shared": True}
    office.slack.errors["chat.postEphemeral"] = "internal_error"
    with pytest.raises(Retry):
        journeys.answer(mention(channel="C2"), office.desk)
    del office.slack.errors["chat.postEphemeral"]
    journeys.answer(mention(channel="C2"), office.desk)
    assert len([m for m in office.slack.messages["C2"] if m.get("ephemeral_to")]) == 1


def test_an_allowed_channel_is_answered_whoever_is_in_it(office: Office) -> None:
    office.slack.channels["C9ALLOWED"] = {"is_ext_shared": True}
    journeys.answer(mention(channel="C9ALLOWED"), office.desk)
    assert len(office.told("C9ALLOWED")) == 1


def test_a_channel_that_cannot_be_looked_into_counts_as_one_with_outsiders(office: Office) -> None:
    office.slack.errors["conversations.members"] = "missing_scope"
    journeys.answer(mention(), office.desk)
    assert office.slack.by_us("C1") == []


def test_a_workspace_of_many_pages_is_read_on_from_where_the_rate_limit_broke_it_off(office: Office) -> None:
    everybody = [f"U{number:05d}" for number in range(95)]
    office.slack.users.update({one: {} for one in everybody})
    office.slack.channels["C2"] = {"members": ["U01ANA", *everybody]}
    office.slack.page, office.slack.retry_after = 10, 60
    for _ in range(3):
        office.slack.allowed["users.list"] = 3
        with pytest.raises(Retry, match="ratelimited"):
            journeys.answer(mention(channel="C2"), office.desk)
    office.slack.allowed["users.list"] = 3
    journeys.answer(mention(channel="C2"), office.desk)
    assert office.told("C2") == ["A trial needs 31 active seats."]
    read = [call.get("cursor", "") for call in office.slack.made("users.list")]
    assert list(dict.fromkeys(read)) == ["", *(str(start) for start in range(10, 100, 10))]
    assert (read.count(""), len(read)) == (1, 10 + 3), "only the page that was refused is asked for again"


def test_a_rate_limit_that_ends_soon_is_waited_out(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("connectors.slack.client.sleep", waits.append)
    office.slack.retry_after = 7
    office.slack.too_many.update(
        {"users.info": 1, "conversations.info": 1, "users.list": 1, "conversations.members": 1}
    )
    journeys.answer(mention(), office.desk)
    assert (office.told("C1"), waits) == (["A trial needs 31 active seats."], [7.0] * 4)


@pytest.mark.parametrize("mark", ["is_restricted", "is_ultra_restricted", "is_stranger"])
def test_guests_get_no_answer_in_direct_messages_either(office: Office, mark: str) -> None:
    office.slack.users["U01ANA"] = {mark: True}
    journeys.answer(direct("limit?"), office.desk)
    assert (office.told("DU01ANA"), office.asked) == ([texts.GUEST], [])


def test_sharing_into_a_channel_with_outsiders_is_refused_in_private(office: Office) -> None:
    office.slack.channels["C2"] = {"is_ext_shared": True}
    shared = Inquiry(way=Way.SHARE, key="share/3", revision="1", user="U01ANA", text="limit?", channel="C2", ts="1.0")
    journeys.answer(shared, office.desk)
    assert (office.slack.by_us("C2"), office.told("DU01ANA")) == ([], [texts.SHARED_ROOM])


@pytest.mark.parametrize("error", ["not_in_channel", "is_archived", "channel_not_found"])
def test_where_it_may_not_write_the_asker_hears_of_it_in_private(office: Office, error: str) -> None:
    post = office.slack.chat_postMessage
    office.slack.chat_postMessage = (  # type: ignore[method-assign]
        lambda given: {"ok": False, "error": error} if given["channel"] == "C1" else post(given)
    )
    journeys.answer(mention(), office.desk)
    assert office.told("DU01ANA") == [texts.NO_ROOM]
    journeys.apologise(mention(ts="101.000001"), office.desk, Fatal("broken"))
    assert office.told("DU01ANA") == [texts.NO_ROOM] * 2


def test_an_apology_goes_no_further_than_an_answer_would(office: Office) -> None:
    office.slack.channels["C2"] = {"is_ext_shared": True}
    journeys.apologise(mention(channel="C2"), office.desk, Fatal("broken"))
    assert office.slack.by_us("C2") == []
    [told] = [m for m in office.slack.messages["C2"] if m.get("ephemeral_to")]
    assert texts.SHARED_ROOM in told["text"]
