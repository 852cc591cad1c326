"""How often a question is tried, and when we apologise instead: real RQ jobs, run in this process."""

from dataclasses import replace

import pytest
from rq import SimpleWorker
from rq.job import Job
from rq.registry import FailedJobRegistry, ScheduledJobRegistry
from rq.serializers import JSONSerializer

from assistant.chat import texts
from assistant.errors import Fatal, Retry
from assistant.model.answers import Answer
from tests.chat.answers import answered
from tests.flows.office import Office, mention
from workers import answer as answering
from workers.queue import ANSWER, PAUSES, Work, enqueue, janitor, job_id, open_queue

CANARY = "purplewalrus"


class Equipment:
    """Hands out a desk whose `ask` fails as often as told."""

    def __init__(self, office: Office, error: Exception, times: int) -> None:
        self.asked = 0

        def ask(*_: object) -> Answer:
            self.asked += 1
            if self.asked <= times:
                raise error
            return answered("31.")

        self._desk = replace(office.desk, ask=ask)

    def desk(self) -> object:
        return self._desk


def run_all(office: Office, rounds: int = len(PAUSES) + 2) -> Job:
    """Queue one mention and let it be tried until it is done, its pauses cut short."""
    question = mention(f"what about {CANARY}?")
    enqueue(office.queue, Work(ANSWER, "workers.answer.answer", question.key, question.model_dump(mode="json")))
    queue = open_queue(office.queue, ANSWER)
    scheduled = ScheduledJobRegistry(queue=queue)
    for _ in range(rounds):
        SimpleWorker([queue], connection=office.queue, serializer=JSONSerializer).work(
            burst=True, logging_level="ERROR"
        )
        for waiting in scheduled.get_job_ids():
            office.queue.zadd(scheduled.key, {waiting: 1})
        janitor.sweep(queue)
    return Job.fetch(job_id(question.key), connection=office.queue, serializer=JSONSerializer)


@pytest.mark.parametrize(
    ("error", "failures", "asked", "said"),
    [
        (Retry("server away"), 3, 4, "31."),
        (Retry("server away"), 99, answering.PATIENT_TRIES + 1, texts.TRIED.format(reason="server away")),
        (ZeroDivisionError(CANARY), 1, 2, "31."),
        (ZeroDivisionError(CANARY), 99, answering.TRIES + 1, texts.BROKEN),
        (Fatal("index is gone"), 99, 1, texts.BROKEN),
    ],
    ids=["passes", "never passes", "once", "always", "fatal"],
)
def test_each_error_is_tried_as_often_as_it_is_worth(
    office: Office, monkeypatch: pytest.MonkeyPatch, error: Exception, failures: int, asked: int, said: str
) -> None:
    equipment = Equipment(office, error, failures)
    monkeypatch.setattr(answering, "equipment", lambda: equipment)
    job = run_all(office)
    assert (office.told("C1"), equipment.asked) == ([said], asked)
    assert job.is_finished
    kept = " ".join(str(result.exc_string) for result in job.results())
    assert CANARY not in kept + job.description


def test_a_question_that_kills_its_worker_is_apologised_for(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    equipment = Equipment(office, Fatal(""), 99)
    monkeypatch.setattr(answering, "equipment", lambda: equipment)
    monkeypatch.setattr(answering, "tries_so_far", lambda _: answering.HOPELESS)
    run_all(office, rounds=1)
    assert (office.told("C1"), equipment.asked) == ([texts.BROKEN], 0)


def test_with_a_refused_token_it_is_given_up_and_kept_for_the_doctor(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.slack.errors["chat.postMessage"] = "token_revoked"
    monkeypatch.setattr(answering, "equipment", lambda: Equipment(office, Fatal(""), 0))
    job = run_all(office, rounds=1)
    failed = FailedJobRegistry(queue=open_queue(office.queue, ANSWER))
    assert (failed.get_job_ids(), job.is_failed) == ([job.id], True)
    result = job.latest_result()
    assert result is not None
    assert "SLACK_BOT_TOKEN" in str(result.exc_string)
