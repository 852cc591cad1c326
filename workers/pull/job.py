"""How every job that pulls from a source fails: quietly, and no sooner again than the source asked for."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import structlog
from rq import get_current_job

from assistant.errors import Fatal, Retry, Skip, UserFacing
from workers.answer import note, quiet
from workers.equipment import equipment
from workers.queue import INGEST, Work, connect, enqueue

Payload = dict[str, Any]

SOONEST = 1.0
"""Seconds that a job is put off at least."""
PUT_OFF = "put_off"
"""In a payload: how often the job was put off."""
OFTEN = 60
"""Times that a job is put off before RQ's own pauses, which grow, have their turn and it may fail."""

log = structlog.get_logger()


def pulling(function: Callable[[Payload], None]) -> Callable[[Payload], None]:
    """Makes a job of the function: RQ tries again what raises, nothing of what people wrote is in what is raised.

    A source that asks to wait is asked again when it said; what cannot be read is left, and told in the log.
    """

    @wraps(function)
    def run(payload: Payload) -> None:
        job = get_current_job()
        about = str(job.description) if job else function.__name__
        try:
            function(payload)
        except Skip as error:
            log.warning("left out", about=about, reason=str(error))
        except Retry as error:
            if job is None or payload.get(PUT_OFF, 0) >= OFTEN:
                raise
            put_off(str(job.func_name), about, payload, max(error.after, SOONEST), job.timeout)
            log.info("put off", about=about, reason=str(error), seconds=round(error.after))
        except (Fatal, UserFacing) as error:
            log.error("a source cannot be read", about=about, reason=str(error))  # noqa: TRY400 a setting's fault
            if job is not None:
                job.retries_left = 0
            raise Fatal(str(error)) from None
        except Exception as error:  # noqa: BLE001 whatever it is, its words must not be kept
            note(error, about)
            raise quiet(error) from None

    return run


def put_off(function: str, about: str, payload: Mapping[str, Any], seconds: float, timeout: int) -> None:
    """The same job again, later; its id says how often, so that a kill in between makes no second one."""
    number = payload.get(PUT_OFF, 0) + 1
    name = about.removesuffix(f" again {number - 1}") + f" again {number}"
    server = connect(equipment().servers.queue_url)
    enqueue(server, Work(INGEST, function, name, {**payload, PUT_OFF: number}, timeout), after=seconds)
