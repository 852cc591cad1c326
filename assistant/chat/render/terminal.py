"""An answer for the terminal, as a rich renderable."""

from datetime import UTC, tzinfo

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from assistant.chat.render.fit import shortened
from assistant.chat.render.trail import Step, steps
from assistant.model.answers import Answer, Status

COLOURS = {Status.ANSWERED: "green", Status.REFUSED: "yellow", Status.ESCALATED: "yellow"}


def render_answer(answer: Answer, zone: tzinfo = UTC, *, framed: bool = True) -> RenderableType:
    """The answer's text, `framed` or as it is, and under it each source: quote, link, request, commit, dates."""
    text = Text(answer.text)
    said = Panel(text, border_style=COLOURS[answer.status], padding=(0, 1)) if framed else text
    sources = [Padding(_source(step), (0, 2)) for step in steps(answer, zone)]
    return Group(said, *sources)


def _source(step: Step) -> Text:
    line = Text()
    for quote in (quote for one in (step, *step.decided) for quote in one.quotes):
        line.append(f"“{shortened(quote, 200)}”\n", style="italic")
    line.append("→ ", style="dim")
    line.append(step.label, style=f"bold link {step.url}" if step.url else "bold")
    if step.request:
        line.append(f" → request {step.request}", style="cyan")
    if step.holds:
        line.append(f" → {step.holds}")
    for decided in step.decided:
        line.append(f" → {decided.holds} → ")
        line.append(decided.label, style=f"bold link {decided.url}" if decided.url else "bold")
    for note in step.notes:
        line.append(f" · {note}", style="dim")
    return line
