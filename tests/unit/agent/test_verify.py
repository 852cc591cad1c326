"""Attempts to cheat the check of claims: each is a claim that must be cut."""

import pytest

from assistant.agent.draft import DraftClaim
from assistant.agent.evidence import (
    Evidence,
    cite_commit,
    cite_section,
    commit_evidence,
    owner_evidence,
    section_evidence,
)
from assistant.agent.links import Links
from assistant.agent.verify import faults, verified
from assistant.graph.reading.commits import CommitRow
from assistant.model.answers import Citation, SectionCitation
from assistant.model.sections import ChangeKind, SectionVersion
from assistant.model.times import FOREVER

LINKS = Links({})
AT = 1_714_726_800_000_000
"""3 May 2024, 09:00."""

SECTION = SectionVersion(
    id="v1",
    lineage="l",
    source="s",
    page="p",
    path="sales/scoring.md",
    title="Lead scoring",
    heading="Trial threshold",
    heading_path=("Lead scoring", "Trial threshold"),
    level=2,
    anchor="trial-threshold",
    position="a",
    text="## Trial threshold\n\nWithin 30 days:\n\n- A trial needs **25 points**.\n- Ana Ruiz may let 7 do.\n",
    valid_from=AT,
    valid_to=FOREVER,
    commit="c" * 40,
    merge_request="354",
    change=ChangeKind.ADDED,
    audience="public",
)
COMMIT = CommitRow("c" * 40, "s", "Ben Okoro", AT, "Raise the threshold (#354)", "354")
EVIDENCE: tuple[Evidence, ...] = (
    section_evidence(SECTION, LINKS),
    commit_evidence(COMMIT, LINKS),
    owner_evidence("sales/scoring.md", "/sales/ @acme/revenue", ("@acme/revenue",)),
)
WORDS = cite_section(SECTION, "A trial needs **25 points**.", LINKS)
MADE = cite_commit(COMMIT, LINKS)


def claim(text: str, *citations: Citation, holds: str = "now") -> DraftClaim:
    return DraftClaim(text, holds, citations)


HONEST = claim("“A trial needs 25 points” (Trial threshold, since 3 May 2024, #354 by Ben Okoro).", WORDS, MADE)


def test_an_honest_claim_holds() -> None:
    assert faults(HONEST, EVIDENCE) == []


def test_what_leads_to_a_list_entry_may_be_told_with_it() -> None:
    assert faults(claim("Within 30 days: “A trial needs 25 points”.", WORDS), EVIDENCE) == []


def altered(**fields: object) -> SectionCitation:
    return WORDS.model_copy(update=fields)


CHEATS = {
    "nothing cited": claim("A trial needs 25 points."),
    "a version that no tool returned": claim("A trial needs 25 points.", altered(version="v2")),
    "another commit": claim("A trial needs 25 points.", altered(commit="d" * 40)),
    "another request": claim("A trial needs 25 points, says #355.", altered(merge_request="355")),
    "another page": claim("A trial needs 25 points.", altered(path="sales/other.md")),
    "a made link": claim("A trial needs 25 points.", altered(url="https://evil.example")),
    "an altered quote": claim("A trial needs 25 points.", altered(quote="A trial needs **31 points**.")),
    "an empty quote": claim("A trial needs 25 points.", altered(quote="")),
    "a number that is not there": claim("A trial needs 31 points.", WORDS),
    "a number that stands elsewhere in the section": claim("A trial needs 25 points, or 7.", WORDS),
    "a spelt number that is not there": claim("A trial needs forty points.", WORDS),
    "a request that is not there": claim("A trial needs 25 points since #355.", WORDS),
    "a day that is not there": claim("A trial needs 25 points since 4 May 2024.", WORDS, MADE),
    "a name that is not there": claim("Dana Petrov decided that a trial needs 25 points.", WORDS, MADE),
    "a name that stands elsewhere in the section": claim("A trial needs 25 points, says Ruiz.", WORDS),
    "an author nobody cites": claim("A trial needs 25 points, by Ben Okoro.", WORDS),
    "a day on which it did not hold": claim("A trial needs 25 points.", WORDS, holds="at 2024-05-02"),
    "an owner that the line does not name": claim("It is owned by @acme/people.", EVIDENCE[2].citation),
}


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_a_cheating_claim_is_cut_and_the_honest_one_stays(cheat: DraftClaim) -> None:
    assert verified((cheat, HONEST), EVIDENCE) == (HONEST,)


def test_a_claim_about_a_day_may_name_it() -> None:
    dated = claim("On 7 June 2024 it said “A trial needs 25 points”.", WORDS, holds="at 2024-06-07")
    assert faults(dated, EVIDENCE) == []
