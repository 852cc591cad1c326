"""Answers questions: the worker whose parent has everything loaded and which forks for each job."""

from collections.abc import Sequence
from typing import Any

import structlog
from rq import get_current_job

from assistant.chat import journeys
from assistant.errors import Fatal, Retry
from assistant.model.surfaces import Inquiry
from assistant.settings import Settings
from workers.equipment import equipment, set_up
from workers.logs import to_stderr
from workers.queue import ANSWERING, INGEST, connect, tries_so_far
from workers.queue.watchful import work_until_stopped

PATIENT_TRIES = 6
"""Tries before we apologise for something that may pass, about 20 seconds in all besides the waiting inside each."""
TRIES = 2
"""Tries before we apologise for an error of our own."""
HOPELESS = 10
"""Tries after which we only apologise: a question that kills its worker says nothing by itself."""

log = structlog.get_logger()


def answer(payload: dict[str, Any]) -> None:
    """The job: answer one question, or say why not. RQ tries again what raises."""
    asked = Inquiry.model_validate(payload)
    desk = equipment().desk()
    job = get_current_job()
    tries = tries_so_far(job)
    if tries >= HOPELESS:
        journeys.apologise(asked, desk, Fatal("its worker died again and again"))
        return
    try:
        journeys.answer(asked, desk)
    except Exception as error:  # noqa: BLE001 whatever it is, the person hears of it
        note(error, asked.key)
        if tries < patience_with(error):
            raise quiet(error) from None
        try:
            journeys.apologise(asked, desk, error)
        except Fatal:
            job.retries_left = 0
            raise


def patience_with(error: Exception) -> int:
    """How many tries an error is worth before we apologise for it."""
    if isinstance(error, Retry):
        return PATIENT_TRIES
    return 0 if isinstance(error, Fatal) else TRIES


def quiet(error: Exception) -> Exception:
    """The error as RQ may keep it: one that is not ours may quote what people wrote, so only its kind is kept."""
    return error if isinstance(error, Retry | Fatal) else Fatal(type(error).__name__)


def note(error: BaseException, about: str) -> None:
    """Write an error down by its kind and its place, never by what people wrote; our own texts hold none of that."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    where = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}" if last else ""
    ours = str(error) if isinstance(error, Retry | Fatal) else ""
    log.error("a job failed", about=about, error=type(error).__name__, reason=ours, where=where)


def run(settings: Settings, *, embed: bool = True, names: Sequence[str] = ANSWERING) -> None:
    """Do the jobs of these queues until SIGINT or SIGTERM, finishing what is under way.

    Raises UserFacing when Slack refuses our token.
    """
    to_stderr()
    ready = set_up(settings, embed=embed)
    if INGEST in names:
        from workers.listen import set_going

        set_going(ready)
    log.info("answering", workspace=ready.us.team)
    work_until_stopped(connect(ready.servers.queue_url), names)
