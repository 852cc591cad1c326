"""The made handbook that golden answers are asked of: seven commits of three people."""

from collections.abc import Callable
from datetime import UTC, datetime

ANA = "Ana Ruiz <ana@acme.example>"
BEN = "Ben Okoro <ben@acme.example>"
CLEO = "Cleo Marsh <cleo@acme.example>"

OWNERS = "/handbook/sales/ @acme/revenue\n/handbook/people/ @acme/people @cleo\n"

SCORING = """# Lead scoring

How we decide which leads sales talks to.

## Trial threshold

A trial counts as an MQL when it has reached {threshold} points.

## Points

| Action | Points | Expires |
| --- | --- | --- |
| Starts a trial | 10 | never |
| Invites a teammate | {invite} | after 30 days |
| Opens a mail | 1 | after 7 days |
"""

LEAVE = """# Time off

## Annual leave

Everybody has 28 days of paid leave a year. Ask your manager two weeks ahead for more than 5 days in a row.

## Sick leave

Tell your manager before 10:00 on the first day. From the fourth day on we need a doctor's note.

{more}"""

PARENTAL = """## Parental leave

Parents take 16 weeks of fully paid leave in the first year.

### Coming back

The first four weeks back may be worked at half time.
"""

EXPENSES = """# Expenses

## Meals

On trips we pay up to €45 a day for meals, without receipts.

## Laptops

- **Engineers:** a 16-inch laptop with 64 GB of memory
- **Everybody else:** a 14-inch laptop with 16 GB of memory
"""


def write_company(commit: Callable[..., object]) -> None:
    """Notes the commits of a history; `commit` is that of `tests.fakes`."""

    def made(day: str, author: str, message: str, files: dict[str, str | None]) -> None:
        at = int(datetime.fromisoformat(f"{day}T09:00").replace(tzinfo=UTC).timestamp())
        commit(files, message, at=at, author=author)

    scoring, leave = "handbook/sales/scoring.md", "handbook/people/time-off.md"
    made(
        "2024-01-08",
        ANA,
        "Write the handbook down (#1)",
        {
            "CODEOWNERS": OWNERS,
            scoring: SCORING.format(threshold=20, invite=5),
            leave: LEAVE.format(more=PARENTAL.replace("16", "12")),
            "handbook/expenses.md": EXPENSES,
        },
    )
    made("2024-03-05", CLEO, "Give parents 16 weeks (#14)", {leave: LEAVE.format(more=PARENTAL)})
    made("2024-05-03", BEN, "Raise the trial threshold (#31)", {scoring: SCORING.format(threshold=25, invite=5)})
    tidy = SCORING.format(threshold="**25**", invite=5)
    made("2024-06-10", ANA, "Make the threshold bold (#40)", {scoring: tidy})
    made("2024-07-16", BEN, "Raise it again, too many trials (#52)", {scoring: tidy.replace("25", "31")})
    invites = SCORING.format(threshold="**31**", invite=8)
    made("2024-08-20", ANA, "Invites are worth more", {scoring: invites})
    no_meals = EXPENSES.replace("## Meals\n\nOn trips we pay up to €45 a day for meals, without receipts.\n\n", "")
    made("2024-09-02", CLEO, "Meals go through the card now (#60)", {"handbook/expenses.md": no_meals})
