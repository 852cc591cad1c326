"""Looking for forgotten words in every byte that an install keeps."""

import contextlib
import io
import json
import re
import tarfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import redis

from assistant.graph.servers.embedded import Servers
from assistant.graph.space import connect

JOB = b"rq:job:*"

LONGEST = 1_000_000
"""Bytes of a packed text that are looked at."""


def uncompressed(servers: Servers) -> None:
    """Has both servers write their files so that a search through the bytes sees what is in them."""
    for url in (servers.graph_url, servers.queue_url):
        connect(url).config_set("rdbcompression", "no")


def files_with(word: str, *folders: Path) -> list[str]:
    """Files below the folders that hold the word, in whatever case, as it is or packed as jobs and backups are."""
    found = re.compile(b"|".join([re.escape(word.encode()), re.escape(json.dumps(word)[1:-1].encode())]), re.IGNORECASE)
    held = []
    for folder in folders:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and any(map(found.search, readings(file.read_bytes()))):
                held.append(str(file))
    return held


def readings(data: bytes) -> Iterator[bytes]:
    """Bytes as they are, and everything in them that zlib packed."""
    yield data
    view = memoryview(data)
    for found in re.finditer(rb"\x78\x9c", data):
        with contextlib.suppress(zlib.error):
            yield zlib.decompressobj().decompress(view[found.start() :], LONGEST)


def jobs_with(word: str, servers: Servers) -> list[str]:
    """Ids of the jobs, waiting or done, whose packed data holds the word."""
    server: redis.Redis = redis.Redis.from_url(servers.queue_url)
    held = []
    for key in server.scan_iter(JOB):
        data = zlib.decompress(server.hget(key, "data") or zlib.compress(b""))
        if word.casefold() in json.dumps(json.loads(data), ensure_ascii=False).casefold():
            held.append(key.decode())
    return held


def gone_from(word: str, *folders: Path, patience: float = 5.0) -> list[str]:
    """Files that still hold the word after a while: servers delete their old files in the background."""
    end = time.monotonic() + patience
    while (held := files_with(word, *folders)) and time.monotonic() < end:
        time.sleep(0.05)
    return held


def unpacked(backup: Path, folder: Path) -> Path:
    """A backup's files, unpacked."""
    with tarfile.open(fileobj=io.BytesIO(backup.read_bytes())) as tar:
        tar.extractall(folder, filter="data")
    return folder
