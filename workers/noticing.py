"""What the jobs about notices share: who is who, who may see what of a notice, and when a person may be told."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import TypeVar
from zoneinfo import ZoneInfo

import redis
import structlog
from rq.timeouts import JobTimeoutException

from assistant.agent.links import Links
from assistant.chat import texts
from assistant.chat.journeys import Desk
from assistant.chat.render.mrkdwn import escaped
from assistant.chat.render.notices import CHANNEL, SHOWN_HOME, Card, Change, Source, notice_blocks
from assistant.errors import Fatal
from assistant.graph.bundles import OF_POST, Bundle
from assistant.graph.notices import UNREACHED, Notice, due_notices, held_by, notices
from assistant.graph.posts import find_post, posts_showing
from assistant.graph.sources import list_sources
from assistant.graph.space import Space
from assistant.model.audiences import PUBLIC, Scope
from assistant.model.surfaces import Json, Posted
from assistant.model.times import day, moment
from assistant.staleness.judge import Reason
from connectors.slack import history
from connectors.slack.client import sync_client
from connectors.slack.members import SlackDirectory
from workers.answer import note, quiet
from workers.cache import RedisCache
from workers.equipment import Equipment, equipment
from workers.marking import own_scope
from workers.queue import connect

MORNING = time(9)
"""When what was put off comes back."""

T = TypeVar("T")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Telling:
    """One job's connections."""

    ready: Equipment
    desk: Desk
    space: Space
    server: redis.Redis
    """The queue's."""
    open_rooms: dict[str, bool] = field(default_factory=dict)
    """By channel whether every full member may open it, as Slack said in this job."""

    @property
    def people(self) -> SlackDirectory:
        """Slack's word on people."""
        return SlackDirectory(sync_client(self.ready.settings), RedisCache(self.server), self.ready.us.team)

    def is_admin(self, user: str) -> bool:
        """Whether the settings name the person's confirmed e-mail."""
        admins = {one.lower() for one in self.ready.settings.admins}
        return bool(admins) and (self.people.email_of(user) or "") in admins

    def zone(self, user: str) -> tzinfo:
        """The person's time zone, else the settings'."""
        try:
            return ZoneInfo(self.people.zone_of(user))
        except (KeyError, ValueError, OSError):
            return self.desk.zone

    def is_open(self, channel: str) -> bool:
        """Whether a channel is public; what cannot be found out is not. Raises Retry."""
        if channel not in self.open_rooms:
            try:
                room = history.room(sync_client(self.ready.settings), channel)
                self.open_rooms[channel] = not (room.get("is_private") or room.get("is_mpim"))
            except Fatal as error:
                log.warning("cannot tell who may open a channel", channel=channel, reason=str(error))
                self.open_rooms[channel] = False
        return self.open_rooms[channel]


@contextmanager
def telling() -> Iterator[Telling]:
    """Fresh connections for one job."""
    ready = equipment()
    with ready.space() as space, closing(connect(ready.servers.queue_url)) as server:
        yield Telling(ready, ready.desk(), space, server)


def each(items: Iterable[T], work: Callable[[T], None]) -> None:
    """Does it for all: one that fails does not keep the others waiting. Raises at the end what is worth another try.

    What the chat refuses stays due: the next look tries it again.
    """
    late: Exception | None = None
    for item in items:
        try:
            work(item)
        except Fatal as error:
            log.warning("a notice could not be told", reason=str(error))
        except JobTimeoutException:
            raise
        except Exception as error:  # noqa: BLE001 whatever it is, its words must not be kept
            note(error, "notices")
            late = late or quiet(error)
    if late is not None:
        raise late


def is_quiet(hours: str | None, at: datetime) -> bool:
    """Whether a moment, in the person's zone, lies in the hours in which nobody is told anything: `22-7`."""
    if hours is None:
        return False
    start, end = (int(one) % 24 for one in hours.split("-"))
    return start <= at.hour < end if start < end else at.hour >= start or at.hour < end


def next_morning(now: datetime, zone: tzinfo) -> datetime:
    """Tomorrow at nine, in the person's zone."""
    return datetime.combine(now.astimezone(zone).date() + timedelta(days=1), MORNING, tzinfo=zone)


def may_read(notice: Notice, scope: Scope) -> bool:
    """Whether who has this scope may read the page that changed."""
    return notice.audience in (PUBLIC, *scope.audiences)


def may_open(job: Telling, notice: Notice, user: str, scope: Scope) -> bool:
    """Whether a full member may open the place that the answer stands in. Raises Retry."""
    if notice.place in (PUBLIC, f"person:{user}", *scope.audiences):
        return True
    channel = CHANNEL.fullmatch(notice.place)
    return channel is not None and job.is_open(channel[1])


def source_of(job: Telling, notice: Notice) -> Source:
    """The commit, linked where its host is known."""
    links = Links({one.id: one.web_url for one in list_sources(job.space.reader) if one.web_url})
    number = notice.merge_request
    return Source(
        notice.sha,
        notice.author,
        notice.at,
        links.commit(notice.source, notice.sha),
        f"{links.sign(notice.source)}{number}" if number else "",
        links.merge_request(notice.source, number) if number else None,
    )


def posts_of(job: Telling, answer: str) -> dict[str, Posted]:
    """Where an answer stands, by key; what was told owners of it aside."""
    keys = sorted(key for key in posts_showing(job.space.reader, [answer]) if not key.startswith(OF_POST))
    return {key: posted for key in keys if (posted := find_post(job.space.reader, key))}


def cards_of(job: Telling, bundle: Bundle) -> tuple[list[Card], list[str]]:
    """What a message says, and the answers whose words that are. Raises Retry."""
    rows = [one for one in notices(job.space.reader, list(bundle.held)) if bundle.held[one.id][0] != "over"]
    newest = {one.answer: one.id for one in rows if one.outcome is None}
    shown = [one for one in rows if one.outcome is not None or newest[one.answer] == one.id]
    states = {one.id: state_of(job, bundle, one) for one in shown}
    return cards(job, shown, bundle.user, states), [one.answer for one in shown]


def cards(job: Telling, rows: Sequence[Notice], user: str, states: dict[str, str]) -> list[Card]:
    """Notices as a person may see them; of those in places that are closed to them, one card for each change.

    Who is no full member any more sees no words of any.
    """
    scope, insider = own_scope(job, user), job.desk.directory.member(user)
    made: dict[object, list[Card]] = {}
    askers: dict[object, set[str | None]] = {}
    for one in rows:
        opened = insider and may_open(job, one, user, scope)
        state = states.get(one.id, "")
        name = one.id if opened else (*change_of(one), state)
        askers.setdefault(name, set()).add(one.viewer)
        made.setdefault(name, []).append(
            card(job, one, state, readable=insider and may_read(one, scope), opened=opened)
        )
    return [replace(found[0], private=len(askers[name])) for name, found in made.items()]


def change_of(notice: Notice) -> tuple[str, str, str, str | None]:
    """What tells one change from another."""
    return notice.sha, notice.path, notice.old_quote, notice.new_quote


def card(job: Telling, notice: Notice, state: str, *, readable: bool, opened: bool) -> Card:
    """One notice; without changed words, or question, claim and place, where they are not for the reader's eyes."""
    said = Change(notice.old_quote, notice.new_quote, notice.reason == Reason.ADDED, notice.path)
    change = said if readable else None
    source, anew = source_of(job, notice), notice.anew is not None
    if not opened:
        return Card(notice.id, notice.sure, source, change, state=state, anew=anew)
    posts = list(posts_of(job, notice.answer).values())
    return Card(
        notice.id,
        notice.sure,
        source,
        change,
        notice.question,
        notice.claim,
        notice.viewer or "",
        notice.place,
        address(job, posts[0]) if posts else None,
        state=state,
        anew=anew,
    )


def address(job: Telling, posted: Posted) -> str | None:
    """A message's own address; None where the workspace's is not known."""
    base = job.ready.us.url
    return f"{base.rstrip('/')}/archives/{posted.channel}/p{posted.ts.replace('.', '')}" if base else None


def state_of(job: Telling, bundle: Bundle, notice: Notice) -> str:
    """What became of a notice, for the one who reads this message; '' while it is open to them."""
    own, until = bundle.held[notice.id]
    outcome = notice.outcome or own
    if outcome is None:
        return ""
    by = f"<@{notice.settled_by}>" if notice.settled_by else ""
    return texts.NOTICE_SETTLED[outcome].format(by=by, until=_morning(job, bundle.user, until))


def _morning(job: Telling, user: str, until: int | None) -> str:
    if until is None:
        return ""
    zone = job.zone(user)
    return f"{day(until, zone)}, {moment(until).astimezone(zone):%H:%M}"


def home_blocks(user: str) -> list[Json]:
    """What a person's App Home shows of open notices, the oldest first; an admin's also those nobody was told of."""
    with telling() as job:
        own = held_by(job.space.reader, user)
        unowned = due_notices(job.space.reader, UNREACHED) if job.is_admin(user) else []
        rows = notices(job.space.reader, list(dict.fromkeys([*own, *unowned])))
        if not rows:
            return []
        newest = {one.answer: one for one in rows}
        waiting = sorted(newest.values(), key=lambda one: one.noted)
        shown = cards(job, waiting[:SHOWN_HOME], user, {})
        since = {one.id: moment(one.noted) for one in waiting}
        notes = dict.fromkeys(_unreached(one) for one in waiting[:SHOWN_HOME] if one.id in unowned)
        now = datetime.now(UTC)
        return notice_blocks([(one, since[one.value]) for one in shown], len(waiting), list(notes), now)


def _unreached(notice: Notice) -> str:
    path, owners = escaped(notice.path.replace("`", "'")), ", ".join(map(escaped, notice.owners))
    words = texts.HOME_NOTICES_UNOWNED if owners else texts.HOME_NOTICES_NO_OWNER
    return words.format(path=path, owners=owners)
