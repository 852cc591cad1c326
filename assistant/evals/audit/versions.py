"""Every version of every section stands in the page as git has it, from its first commit to its last; and nothing else.

At each commit the versions that hold, in their order, are compared with the page cut anew.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from assistant.evals.audit.checked import Checked
from assistant.evals.audit.commits import request_of
from assistant.evals.audit.cutting import Cut, cut_at
from assistant.evals.audit.derived import derived
from assistant.evals.audit.walk import Mainline, Moment
from assistant.graph.reading.audit import Section
from assistant.model.times import FOREVER


def check_versions(mainline: Mainline, sections: Sequence[Section], audience: str) -> Checked:
    """Counts every version; a section that the graph lacks counts, too."""
    found = Checked("versions")
    shas = {at: sha for sha, at in mainline.times.items()}
    begin: defaultdict[int, list[Section]] = defaultdict(list)
    end: defaultdict[int, list[Section]] = defaultdict(list)
    for one in sections:
        found.look(one.id, _times(one, mainline, shas, audience))
        begin[one.valid_from].append(one)
        end[one.valid_to].append(one)
    holding: defaultdict[str, dict[str, Section]] = defaultdict(dict)
    texts: dict[str, str] = {}
    for moment in mainline.moments():
        touched = set(moment.pages)
        for one in end[moment.at]:
            holding[one.path].pop(one.id, None)
            touched.add(one.path)
        for one in begin[moment.at]:
            holding[one.path][one.id] = one
            touched.add(one.path)
        for path, text in moment.pages.items():
            texts[path] = (text or "").replace("\0", "\ufffd")
        for path in touched:
            _compare(found, moment, path, texts.get(path, ""), holding[path].values())
    return found


def _times(one: Section, mainline: Mainline, shas: dict[int, str], audience: str) -> Iterable[str]:
    """What is wrong with a version's times, which the walk would not come upon."""
    if shas.get(one.valid_from) != one.commit:
        yield f"valid_from is not when {one.commit[:12]} was committed"
    if one.valid_to != FOREVER and one.valid_to not in shas:
        yield "valid_to is no commit's time"
    if one.valid_from >= one.valid_to:
        yield "ends before it begins"
    message = mainline.messages.get(one.commit)
    if message and one.merge_request != request_of(message.text):
        yield f"request {one.merge_request}, not {request_of(message.text)}"
    if one.audience != audience:
        yield f"audience {one.audience}, not the source's {audience}"


def _compare(found: Checked, moment: Moment, path: str, text: str, versions: Iterable[Section]) -> None:
    """Holds the versions of a page against the page as a commit left it."""
    ordered = sorted(versions, key=lambda one: one.position)
    page = cut_at(text, [one.text for one in ordered])
    where = f"{path} at {moment.sha[:12]}"
    for one, following in pairwise(ordered):
        if one.position == following.position:
            found.blame(one.id, f"in the same place as {following.id}")
            found.blame(following.id, f"in the same place as {one.id}")
    cuts = {one.text: one for one in page}
    first = next((one.heading for one in ordered if one.heading), "")
    for one in (each for each in ordered if each.valid_from == moment.at and each.text in cuts):
        for complaint in derived(one, cuts[one.text], text, first):
            found.blame(one.id, complaint)
    if [one.text for one in ordered] == [one.text for one in page]:
        _headings(found, where, ordered, page)
        return
    wanted = Counter(one.text for one in page)
    strange = False
    for one in ordered:
        if wanted[one.text]:
            wanted[one.text] -= 1
        else:
            strange = True
            found.blame(one.id, f"not in {where}")
    for text in wanted.elements():
        strange = True
        found.missing(f"{where}: {text[:60]!r}", "no version holds this section")
    if not strange:
        for one, section in zip(ordered, page, strict=True):
            if one.text != section.text:
                found.blame(one.id, f"out of order in {where}")


def _headings(found: Checked, where: str, versions: Sequence[Section], page: list[Cut]) -> None:
    """Levels, and the headings above each section."""
    above: list[tuple[int, str]] = []
    for one, section in zip(versions, page, strict=True):
        if one.level != section.level:
            found.blame(one.id, f"level {one.level}, not {section.level}, in {where}")
        if section.level:
            above = [(level, name) for level, name in above if level < section.level]
            above.append((section.level, one.heading))
        if one.heading_path != [name for _, name in above]:
            found.blame(one.id, f"other headings above it in {where}")
