"""Every stored answer's citations stand verbatim where they say, and are tied to what they cite."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.heard import Heard
from assistant.evals.audit.walk import Mainline
from assistant.graph.reading.audit import Answer, Commit, Decision, OwnersFile, Section


class Library:
    """What citations are looked up in."""

    def __init__(
        self,
        mainlines: Mapping[str, Mainline],
        sections: Sequence[Section],
        commits: Sequence[Commit],
        owners: Sequence[OwnersFile],
        decisions: Sequence[Decision],
        heard: Heard,
    ) -> None:
        self.mainlines = mainlines
        self.sections = {one.id: one for one in sections}
        self.commits = {one.id: one for one in commits}
        self.owners = {line.strip() for one in owners for line in one.text.splitlines()}
        self.decisions = {one.id: one for one in decisions}
        self.heard = heard


def check_answers(answers: Sequence[Answer], library: Library) -> Checked:
    """Counts every citation of every answer, and each answer that has none as one."""
    found = Checked("answers")
    for answer in (one for one in answers if one.body):  # what was withdrawn has none
        told = json.loads(answer.body)
        cited = told.get("citations") or []
        used = {name for claim in told.get("claims") or () for name in claim["citations"]}
        if not cited:
            found.look(answer.id, [])
        for number, citation in enumerate(cited):
            found.look(f"{answer.id} citation {number + 1}", KINDS[citation["kind"]](citation, library))
            tied = _node(citation, library)
            if tied and citation["id"] in used and not set(tied) & set(answer.cites):
                found.blame(f"{answer.id} citation {number + 1}", "no edge to what it cites")
    return found


def _node(citation: Mapping[str, Any], library: Library) -> list[str]:
    """Ids of the nodes that may be meant."""
    if citation["kind"] == "commit":
        return [one.id for one in library.commits.values() if one.sha == citation["commit"]]
    name = citation.get({"section": "version"}.get(citation["kind"], citation["kind"]))
    return [name] if name else []


def _section(citation: Mapping[str, Any], library: Library) -> Iterator[str]:
    one = library.sections.get(citation["version"])
    if one is None or one.source not in library.mainlines:
        yield "its version is not there"
        return
    if (one.path, one.commit, one.merge_request) != (citation["path"], citation["commit"], citation["merge_request"]):
        yield "another place, commit or request than the version's"
    blob = library.mainlines[one.source].repository.file(one.commit, one.path)
    if not citation["quote"].strip() or citation["quote"] not in blob or citation["quote"] not in one.text:
        yield f"{citation['quote'][:80]!r} is not in {one.path} at {one.commit[:12]}"


def _commit(citation: Mapping[str, Any], library: Library) -> Iterator[str]:
    found = (line.messages.get(citation["commit"]) for line in library.mainlines.values())
    messages = [message for message in found if message]
    if not messages:
        yield "its commit is not on a mainline"
    elif citation["author"] != (messages[0].name.strip() or messages[0].email.strip()):
        yield f"{citation['author']} did not write it"
    elif citation["subject"].split() != messages[0].text.split()[: len(citation["subject"].split())]:
        yield "another subject"


def _owner(citation: Mapping[str, Any], library: Library) -> Iterator[str]:
    """Its path is the page's; the line stands in whichever file says so."""
    if not citation["quote"].strip() or citation["quote"].strip() not in library.owners:
        yield f"{citation['quote']!r} is in no owner file"


def _decision(citation: Mapping[str, Any], library: Library) -> Iterator[str]:
    one = library.decisions.get(citation["decision"])
    if one is None:
        yield "its decision is not there"
    elif citation["quote"] not in library.heard.texts.get(one.utterance, ""):
        yield f"{citation['quote']!r} was not said there"
    elif (citation["speaker"], citation["decided_by"]) != (one.quote_speaker, one.decided_by):
        yield "another speaker or decider"


def _utterance(citation: Mapping[str, Any], library: Library) -> Iterator[str]:
    if citation["quote"] not in library.heard.texts.get(citation["utterance"], ""):
        yield f"{citation['quote']!r} was not said there"


KINDS = {"section": _section, "commit": _commit, "owner": _owner, "decision": _decision, "utterance": _utterance}
