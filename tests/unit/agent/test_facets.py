"""What of a decision a question asks for."""

from datetime import UTC, datetime

import pytest

from assistant.agent.offline.facets import EARLIER, Facet, facet_of
from assistant.agent.offline.intent import understand

NOW = datetime(2026, 9, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "facet"),
    [
        ("Why was the trial threshold raised?", Facet.WHY),
        ("What made us drop the second interview?", Facet.WHY),
        ("What was the reasoning behind the shorter notice?", Facet.WHY),
        ("Who decided on the new hotel limit?", Facet.WHO),
        ("Who signed off on the laptop budget?", Facet.WHO),
        ("Who put the later release day into the process?", Facet.WHO),
        ("Whose call was it to close the office on Fridays?", Facet.WHO),
        ("When was the new threshold agreed?", Facet.WHEN),
        ("On what day was the slot of the meeting settled?", Facet.WHEN),
        ("Where was the travel budget discussed?", Facet.WHERE),
        ("In which meeting did we move the deadline?", Facet.WHERE),
        ("What were the alternatives to a threshold of 31?", Facet.ALTERNATIVE),
        ("Which PR raised the threshold?", Facet.REQUEST),
        ("Was it agreed to cut the travel budget?", Facet.WHETHER),
        ("What did sales and marketing agree on for trials?", Facet.WHAT),
        ("What was the trial threshold before July 2026?", Facet.BEFORE),
        ("What did the desk budget use to be?", Facet.BEFORE),
        ("Do I need a doctor's note, and where is that written?", Facet.WRITTEN),
        ("How long is the trial? I heard something shorter than the page.", Facet.DIFFERS),
        ("What is the trial threshold?", Facet.RULE),
        ("Who sends the anniversary gifts?", Facet.RULE),
        ("Who approves exceptions to the policy?", Facet.RULE),
        ("Who had to approve an exception as of 5 March 2021?", Facet.RULE),
        ("On 12 June 2021, what did the page promise about answers?", Facet.RULE),
        ("Who laid down that keys stay out of chat, and why?", Facet.WHY),
        ("Was the deadline pushed back in the planning call?", Facet.WHETHER),
        ("Can I still ship on a Friday, and is that rule in the handbook?", Facet.WRITTEN),
        ("May I swap my shift, and does the handbook say so?", Facet.WRITTEN),
        ("Is it still 28 days?", None),
        ("Who owns the expenses page?", None),
        ("What changed lately?", None),
    ],
)
def test_a_question_is_read_by_its_words(question: str, facet: Facet | None) -> None:
    assert facet_of(question, understand(question, (), NOW)) is facet


def test_an_earlier_decision_is_asked_for_by_words() -> None:
    assert EARLIER.search("In which meeting did the leads first agree to move it?")
    assert not EARLIER.search("Who decided to move the meeting?")
