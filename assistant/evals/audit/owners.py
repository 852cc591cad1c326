"""Every owner file's versions are git's contents, from the commit that wrote them to the one that changed them."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.walk import Mainline
from assistant.graph.reading.audit import OwnersFile
from assistant.model.times import FOREVER


def check_owners(mainline: Mainline, files: Sequence[OwnersFile], own: bool, given: Sequence[str]) -> Checked:
    """Counts every version of an owner file. `own` is False where a CODEOWNERS file was given by hand; `given` are
    the texts of such files, where they are known.
    """
    found = Checked("owners")
    begin: defaultdict[int, list[OwnersFile]] = defaultdict(list)
    end: defaultdict[int, list[OwnersFile]] = defaultdict(list)
    times = set(mainline.times.values()) | {FOREVER}
    lasted = dict(pairwise(sorted({one.valid_from for one in files if one.given})))
    for one in files:
        wrong = [] if one.given or {one.valid_from, one.valid_to} <= times else ["begins or ends at no commit"]
        if one.given and one.valid_from not in times | {0}:
            wrong.append("given when no commit was made")
        if one.given and one.valid_to != lasted.get(one.valid_from, FOREVER):
            wrong.append("does not hold until another file was given")
        if one.valid_from >= one.valid_to:
            wrong.append("ends before it begins")
        if one.given and given and one.valid_to == FOREVER and one.text not in given:
            wrong.append("not the text of the file that was given")
        if (one.kind == "codenotify") != one.path.endswith("CODENOTIFY") or one.kind not in KINDS:
            wrong.append(f"kind {one.kind}")
        found.look(one.id, wrong)
        if not one.given:
            begin[one.valid_from].append(one)
            end[one.valid_to].append(one)
    holding: defaultdict[str, dict[str, OwnersFile]] = defaultdict(dict)
    texts: dict[str, str | None] = {}
    for moment in mainline.moments():
        touched = set(moment.owners)
        for one in end[moment.at]:
            holding[one.path].pop(one.id, None)
            touched.add(one.path)
        for one in begin[moment.at]:
            holding[one.path][one.id] = one
            touched.add(one.path)
        texts |= moment.owners
        for path in touched:
            text = texts.get(path)
            if not own and not path.endswith("CODENOTIFY"):
                text = None
            _compare(found, f"{path} at {moment.sha[:12]}", text, list(holding[path].values()))
    return found


KINDS = ("github", "gitlab", "codenotify")


def _compare(found: Checked, where: str, text: str | None, versions: list[OwnersFile]) -> None:
    """The one version that holds says what the file says; none where there is no file."""
    wanted = [] if text is None else [text.replace("\0", "\ufffd")]
    if [one.text for one in versions] == wanted:
        return
    for one in versions:
        if len(versions) > 1 or one.text not in wanted:
            found.blame(one.id, f"not what is in {where}")
    if not versions:
        found.missing(where, "no version holds this owner file")
