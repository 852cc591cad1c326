"""What GitHub's webhooks say. Pure: by the body alone, since no header but its signature is signed."""

from collections.abc import Mapping
from typing import Any

from connectors.base.discussions import first, inner
from connectors.base.forges import Discussed, Pushed, branch_of, number_in, repository_in

KINDS = {"pull_request": "pulls", "discussion": "discussions", "issue": "issues"}


def told(value: Mapping[str, Any]) -> Pushed | Discussed | None:
    """What an event is about; None for a ping and all that is not for us.

    A comment on a pull request comes as one on an issue. Raises ValueError where something is missing.
    """
    repository = inner(dict(value), "repository")
    about = next((name for name in KINDS if name in value), None)
    if about is not None:
        number = number_in(inner(dict(value), about), "number")
        kind = "pulls" if inner(dict(value), about).get("pull_request") else KINDS[about]
        gone = value.get("action") == "deleted" and not any(name in value for name in ("comment", "review"))
        return Discussed(repository_in(repository.get("full_name")), kind, number, gone)
    if "commits" not in value or "ref" not in value:
        return None
    branch = branch_of(value["ref"])
    if branch is None or value.get("deleted"):
        return None
    return Pushed(repository_in(repository.get("full_name")), branch, first(repository, "default_branch"))
