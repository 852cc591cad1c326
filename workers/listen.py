"""The worker of what comes in: what was said in channels, and what other sources tell of. Answers never wait for it."""

import os
import time
from contextlib import closing

import structlog

from assistant.settings import Settings
from workers import retention, tell
from workers.equipment import Equipment, set_up
from workers.logs import to_stderr
from workers.pull import rounds
from workers.queue import INGEST, Work, connect, enqueue
from workers.queue.watchful import work_until_stopped

YIELDING = 5
"""How far this worker and its jobs step back where processors are few: people wait for answers, not for these."""

log = structlog.get_logger()


def run(settings: Settings) -> None:
    """Work until SIGINT or SIGTERM, finishing what is under way. Raises UserFacing when Slack refuses our token."""
    to_stderr()
    ready = set_up(settings, embed=False, chat=settings.slack_bot_token is not None)
    set_going(ready)
    os.nice(YIELDING)
    log.info("listening to sources", workspace=ready.us.team)
    work_until_stopped(connect(ready.servers.queue_url), (INGEST,))


def set_going(ready: Equipment) -> None:
    """Has whatever was under way taken up again, and sources polled; a queue that was lost does not know of it."""
    with closing(connect(ready.servers.queue_url)) as server:
        rounds.begin(server, ready.settings)
        retention.begin(server)
        if ready.us.team:
            tell.begin(server, ready.settings)
            enqueue(server, Work(INGEST, "workers.history.take_up", f"take_up/{time.time()}", {}))
