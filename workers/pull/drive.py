"""Folders of Google documents as handbooks: each revision goes through the chain that a git commit goes through."""

from dataclasses import replace

import structlog

from assistant.graph import sources
from assistant.graph.sources import SourceRow
from assistant.graph.space import Space
from assistant.graph.writing import current
from assistant.graph.writing.revision import RevisionWriter
from assistant.graph.writing.undo import undo_beyond
from assistant.graph.writing.writer import sole_writer
from assistant.model import ids
from assistant.model.audiences import PUBLIC
from assistant.settings import Settings
from assistant.staleness.check import check_new
from connectors.drive.documents import DriveFolder, connected
from workers.cache import RedisCache
from workers.ingest import IngestReport, counted, windows
from workers.pull.keeping import judged
from workers.queue import connect
from workers.tell import ask_to_tell

AT_ONCE = 50
"""Revisions that one turn reads; whoever waits for the worker comes in between."""

log = structlog.get_logger()


def poll(space: Space, settings: Settings, folder: str) -> IngestReport | None:
    """Reads what is new in a folder; None where there are no keys. Raises Skip, Retry, Fatal."""
    drive = connected(settings, RedisCache(connect(space.servers.queue_url)), folder)
    if drive is None:
        return None
    report = ingest_drive(space, drive)
    ask_to_tell(space, settings)
    if report.commits:
        judged(space, settings)
        log.info("read on", source=report.source, revisions=report.commits, sections_changed=report.sections_changed)
    return report


def ingest_drive(space: Space, drive: DriveFolder) -> IngestReport:
    """Reads some of the folder's revisions into the Space, on from what was read before. Raises Retry, Fatal."""
    title = drive.title()
    with sole_writer(space.graph) as fence:
        source = replace(known(space, drive.folder), path=title)
        sources.save_source(space.graph, source, fence)
        undo_beyond(space.graph, source, fence)
        read = tuple(sha for sha, _ in current.commits(space.reader, source.id))
        report = IngestReport(source.id, source.head, source.cursor)
        writer = RevisionWriter(space.graph, source.id, source.audience, fence)
        for window in windows(space, replace(drive, read=read, most=AT_ONCE), source, None):
            writer.write(window)
            report = counted(report, window)
        if report.head is not None and report.commits:
            check_new(space, source.id, fence, -1 if source.head is None else source.head, report.head)
    return report


def known(space: Space, folder: str) -> SourceRow:
    """The source that the folder is in this Space."""
    name = ids.digest("source", "drive", folder)
    for one in sources.list_sources(space.reader):
        if one.id == name:
            return one
    address = f"https://drive.google.com/drive/folders/{folder}"
    return SourceRow(id=name, kind="drive", root=folder, path=folder, web_url=address, audience=PUBLIC)
