"""Saying that nothing answers: what was looked for, and who might know."""

from assistant.agent.draft import Refusal
from assistant.agent.offline.asking import Asking
from assistant.agent.offline.wording import day, listed, quoted
from assistant.agent.tools import owners
from assistant.agent.tools.owners import OwnersOf
from assistant.agent.tools.search_sections import Found
from assistant.model.sections import SectionVersion


def refusal(asking: Asking, found: Found) -> Refusal:
    """Nothing found speaks to the question; the owners of the nearest page that the viewer may see might know."""
    looked_for = quoted(_own_words(asking))
    when = "" if asking.day is None else f" as of {day(asking.day)}"
    text = f"I looked for {looked_for} and found nothing in the handbook{when} that answers this."
    return handed_over(asking, text, found.hits[0].section if found.hits else None)


def _own_words(asking: Asking) -> str:
    """What the asker typed; for a follow-up, the subject that it is about."""
    subject = asking.intent.subject
    alone = all(word in asking.text for word in subject.split())
    return (asking.text if alone else subject).strip(" ?") or asking.text


def handed_over(asking: Asking, text: str, nearest: SectionVersion | None) -> Refusal:
    """A refusal that names the owners of a page, where it has any."""
    owned = nearest and asking.run.call(owners.TOOL, OwnersOf(path=nearest.path, day=asking.intent.day))
    if not nearest or not owned:
        return Refusal(text)
    who = listed(owned.owners[:3])
    text += f" {who} might know: they own {nearest.title}, the nearest page."
    return Refusal(text, owned.owners)
