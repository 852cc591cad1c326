"""The buttons under a notice, through signed requests: each click is one job, and nothing is taken unqueued."""

import pytest

from assistant.chat.render.notices import BUTTONS
from tests.fakes import slack_requests as made
from tests.flows.test_slack_web import Site, site, slack  # noqa: F401 fixtures
from workers.queue import ACT
from workers.settle import OUTCOMES


@pytest.mark.parametrize("action", BUTTONS)
async def test_a_click_is_queued_from_a_message_and_from_the_home(site: Site, action: str) -> None:  # noqa: F811
    button = {"action_id": action, "value": "N1"}
    clicks = [made.click(button, "DU01ANA", "1.1"), made.form_click(button, {"id": "VHOME", "type": "home"})]
    for click in clicks:
        response = await site.send(click, "interactivity")
        assert response.status == 200
    jobs = site.jobs(ACT)
    assert [(job["notice"], job["user"], job["action"]) for job in jobs] == [("N1", "U01ANA", action)] * 2
    assert action in OUTCOMES
