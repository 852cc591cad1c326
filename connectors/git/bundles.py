"""Bundles: a repository in one file, cloned once into the cache and again when the file has changed."""

import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

from assistant.errors import UserFacing
from connectors.git.program import complaint, run

MAGIC = (b"# v2 git bundle", b"# v3 git bundle")


def is_bundle(path: Path) -> bool:
    """Whether the file says it is one."""
    with path.open("rb") as file:
        return file.read(15) in MAGIC


def cloned(bundle: Path, cache: Path) -> Path:
    """A bare clone of the bundle as it is now, under `cache`. Raises UserFacing where it cannot be cloned."""
    state = bundle.stat()
    place = sha256(str(bundle).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    key = f"{state.st_mtime_ns:x}-{state.st_size:x}-{state.st_ino:x}"
    clone = cache / place / f"{key}.git"
    if clone.exists():
        return clone
    clone.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=clone.parent, prefix="new-"))
    try:
        _clone(bundle, fresh / "bare.git")
        if not clone.exists():
            (fresh / "bare.git").rename(clone)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    for older in clone.parent.glob("*.git"):
        if older != clone:
            shutil.rmtree(older, ignore_errors=True)
    return clone


def _clone(bundle: Path, target: Path) -> None:
    words = ["clone", "--quiet", "--bare", "--template=", "--", str(bundle), str(target)]
    done = run(words, protocols="file", cwd=target.parent)
    if done.returncode:
        raise UserFacing(f"{bundle} cannot be cloned: {complaint(done.stderr)}; a bundle must hold the whole history")
