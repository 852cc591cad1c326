"""Zoom: recordings and their transcripts, and the question every 72 hours whether the address is ours."""

from collections.abc import Mapping

from assistant.settings import Settings
from connectors.base.signatures import Headers, is_stamped, sole
from connectors.zoom import hook as zoom
from workers.queue import INGEST, Work
from workers.web.hooks.hook import Hook, Value


def genuine(settings: Settings, headers: Headers, body: bytes, now: float) -> bool:
    """Whether Zoom signed it within the last minutes."""
    stamp, claimed = sole(headers, "x-zm-request-timestamp"), sole(headers, "x-zm-signature")
    return is_stamped(settings.zoom_webhook_secret or "", stamp, claimed, body, now)


def reply(settings: Settings, value: Value) -> Mapping[str, str] | None:
    """The answer to the question whose address it is."""
    return zoom.validated(value, settings.zoom_webhook_secret or "")


def work(settings: Settings, value: Value, digest: str) -> Work | None:  # noqa: ARG001 the shape of Hook.work
    """Recordings are taken in."""
    told = zoom.recording(value)
    if told is None:
        return None
    payload = {"told": told.told.value, "meeting": dict(told.meeting), "token": told.token}
    return Work(INGEST, "workers.pull.zoom.told", f"zoom/{digest}", payload, seconds=600)


HOOK = Hook("zoom", ("zoom_webhook_secret",), genuine, work, reply)
