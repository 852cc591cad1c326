"""The file that settles who is who: YAML or JSON, a list of people or an object with one under `people`."""

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from assistant.errors import UserFacing
from assistant.model.conversations import Identity
from assistant.text.people import SETTLED, name_key

Names = list[str] | str | None


class Row(BaseModel):
    """One person; fields that are not named here (role, teams, …) are nobody's name."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)
    name: str = Field(min_length=1)
    slack_id: Names = None
    display_name: Names = None
    email: Names = None
    emails: Names = None
    github: Names = None
    gitlab: Names = None
    jira: Names = None
    zoom: Names = None
    teams_id: Names = None
    initials: Names = None
    aliases: Names = None
    other_names: Names = None


ROWS = TypeAdapter(list[Row])


def read_people(file: Path | None) -> tuple[list[Identity], dict[str, str]]:
    """The identities, and full names by initials; nothing without a file.

    Raises UserFacing naming the entry that is no person, before anything is done.
    """
    if file is None:
        return [], {}
    try:
        told: Any = yaml.safe_load(file.read_text(encoding="utf-8-sig"))  # JSON is YAML
        rows = ROWS.validate_python(told.get("people") if isinstance(told, dict) else told)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UserFacing(f"{file} cannot be read as YAML or JSON: {one_line(error)}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "people"
        raise UserFacing(f"{file}: {place}: {first['msg']}; each person needs a name at least") from error
    return [one for row in rows for one in identities(row)], {
        short: row.name for row in rows for short in several(row.initials)
    }


def identities(row: Row) -> list[Identity]:
    """A person as identities of one source: one for each e-mail and other name, all with the same id."""
    own = {"slack": row.slack_id, "github": row.github, "gitlab": row.gitlab, "jira": row.jira, "zoom": row.zoom}
    handles = [f"{source}:{handle}" for source, given in own.items() for handle in several(given)]
    bare = [handle for given in (row.github, row.gitlab, row.display_name) for handle in several(given)]
    handles += [f"teams:{handle}" for handle in several(row.teams_id)]
    key = name_key(row.name)
    emails = [*several(row.email), *several(row.emails)]
    first = Identity(SETTLED, row.name, key, emails[0] if emails else None, tuple(dict.fromkeys([*handles, *bare])))
    more = [Identity(SETTLED, row.name, key, email) for email in emails[1:]]
    return [first, *more, *(Identity(SETTLED, n, key) for n in [*several(row.aliases), *several(row.other_names)])]


def several(value: Names) -> list[str]:
    """One name or a list of them as a list, without @ before handles."""
    return [one.removeprefix("@") for one in (value if isinstance(value, list) else [value]) if one]


def one_line(error: Exception) -> str:
    """What an error says, without line breaks."""
    return " ".join(str(error).split())
