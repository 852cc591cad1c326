"""What people of the pictured workspace said before the pictures were taken, as an export of it."""

import json
from datetime import UTC, datetime
from pathlib import Path

USERS = (
    ("U01ANA", "ana", "Ana Lindt"),
    ("U02BEN", "ben", "Ben Ode"),
    ("U03LENA", "lena.brandt", "Lena Brandt"),
)
SAID = (
    ("2026-06-30T09:00", "U02BEN", "How often may a team go for a team dinner on the company? There is only a limit."),
    ("2026-06-30T09:07", "U01ANA", "We go every other month, but I never asked."),
    ("2026-06-30T09:20", "U03LENA", "Let's settle it then: one team dinner a quarter, from July on."),
    ("2026-07-02T14:00", "U01ANA", "The €45 for meals on a trip don't get you far in Oslo. Could we say €55 a day?"),
    ("2026-07-02T14:12", "U03LENA", "Agreed: meals on a trip go from €45 to €55 a day. I'll change the page."),
)


def write_export(folder: Path) -> Path:
    """The export, in a folder."""
    (folder / "rules").mkdir(parents=True)
    users = [
        {"id": one, "team_id": "T01TEST", "name": name, "real_name": full, "profile": {"email": f"{name}@acme.example"}}
        for one, name, full in USERS
    ]
    (folder / "users.json").write_text(json.dumps(users))
    channel = {"id": "C01RULES", "name": "rules", "members": [one for one, *_ in USERS]}
    (folder / "channels.json").write_text(json.dumps([channel]))
    days: dict[str, list[dict[str, str]]] = {}
    for at, user, text in SAID:
        ts = f"{int(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp())}.000100"
        days.setdefault(at[:10], []).append({"type": "message", "user": user, "text": text, "ts": ts})
    for day, messages in days.items():
        (folder / "rules" / f"{day}.json").write_text(json.dumps(messages))
    return folder
