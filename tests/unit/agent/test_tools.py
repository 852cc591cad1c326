"""The tools: one a file, each named like it, each saying what it takes."""

import importlib
import pkgutil

from assistant.agent import tools
from assistant.agent.evidence import Arguments

FILES = sorted(module.name for module in pkgutil.iter_modules(tools.__path__))


def test_every_tool_is_named_like_its_file_and_says_what_it_takes() -> None:
    assert FILES
    for name in FILES:
        tool = importlib.import_module(f"{tools.__name__}.{name}").TOOL
        assert tool.name == name
        assert issubclass(tool.arguments, Arguments)
        assert tool.description.endswith(".")
        schema = tool.arguments.model_json_schema()
        assert all(field.get("description") for field in schema["properties"].values()), name
