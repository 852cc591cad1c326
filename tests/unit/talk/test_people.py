"""Who is who across sources: what settles it, what is only alike, and what stays unsure."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.errors import UserFacing
from assistant.model.conversations import Identity
from assistant.text.people import SETTLED, People, name_key
from workers.peoplefile import read_people


def known(*identities: Identity) -> People:
    people = People()
    people.learn(identities)
    return people


ADA = Identity("slack", "Ada Byron", "U1", "Ada@acme.example", ("ada",))


@pytest.mark.parametrize(
    "who",
    [
        Identity("slack", "?", "U1"),
        Identity("zoom", "?", email="ADA@acme.example"),
        Identity("zoom", "Ada  BYRON"),
        Identity("zoom", "Ada Byron (Acme)"),
        Identity("zoom", "Ada Byron | Acme"),
        Identity("git", "Áda Byron", email="ada@home.example"),
        Identity("teams", "?", handles=("slack:U1",)),
    ],
)
def test_what_settles_who_it_is(who: Identity) -> None:
    found = known(ADA).speaker(who)
    assert (found.name, found.person) == ("Ada Byron", "ada@acme.example")


@pytest.mark.parametrize(
    "who",
    [
        Identity("zoom", "Ada"),
        Identity("zoom", "ada"),
        Identity("github", "ada", "ada"),
        Identity("codeowners", "ada", handles=("ada",)),
        Identity("zoom", "Ada B"),
        Identity("zoom", "U1", "U1"),
    ],
)
def test_what_is_only_alike_stays_the_name_it_is(who: Identity) -> None:
    found = known(ADA).speaker(who)
    assert (found.name, found.person) == (who.name, None)


def test_the_people_file_settles_handles_everywhere() -> None:
    people = known(
        Identity(SETTLED, "Ada Byron", "ada byron", "ada@acme.example", ("slack:U1", "github:adab", "adab")), ADA
    )
    for who in (
        Identity("github", "adab", "adab"),
        Identity("codeowners", "@adab", handles=("adab",)),
        Identity("git", "x", email="12+adab@users.noreply.github.com"),
    ):
        assert people.speaker(who).person == "ada@acme.example"
    assert len(people.persons) == 1


def test_two_addresses_of_one_company_are_two_people_of_two_companies_may_be_one() -> None:
    other = Identity("zoom", "Ada Byron", email="ada.b@acme.example")
    people = known(ADA, other)
    assert people.speaker(other).person == "ada.b@acme.example"
    assert people.speaker(Identity("minutes", "Ada Byron")).person is None
    private = Identity("zoom", "Ada Byron", email="ada@home.example")
    assert known(ADA, private).speaker(private).person == "ada@acme.example"


IDENTITIES = st.builds(
    Identity,
    st.sampled_from(["slack", "zoom", "git", "people"]),
    st.sampled_from(["Ada Byron", "Grace Hopper", "ada", ""]),
    st.sampled_from([None, "1", "2"]),
    st.sampled_from([None, "a@x.example", "b@x.example", "a@y.example"]),
    st.sampled_from([(), ("ada",), ("slack:1",)]),
)


BYRON = Identity("slack", "Ada Byron")


@given(st.lists(IDENTITIES, max_size=8))
@example(
    [
        BYRON,
        replace(BYRON, source="people", id="1"),
        replace(BYRON, id="1"),
        replace(BYRON, id="2", email="b@x.example"),
        replace(BYRON, source="people", id="1", email="b@x.example"),
    ]
)
@example(
    [
        replace(BYRON, email="b@x.example"),
        replace(BYRON, source="zoom", id="2"),
        replace(BYRON, source="zoom", id="1", handles=("slack:1",)),
        replace(BYRON, source="people", email="b@x.example", handles=("slack:1",)),
    ]
)
def test_whoever_is_learned_is_found_or_unsure_and_learning_twice_adds_nobody(identities: list[Identity]) -> None:
    people = known(*identities)
    for one in identities:
        assert people.speaker(one).person in {*people.persons, None}
        sure = people.sure(replace(one, id=None, handles=()))
        assert sure is None or one.email in people.persons[sure].emails
    assert people.doubted <= set(people.persons)
    before = set(people.persons)
    people.learn(identities)
    assert set(people.persons) <= before


@example("/\n0")
@example("Ada \u2474")
@given(st.text(max_size=20))
def test_a_name_is_its_own_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


def test_people_files(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("people")
    (folder / "a.yaml").write_text(
        "people:\n- {name: Ada Byron, email: A@x.example, slack_id: U1, initials: [AB, ABN]}\n"
    )
    identities, initials = read_people(folder / "a.yaml")
    assert initials == {"AB": "Ada Byron", "ABN": "Ada Byron"}
    assert known(*identities).speaker(Identity("slack", "?", "U1")).person == "a@x.example"
    with pytest.raises(UserFacing, match=r"none\.yaml"):
        read_people(folder / "none.yaml")


PAT = Identity("git", "Pat Chair", email="pat@acme.example")
REAL = Identity("slack", "Pat Chair", "U1", "pat@acme.example")
NAMESAKE = Identity("slack", "Pat Chair", "U2", "mal@other.example", ("mal",))


@pytest.mark.parametrize("base", [PAT, REAL, Identity("zoom", "Pat Chair", email="pat@acme.example")])
@pytest.mark.parametrize(
    "other",
    [
        NAMESAKE,
        Identity("zoom", "Pat Chair", "7", "mal@other.example"),
        Identity("git", "Pat Chair", email="mal@other.example"),
        Identity("github", "Pat Chair", "mal"),
    ],
)
def test_a_name_gives_nobody_an_id_a_handle_or_an_address(base: Identity, other: Identity) -> None:
    people = known(base, other)
    one = people.persons["pat@acme.example"]
    assert one.emails == ("pat@acme.example",)
    assert set(one.handles) <= {"slack:U1"}
    assert people.sure(other) != one.id
    assert people.speaker(Identity("minutes", "Pat Chair")).person in (one.id, None)


@pytest.mark.parametrize("order", [(NAMESAKE, REAL), (REAL, NAMESAKE)])
@pytest.mark.parametrize("together", [True, False])
def test_the_one_with_the_address_is_it_whoever_of_a_name_comes_first(
    order: tuple[Identity, ...], together: bool
) -> None:
    people = known(PAT)
    for part in [order] if together else [(one,) for one in order]:
        people.learn(part)
    people.learn(order)
    assert people.sure(REAL) == "pat@acme.example"
    assert people.speaker(NAMESAKE).person == people.sure(NAMESAKE) == "mal@other.example"
    assert "slack:U2" not in people.persons["pat@acme.example"].likely


def test_a_display_name_of_the_people_file_tells_who_spoke_and_gives_nothing() -> None:
    people = known(Identity(SETTLED, "Pat Chair", "pat chair", "pat@acme.example", ("chair",)))
    shown = Identity("slack", "?", "U9", handles=("chair",))
    people.learn([shown])
    assert people.speaker(shown).person == "pat@acme.example"
    assert people.sure(shown) is None


def test_the_people_file_takes_a_namesakes_account_for_nobodys_own() -> None:
    people = known(NAMESAKE)
    people.learn([Identity(SETTLED, "Pat Chair", "pat chair", "pat@acme.example", ("github:pat",))])
    assert people.sure(NAMESAKE) is None
    assert people.persons["pat@acme.example"].emails == ("pat@acme.example",)
    people.learn([REAL])
    assert people.sure(REAL) == "pat@acme.example"
