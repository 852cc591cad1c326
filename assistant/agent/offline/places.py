"""What a section says, what stands around it, and who owns a page."""

import re
from dataclasses import replace

from assistant.access import at_day
from assistant.agent.draft import Draft, DraftClaim, Refusal
from assistant.agent.offline.asking import Asking, event, heading_line
from assistant.agent.offline.intent import asks_for_the_page
from assistant.agent.offline.refusals import handed_over, refusal
from assistant.agent.offline.rules import rule
from assistant.agent.offline.wording import by, listed, page_text, place, quoted, since
from assistant.agent.tools import outline, owners, search_sections, section_as_of
from assistant.agent.tools.outline import Outline, OutlineOf
from assistant.agent.tools.owners import OwnersOf
from assistant.agent.tools.search_sections import SearchFor
from assistant.agent.tools.section_as_of import Placed, SectionAsOf, words_of
from assistant.agent.tools.section_history import Version
from assistant.graph.reading.sections import pages
from assistant.model.sections import SectionVersion
from assistant.text.markdown import split_page

SHOWN = 12
"""At most this many sections are listed."""


def section_text(asking: Asking) -> Draft | Refusal:
    """The text of the section that the question names; where it names none that is known, what the words find."""
    placed = located(asking)
    if not placed.sections:
        path = page_path(asking, asking.intent.page)
        if not path:
            return rule(asking)
        if asking.intent.direction == "about":
            return _about(asking, path)
        return Refusal(f"I know of no section {quoted(asking.intent.heading)} in {path}.")
    section = placed.sections[0]
    if len({other.path for other in placed.sections}) > 1:
        return _which(placed.sections)
    if placed.gone:
        return _gone_section(asking, section)
    version = next(v for v in asking.history(section) if v.section.id == section.id)
    return (_says(asking, version),)


def _about(asking: Asking, path: str) -> Draft | Refusal:
    """What the words find; else what the topic finds, if on that page."""
    whole = rule(asking)
    if not isinstance(whole, Refusal):
        return whole
    found = rule(replace(asking, intent=replace(asking.intent, subject=asking.intent.heading)))
    if isinstance(found, Refusal) or any(c.path != path for c in found[0].citations if c.kind == "section"):
        return whole
    return found


def located(asking: Asking) -> Placed:
    """The section that page and heading of the question name; by search where no heading is just so."""
    intent = asking.intent
    path = page_path(asking, intent.page)
    placed = asking.run.call(section_as_of.TOOL, SectionAsOf(path=path, heading=intent.heading, day=intent.day))
    if placed.sections or not intent.heading:
        return placed
    query = SearchFor(query=f"{intent.heading} {intent.page}", day=intent.day)
    hits = asking.run.call(search_sections.TOOL, query).hits
    wanted = set(words_of(intent.heading).split())
    there = [hit.section for hit in hits if path in ("", hit.section.path)]
    same = [section for section in there if set(words_of(section.heading).split()) == wanted]
    return Placed(tuple(same[:1]))


def page_path(asking: Asking, page: str) -> str:
    """The path of a page that people name by its path, the end of it, or its title; '' where they name none we know."""
    if not page:
        return ""
    known = pages(asking.run.context.reader, at_day(asking.run.context.scope, asking.intent.day))
    if page in known:
        return page
    ends = [path for path in known if path.endswith("/" + page.lstrip("./"))]
    name = words_of(re.sub(r"^(?:the\s+)?(?:page\s+)?|\s+(?:page|handbook|doc|document)$", "", page, flags=re.I))
    named = [path for path, title in known.items() if words_of(title) == name] or [
        path
        for path in known
        if words_of(re.sub(r"(?:/(?:index|readme))?\.\w+(?:\.\w+)*$", "", path.lower()).split("/")[-1]) == name
    ]
    return min(ends or named, key=len, default=page if "." in page else "")


def _says(asking: Asking, version: Version) -> DraftClaim:
    section = version.section
    body = own_text(section)
    origin = since(version.commit, asking.links, asking.zone)
    cited = [asking.section(section, body.strip() or heading_line(section)), asking.commit(version.commit)]
    if text := page_text(body):
        on = "" if asking.day is None else f"on {asking.date(asking.day)}, "
        return DraftClaim(f"{place(section)} ({on}{origin}):\n{text}", asking.holds, tuple(cited))
    children = _sections(asking, section.path).under(section)[:SHOWN]
    under = f"; under it stand {listed([quoted(child.heading) for child in children])}" if children else ""
    cited += [asking.section(child, heading_line(child)) for child in children]
    return DraftClaim(f"{place(section)} has no text of its own{under} ({origin}).", asking.holds, tuple(cited))


def own_text(section: SectionVersion) -> str:
    """A section's text without its heading line and front matter."""
    return "".join(block.body for block in split_page(section.text).blocks)


def _gone_section(asking: Asking, section: SectionVersion) -> Draft:
    """A section that stands there no more: where it went, or what removed it and what it said until then."""
    history = asking.history_by_day(section)
    last = history[-1]
    removed_by = None if asking.in_force(last.section) else last.removed_by
    if removed_by is None and last.section.id != section.id:
        moved = next(v for v in history if v.section.valid_from == section.valid_to)
        text = (
            f"{place(section)} has moved: since {asking.date(moved.commit.at)} ({by(moved.commit, asking.links)}) it "
        )
        text += f"stands as {quoted(last.section.name)} in {last.section.path}."
        cited = (asking.section(last.section, heading_line(last.section)), asking.commit(moved.commit))
        return (DraftClaim(text, asking.holds, cited), _says(asking, last))
    body = own_text(section)
    cited_text = asking.section(section, body.strip() or heading_line(section))
    if removed_by is None:
        return (event(f"{place(section)} said:\n{page_text(body)}", (cited_text,)),)
    removed = f"{place(section)} is no longer in the handbook: {by(removed_by, asking.links)} removed it on "
    text = f"{removed}{asking.date(removed_by.at)}. Until then it said:\n{page_text(body)}"
    return (event(text, (cited_text, asking.commit(removed_by))),)


def _which(sections: tuple[SectionVersion, ...]) -> Refusal:
    paths = sorted({section.path for section in sections})
    more = " and more" if len(paths) > SHOWN // 2 else ""
    return Refusal(
        f"Several pages have a section {quoted(sections[0].heading)}: {listed(paths[: SHOWN // 2])}{more}. "
        "Which one? Name it with its page."
    )


def _sections(asking: Asking, path: str) -> Outline:
    return asking.run.call(outline.TOOL, OutlineOf(path=path, day=asking.intent.day))


def neighbours(asking: Asking) -> Draft | Refusal:
    """What stands before, after or under a section, or on a whole page; by its words where there is no such heading."""
    if asking.intent.direction == "outline":
        return _page_outline(asking)
    if asking.intent.direction == "pages":
        return _all_pages(asking)
    placed = located(asking)
    if not placed.sections or placed.gone:
        heading, _, page = re.sub(r"\s+(?:in|of|on)\s+", " / ", asking.intent.heading).rpartition(" / ")
        if heading and page_path(asking, page):
            return neighbours(replace(asking, intent=replace(asking.intent, heading=heading, page=page)))
        return rule(asking)
    if len({section.path for section in placed.sections}) > 1:
        return _which(placed.sections)
    section = placed.sections[0]
    around = _sections(asking, section.path)
    if asking.intent.direction == "under":
        others = list(around.under(section))
    else:
        beside = around.before(section) if asking.intent.direction == "before" else around.after(section)
        others = [beside] if beside else []
    where = f"{quoted(place(section))} in {section.path}"
    cited = [asking.section(other, heading_line(other)) for other in (section, *others[:SHOWN])]
    if not others:
        return (DraftClaim(f"Nothing comes {asking.intent.direction} {where}.", asking.holds, tuple(cited)),)
    names = listed([quoted(other.heading) for other in others[:SHOWN]])
    verb = {"under": "stand"}.get(asking.intent.direction, "come") + ("s" if len(others) == 1 else "")
    more = " and more" if len(others) > SHOWN else ""
    text = f"{asking.intent.direction.title()} {where} {verb} {names}{more}."
    return (DraftClaim(text, asking.holds, tuple(cited)),)


def _page_outline(asking: Asking) -> Draft | Refusal:
    path = page_path(asking, asking.intent.page)
    found = _sections(asking, path) if path else Outline(())
    if not found.sections:
        return section_text(asking) if asking.intent.heading else rule(asking)
    top = min(section.level for section in found.sections)
    lines = [f"{'   ' * (section.level - top)}• {section.heading}" for section in found.sections[: 3 * SHOWN]]
    more = "\n…" if len(found.sections) > len(lines) else ""
    cited = [asking.section(section, heading_line(section)) for section in found.sections[: 3 * SHOWN]]
    text = f"{found.sections[0].title} ({path}):\n" + "\n".join(lines) + more
    return (DraftClaim(text, asking.holds, tuple(cited)),)


def _all_pages(asking: Asking) -> Draft | Refusal:
    """The pages that the asker may see, by their first headings."""
    known = sorted(pages(asking.run.context.reader, at_day(asking.run.context.scope, asking.intent.day)))
    tops = [found.sections[0] for path in known[: 3 * SHOWN] if (found := _sections(asking, path)).sections]
    if not tops:
        return rule(asking)
    claims = [
        DraftClaim(f"• {top.heading} ({top.path})", asking.holds, (asking.section(top, heading_line(top)),))
        for top in tops
    ]
    if len(known) > 3 * SHOWN:
        claims[-1] = replace(claims[-1], text=f"{claims[-1].text} … and more.")
    return tuple(claims)


OWNING = re.compile(r"\b(?:own|owns|owned|owner|owners|responsible|dri|accountable|maintain\w*)\b", re.I)
LEADING = re.compile(r"\b(?:lead|leads|driver)\b", re.I)
"""Said of who owns a thing, and of other things, too: on a page that is named so, rather the latter."""


def _named(asking: Asking) -> SectionVersion | None:
    """A section of the page that an owner question calls by its title, or by a heading that no other page has."""
    name = asking.intent.subject.strip(" \"“”'")
    if not words_of(name):
        return None
    path = page_path(asking, name)
    if path:
        sections = _sections(asking, path).sections
        return sections[0] if sections else None
    placed = asking.run.call(section_as_of.TOOL, SectionAsOf(heading=name, day=asking.intent.day))
    one = not placed.gone and len({section.path for section in placed.sections}) == 1
    return placed.sections[0] if one else None


def ownership(asking: Asking) -> Draft | Refusal:
    """Who owns a page by its owner file; of a thing that is no page, what the handbook itself says comes first."""
    path = page_path(asking, asking.intent.page)
    section = None
    if not path:
        found, passage = asking.topic()
        if passage is not None and not asking.in_force(passage.section):
            passage = None
        said = f"{passage.unit.context} {passage.unit.plain}" if passage else ""
        titled = _named(asking)
        telling = OWNING.search(said) or (titled is None and LEADING.search(said))
        if telling and not asks_for_the_page(asking.text):
            return rule(asking)
        section = titled or (passage.section if passage else None)
        if section is None:
            return refusal(asking, found)
        path = section.path
    named = asking.run.call(owners.TOOL, OwnersOf(path=path, day=asking.intent.day))
    if named is None:
        placed = asking.run.call(section_as_of.TOOL, SectionAsOf(path=path, day=asking.intent.day)).sections
        return handed_over(
            asking, f"No owner is named for {path}.", None if section is None else (placed or (section,))[0]
        )
    who = listed(named.owners)
    title = f"{quoted(section.title)} ({path})" if section else path
    text = f"{title} is owned by {who}; the owners file says {quoted(named.line)}."
    [evidence] = [e for e in asking.run.evidence if e.citation.kind == "owner" and e.citation.path == path][-1:]
    cited = [evidence.citation] + ([asking.section(section, heading_line(section))] if section else [])
    return (DraftClaim(text, asking.holds, tuple(cited)),)
