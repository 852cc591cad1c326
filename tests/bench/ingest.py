"""How long a whole mainline takes to ingest, against `git diff-tree -p` over the same commits, and how much memory.

python -m tests.bench.ingest REPO [SUBDIR]
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import redis

from assistant.graph.servers import embedded
from assistant.graph.space import open_space
from assistant.settings import Settings
from connectors.git import GitRepository
from connectors.git.program import command, environment
from workers.ingest import ingest_git

TIMES, MEGABYTES = 20, 700
"""The bars: that many times git's own time, and so much memory of the process that ingests."""


def diff_tree(repo: GitRepository) -> float:
    """Seconds that git takes to print every diff of the mainline; the better of two runs."""
    shas = "\n".join(repo.mainline).encode()
    times = []
    for _ in range(2):
        start = perf_counter()
        words = command(["diff-tree", "-p", "--stdin"], repo.folder)
        subprocess.run(words, input=shas, stdout=subprocess.DEVNULL, env=environment(), check=True)
        times.append(perf_counter() - start)
    return min(times)


def measure(path: Path, subdir: str, folder: Path) -> int:
    """Prints what a run into a new home takes; 1 where it misses a bar."""
    settings = Settings(home=folder / "home", cache=folder / "cache")
    repo = GitRepository(path, cache=settings.cache, subdir=subdir)
    git_before = diff_tree(repo)
    servers = embedded.ensure(settings, idle=60.0)
    with open_space(settings, servers=servers) as space:
        start, used = perf_counter(), process_time()
        report = ingest_git(space, repo)
        seconds, used = perf_counter() - start, process_time() - used
        start = perf_counter()
        ingest_git(space, repo)
        again = perf_counter() - start
    git = (git_before + diff_tree(repo)) / 2
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    server = redis.Redis.from_url(servers.graph_url).info("memory")["used_memory_rss"] // 2**20
    embedded.stop(servers)
    print(f"{report.commits} commits, {report.versions} versions of sections")
    print(f"git diff-tree -p --stdin   {git:8.2f} s")
    print(f"ingest without embeddings  {seconds:8.2f} s = {seconds / git:.1f} times (bar {TIMES}), {used:.1f} s of CPU")
    print(f"ingest again               {again:8.2f} s")
    print(f"memory                     {memory:8} MB (bar {MEGABYTES}); graph server {server} MB")
    return int(seconds > TIMES * git or memory > MEGABYTES)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(measure(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "", Path(temporary)))
