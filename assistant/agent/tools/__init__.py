"""The read-only tools, one a file: each module here has a `TOOL`, and dropping a file in adds one."""

import importlib
import pkgutil
from types import ModuleType
from typing import Any

from assistant.agent.evidence import Tool


def discover(package: ModuleType) -> dict[str, Tool[Any, Any]]:
    """The tools of a package by name, alphabetically; a module without a TOOL is a fault and raises AttributeError."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = [importlib.import_module(f"{package.__name__}.{name}").TOOL for name in names]
    return {tool.name: tool for tool in found}
