"""Whoever marks a message may name anybody as its decider: until these stood by it, it is told who says so."""

import json

from assistant.model.answers import AskedQuestion, DecisionCitation
from assistant.model.audiences import Place, PlaceKind, Viewer
from tests.fakes.slack_server import FakeSlack
from tests.flows.marking import ANA, BEN, CLEO, DAN, RULES, carried_out, name_of, sent, told
from workers import act, flag
from workers.equipment import Equipment


def test_whom_somebody_names_as_the_decider_is_told_nowhere_as_if_it_were_so(
    ready: Equipment, slack: FakeSlack
) -> None:
    """In answers, on the App Home, to the page's owner: who says so is told along, and whose the numbers are."""
    slack.channels[RULES]["members"] = [ANA, BEN, CLEO, DAN]
    job = {**sent(2, "Every team gets 900 euros of annual leave money for a boat.", user=BEN), "view": "Vnamed"}
    flag.mark(job)
    carried_out(ready)
    desk, claim = ready.desk(), "Cleo Marsh (says Ben Okoro)"
    for question in ("How much does a team get for a boat?", "Who decided about the 900 euros for a boat?"):
        asked = AskedQuestion(text=question, id=f"ask/{question}@1")
        answer = desk.ask(asked, Viewer(DAN), Place(PlaceKind.CHANNEL, RULES), frozenset())
        assert "900" in answer.text and "Ben Okoro marked it as a rule: “Every team gets 900" in answer.text
        assert claim in answer.text and "Cleo Marsh" not in answer.text.replace(claim, "")
        assert {one.decided_by for one in answer.citations if isinstance(one, DecisionCitation)} == {claim}
    for user in (BEN, CLEO):
        act.home({"user": user})
        home = json.dumps(slack.made("views.publish")[-1]["view"], ensure_ascii=False)
        assert claim in home
    for user in (BEN, CLEO):
        assert f"Decided by {claim}" in told(slack, user)[-1]
    flag.clicked({"flag": name_of(job), "user": BEN, "action": "flag_undo"})
    carried_out(ready)
