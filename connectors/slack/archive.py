"""The files of an export, in a folder or a zip, which is never unpacked. Hostile archives are refused."""

import json
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from assistant.errors import Skip, UserFacing

LARGEST = 512 * 1024 * 1024
"""Bytes that one file may have; a day of the busiest channel has some tens of megabytes."""

ALL = 16 * 1024 * 1024 * 1024
"""Bytes that all JSON files of an archive may have together."""

SWELLING = 200
"""Times that an entry over a megabyte may be larger than what is stored of it; JSON packs down to a tenth or so."""

UNREADABLE = (ValueError, RecursionError, OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)
"""What reading a file that is cut off or damaged ends in."""

DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")


@dataclass(frozen=True, slots=True)
class Archive:
    """Names and bytes."""

    name: str
    names: frozenset[str]
    """Of all JSON files, relative to the export's own root, with `/`."""
    bytes_of: Callable[[str], bytes]

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return name in self.names

    def records(self, name: str) -> list[dict[str, Any]]:
        """A file's list of records; raises Skip where it is cut off or none."""
        try:
            records = json.loads(self.bytes_of(name))
        except UNREADABLE as error:
            raise Skip(f"{name}: cut off or no JSON, left out") from error
        if not isinstance(records, list):
            raise Skip(f"{name}: no list of records, left out")
        return [one for one in records if isinstance(one, dict)]

    def required(self, name: str) -> list[dict[str, Any]]:
        """As `records`; raises UserFacing, as nothing can be read without it."""
        try:
            return self.records(name)
        except Skip as error:
            raise UserFacing(f"{name} of the export is cut off or no JSON: nothing was read, export again") from error

    def optional(self, name: str) -> list[dict[str, Any]]:
        """As `records`; nothing where it is not there or broken."""
        try:
            return self.records(name) if self.has(name) else []
        except Skip:
            return []

    def folders(self) -> set[str]:
        """Folders that hold days."""
        return {name.partition("/")[0] for name in self.names if DAY.fullmatch(name.partition("/")[2])}

    def days(self, *folders: str) -> list[str]:
        """The day files of a channel, whose folder is called by one of these, in order."""
        return sorted(n for n in self.names if n.partition("/")[0] in folders and DAY.fullmatch(n.partition("/")[2]))


def open_archive(path: Path) -> Archive:
    """The folder's or the zip's files; raises UserFacing for what is neither, or dangerous."""
    if path.is_dir():
        return _folder(path)
    if not path.is_file():
        raise UserFacing(f"there is no {path}")
    if not zipfile.is_zipfile(path):
        raise UserFacing(f"{path} is neither a folder nor a whole zip: download the export again")
    return _zip(path)


def _folder(path: Path) -> Archive:
    root = path.resolve()
    found = (*root.glob("*.json"), *root.glob("*/*.json"))
    files = [file for file in found if file.is_file() and file.resolve().is_relative_to(root)]
    return Archive(path.name, frozenset(file.relative_to(root).as_posix() for file in files), lambda n: _read(root / n))


def _read(file: Path) -> bytes:
    if file.stat().st_size > LARGEST:
        raise Skip(f"{file.name}: larger than {LARGEST >> 20} MB, left out")
    return file.read_bytes()


def _zip(path: Path) -> Archive:
    archive = zipfile.ZipFile(path)
    entries = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    for info in entries.values():
        _refuse(path, info)
    wanted = {name: info for name, info in entries.items() if name.endswith(".json")}
    if sum(info.file_size for info in wanted.values()) > ALL:
        raise UserFacing(f"{path}: its files are larger than {ALL >> 30} GB when unpacked; nothing was read")
    root = _root(wanted)

    def bytes_of(name: str) -> bytes:
        with archive.open(wanted[root + name]) as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Skip(f"{name}: larger than {LARGEST >> 20} MB, left out")
        return data

    inside = frozenset(name.removeprefix(root) for name in wanted if name.startswith(root))
    return Archive(path.stem, inside, bytes_of)


def _refuse(path: Path, info: zipfile.ZipInfo) -> None:
    """Raises UserFacing for an entry that no export has: a way out, a link, a bomb, a password."""
    place = PurePosixPath(info.filename.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or re.match(r"[A-Za-z]:", info.filename):
        raise UserFacing(f"{path} is no Slack export: {info.filename!r} points outside of it; nothing was read")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UserFacing(f"{path} is no Slack export: {info.filename!r} is a link; nothing was read")
    if info.flag_bits & 1:
        raise UserFacing(f"{path} has a password: unpack it and give the folder")
    if info.file_size > LARGEST or (
        info.file_size > 1 << 20 and info.file_size > SWELLING * max(info.compress_size, 1)
    ):
        raise UserFacing(f"{path}: {info.filename!r} would swell to {info.file_size >> 20} MB; nothing was read")


def _root(names: dict[str, zipfile.ZipInfo]) -> str:
    """The folder that holds users.json: '' or, where somebody packed the folder itself, its name with a slash."""
    found = sorted((n.removesuffix("users.json") for n in names if PurePosixPath(n).name == "users.json"), key=len)
    return found[0] if found and found[0].count("/") <= 1 else ""
