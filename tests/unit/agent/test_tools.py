"""The registry of tools: one a file, and a file dropped in is a tool."""

import importlib
import sys
from pathlib import Path

import pytest

from assistant.agent import tools
from assistant.agent.evidence import Arguments
from assistant.agent.tools import discover

DROPPED = """
from assistant.agent.evidence import Arguments, Tool, ToolResult


class Nothing(Arguments):
    pass


TOOL = Tool("dropped_in", "A tool that a test dropped in.", Nothing, lambda arguments, context: ToolResult(1))
"""


def test_every_tool_is_named_like_its_file_and_says_what_it_takes() -> None:
    for name, tool in discover(tools).items():
        assert importlib.import_module(f"assistant.agent.tools.{name}").TOOL is tool
        assert issubclass(tool.arguments, Arguments)
        assert tool.description.endswith(".")
        schema = tool.arguments.model_json_schema()
        assert all(field.get("description") for field in schema["properties"].values()), name


def test_the_tools_of_this_issue_are_there() -> None:
    assert set(discover(tools)) == {
        *("commit_impact", "outline", "owners", "recent_changes"),
        *("search_sections", "section_as_of", "section_history"),
        *("conversations_search", "decisions_of_commit", "decisions_search", "why_path"),
    }


def test_dropping_a_file_in_adds_a_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "made_tools"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "dropped_in.py").write_text(DROPPED)
    monkeypatch.syspath_prepend(tmp_path)
    assert list(discover(importlib.import_module("made_tools"))) == ["dropped_in"]
    for name in [name for name in sys.modules if name.startswith("made_tools")]:
        monkeypatch.delitem(sys.modules, name)
