"""Saying first that no decision is known, where who, why, when or where was asked and only the handbook answers."""

from dataclasses import replace

from assistant.agent.draft import Draft, Refusal
from assistant.agent.offline.asking import Asking
from assistant.agent.offline.facets import SETTLING, TOLD_BY_PEOPLE, Facet, facet_of
from assistant.agent.offline.intent import Kind
from assistant.model.answers import DecisionCitation

UNRECORDED = "I found no decision about this in what I may read."


def unrecorded(asking: Asking, answer: Draft | Refusal) -> Draft | Refusal:
    """The handbook's answer, behind the words that no decision is known of, where one was asked for."""
    if not asks_for_one(asking):
        return answer
    if isinstance(answer, Refusal):
        return replace(answer, text=f"{UNRECORDED} {answer.text}")
    if any(isinstance(cited, DecisionCitation) for claim in answer for cited in claim.citations):
        return answer
    lead = f"{UNRECORDED} The handbook says: " if asking.intent.kind is Kind.RULE else f"{UNRECORDED} "
    return (replace(answer[0], text=lead + answer[0].text), *answer[1:])


def asks_for_one(asking: Asking) -> bool:
    """Whether the question asks for what only a decision tells; who changed a rule, and when, is told by its commit."""
    facet = facet_of(asking.text, asking.intent)
    if facet in (Facet.WHO, Facet.WHEN, Facet.WHERE, Facet.WHAT):
        return bool(SETTLING.search(asking.text))
    return facet in TOLD_BY_PEOPLE
