"""`brain doctor`: is everything as it should be, and if not, what to do."""

from dataclasses import asdict
from typing import Annotated

import typer

from assistant.settings import Settings, load_settings
from workers.cli.options import Home, Json

MARKS = {"ok": ("✓", "green"), "note": ("•", "yellow"), "fault": ("✗", "red")}


def doctor(
    jobs: Annotated[bool, typer.Option("--jobs", help="List the jobs that failed for good.")] = False,
    requeue: Annotated[bool, typer.Option("--requeue", help="With --jobs: put them back into their queues.")] = False,
    json: Json = False,
    home: Home = None,
) -> None:
    """Check settings, tokens, servers, indexes, queue, model, git and disk, and say what to do about each fault.

    brain doctor

    brain doctor --jobs --requeue
    """
    if requeue and not jobs:
        raise typer.BadParameter("--requeue goes with --jobs")
    settings = load_settings(home)
    faults = failed(settings, json=json, again=requeue) if jobs else checked(settings, json=json)
    if faults:
        raise typer.Exit(1)


def checked(settings: Settings, *, json: bool) -> bool:
    """Runs every check and shows each as it is done; whether one found a fault."""
    from rich.text import Text

    from workers.cli.output import hanging, print_json, show
    from workers.doctor import State, examine

    faults = 0
    for finding in examine(settings):
        faults += finding.state is State.FAULT
        if json:
            print_json(asdict(finding))
            continue
        head = Text.assemble(MARKS[finding.state], " ", (finding.name, "bold"), f"  {finding.says}")
        show(hanging(head, *([Text(f"→ {finding.remedy}", "cyan")] if finding.remedy else [])))
    return faults > 0


def failed(settings: Settings, *, json: bool, again: bool) -> bool:
    """Shows the jobs that failed for good; whether there are any left."""
    from rich.text import Text

    from assistant.graph.servers import embedded
    from workers.cli.output import hanging, print_json, say, show
    from workers.queue import connect
    from workers.queue.failed import failed_jobs, requeue

    connection = connect(embedded.ensure(settings).queue_url)
    found = failed_jobs(connection)
    for job in found:
        if again:
            requeue(connection, job)
        if json:
            print_json({**asdict(job), "since": job.since and job.since.isoformat(), "requeued": again})
        else:
            done = "put back: " if again else ""
            show(hanging(Text(f"{done}{job.id} ({job.queue})"), Text(str(job.error))))
    if not found and not json:
        say("No job has failed.")
    return bool(found) and not again
