"""Mirrors: bare copies of ours that are fetched into, so that nobody's own clone is ever written."""

import base64
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from assistant.errors import Retry, UserFacing
from connectors.git.program import complaint, run

TRANSPORTS = "https:ssh:file"
"""Ways to fetch; plain http would show our token to everybody."""


def origin_of(folder: Path) -> str | None:
    """Where a git directory was cloned from; None where it was not."""
    done = run(["config", "--get", "remote.origin.url"], folder)
    return done.stdout.decode("utf-8", "replace").strip() or None if done.returncode == 0 else None


def refreshed(folder: Path, mirror: Path, credentials: Mapping[str, str]) -> Path:
    """The git directory to read: a mirror of what `folder` was cloned from, fetched now; `folder` itself where it was
    cloned from nowhere. `credentials` are user:password by the https address that they are for.

    Raises Retry where nothing can be fetched now, UserFacing where the first copy cannot be made.
    """
    origin = origin_of(mirror if mirror.exists() else folder)
    if origin is None:
        return folder
    if not mirror.exists():
        _copy(folder, mirror, origin)
    words = ["fetch", "--quiet", "--prune", "--no-tags", "--no-auto-gc", "--", origin, "+refs/heads/*:refs/heads/*"]
    done = run(words, mirror, protocols=TRANSPORTS, settings=_settings(credentials))
    if done.returncode:
        told = re.sub(r"//[^/@\s]+@", "//", complaint(done.stderr))
        raise Retry(f"{re.sub('//[^/@]+@', '//', origin)} cannot be fetched: {told}", after=60.0)
    return mirror


def _copy(folder: Path, mirror: Path, origin: str) -> None:
    """Makes the mirror out of the clone that is there, so that only news have to be fetched."""
    mirror.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=mirror.parent, prefix="new-"))
    try:
        copy = fresh / "bare.git"
        words = ["clone", "--quiet", "--bare", "--template=", "--", str(folder), str(copy)]
        done = run(words, protocols="file", cwd=fresh)
        if done.returncode == 0:
            done = run(["config", "remote.origin.url", origin], copy)
        if done.returncode:
            raise UserFacing(f"{folder} cannot be copied: {complaint(done.stderr)}")
        if not mirror.exists():
            copy.rename(mirror)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _settings(credentials: Mapping[str, str]) -> dict[str, str]:
    """Git's settings for one fetch; they go by the environment, where no other user sees them."""
    made = {"http.lowSpeedLimit": "1000", "http.lowSpeedTime": "60", "core.sshCommand": "ssh -o BatchMode=yes"}
    for address, password in credentials.items():
        coded = base64.b64encode(password.encode()).decode()
        made[f"http.{address.rstrip('/')}/.extraHeader"] = f"Authorization: Basic {coded}"
    return made
