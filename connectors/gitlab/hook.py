"""What GitLab's webhooks say, of a project, a group or the whole server. Pure."""

from collections.abc import Mapping
from typing import Any

from connectors.base.discussions import first, inner
from connectors.base.forges import Discussed, Pushed, branch_of, number_in, repository_in

KINDS = {"issue": "issues", "work_item": "issues", "merge_request": "merge_requests"}
GONE = "0" * 40
"""The commit that a deleted branch is at."""


def told(value: Mapping[str, Any]) -> Pushed | Discussed | None:
    """What an event is about; None for all that is not for us. Raises ValueError where something is missing."""
    event = first(dict(value), "object_kind", "event_name")
    project = inner(dict(value), "project")
    if event == "push":
        branch = branch_of(value.get("ref"))
        if branch is None or value.get("after") == GONE:
            return None
        return Pushed(repository_in(project.get("path_with_namespace")), branch, first(project, "default_branch"))
    if event == "note":
        kind = next((name for name in KINDS if inner(dict(value), name)), None)
        about = inner(dict(value), kind) if kind else {}
    else:
        kind, about = event, inner(dict(value), "object_attributes")
    if kind not in KINDS:
        return None
    return Discussed(repository_in(project.get("path_with_namespace")), KINDS[kind], number_in(about, "iid"))
