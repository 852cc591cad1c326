"""What Slack sent live, read for the audit as it was recorded: like an export, but for who is in a channel."""

from assistant.evals.audit.said import Room
from assistant.evals.audit.slack import Export, handles_of, keep, names_of
from assistant.graph.recorded import Recorded


def read_recorded(store: Recorded) -> Export:
    """All channels of a workspace of which something was recorded. What is not in the graph yet is marked as late."""
    late = {(channel, mark.ts) for channel in store.waiting() for mark in store.marks(channel)}
    messages = store.everything()
    users, notes = store.all_notes("users"), store.all_notes("channels")
    public = {name: one["name"] for name, one in notes.items() if one.get("name") and not one.get("is_private")}
    found = Export(users=[names_of(user) | handles_of(user) for user in users.values()], late=late)
    for channel in messages.keys() | notes.keys():
        about = notes.get(channel, {"is_private": True})
        private = bool(about.get("is_private"))
        audience = f"channel:{channel}" if private else "public"
        found.rooms[channel] = Room(audience, frozenset(), about.get("name") or channel, None, private, "")
        found.days[channel] = set()
        found.gone |= {(channel, ts) for ts in store.all_gone(channel)}
        for message in messages.get(channel, ()):
            keep(found, channel, message, users, public)
    found.named.clear()  # a thread may have lost its first message: nothing of it is left out for that
    return found
