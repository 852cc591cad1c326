"""Example answers: a rule that holds, one that held, a refusal, a long text."""

from datetime import UTC, datetime

from assistant.model.answers import Answer, Claim, CommitCitation, OwnerCitation, SectionCitation, Status

RULE = SectionCitation(
    id="c1",
    version="v1",
    path="handbook/sales/trials.md",
    heading_path=("Trials", "Threshold"),
    quote="A trial needs **31** active seats.",
    commit="0123456789abcdef0123456789abcdef01234567",
    merge_request="354",
    valid_from=datetime(2020, 3, 4, 12, tzinfo=UTC),
    valid_to=None,
    url="https://git.example/blob/0123/handbook/sales/trials.md#threshold",
)
CHANGE = CommitCitation(
    id="c2",
    commit="89abcdef0123456789abcdef0123456789abcdef",
    merge_request="354",
    at=datetime(2020, 3, 4, 12, tzinfo=UTC),
    author="Ana <ana@acme.example>",
    subject="Raise the threshold & tell <sales>",
    url="https://git.example/commit/89ab",
)
OWNER = OwnerCitation(id="c3", path="handbook/sales/trials.md", quote="/sales/ @sales-ops", owners=("@sales-ops",))


def answered(text: str = "A trial needs 31 active seats.", *citations: object) -> Answer:
    """An answer whose one claim rests on the citations (the rule)."""
    cited = citations or (RULE,)
    claim = Claim(text=text, holds="now", citations=tuple(one.id for one in cited))  # type: ignore[attr-defined]
    return Answer(
        answer_id="a1",
        status=Status.ANSWERED,
        text=text,
        claims=(claim,),
        citations=cited,  # type: ignore[arg-type]
        trace_id="t1",
        seconds=0.1,
    )


REFUSAL = Answer(
    answer_id="a2",
    status=Status.ESCALATED,
    text="I found nothing about “parking on Mars”. @facilities may know.",
    trace_id="t2",
    seconds=0.1,
    owners=("@facilities",),
)
