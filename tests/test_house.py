"""The rules of the house: who may import whom, who may import what, and how fast the front door opens."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "envfactory_dagster"
FLOORS = [
    {"contracts"},
    {"store", "runtime"},
    {"language", "sources"},
    {"examples", "catalogue", "library"},
    {"loading"},
    {"authoring"},
    {"truth"},
    {"rollouts"},
    {"tasks"},
    {"datasets"},
    {"arena", "exchange", "measuring", "viewing"},
    {"api"},
    {"resources", "assets", "sensors", "partitions", "jobs"},
    {"definitions", "cli", "commands"},
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
MAY_IMPORT_DAGSTER = {"assets", "sensors", "resources", "definitions", "partitions", "jobs", "cli", "commands"}
HEAVY = {"dagster", "torch", "trl", "transformers", "sentence_transformers"}
PRIVATE_IN_DAGSTER = re.compile(r"dagster\w*\.(.+\.)?_|dagster_shared\b")
"""Also `dagster_shared`, which only Dagster's own packages are meant to import."""
DAGSTER_INTERNALS = PACKAGE / "resources" / "dagster_internals"
EXAMPLES = PACKAGE / "examples"
NOT_OURS = (PACKAGE / "library" / "worlds", PACKAGE / "library" / "workspaces", PACKAGE / "exchange" / "templates")
MODULES = sorted(
    p
    for p in PACKAGE.rglob("*.py")
    if not any(p.is_relative_to(folder) for folder in NOT_OURS)
    and (p.parent == EXAMPLES or not p.is_relative_to(EXAMPLES))
)
"""All modules. The code in example bundles and library worlds is theirs; templates run where none of ours is there."""


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path, *, at_import_time: bool = False) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    nodes = tree.body if at_import_time else list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    here = room_of(path)
    if here == "__init__":
        return
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "envfactory_dagster" or len(parts) < 2 or parts[1] == here:
            continue
        assert parts[1] in FLOOR_OF, f"{path} imports {name}, which is no room"
        same_floor_above_the_ground = FLOOR_OF[parts[1]] == FLOOR_OF[here] >= FLOOR_OF["resources"]
        assert FLOOR_OF[parts[1]] < FLOOR_OF[here] or same_floor_above_the_ground, f"{path} imports {name} from above"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_packages_stay_where_they_belong(path: Path) -> None:
    tops = {name.split(".")[0] for name in imports(path, at_import_time=True)} & HEAVY
    assert tops <= ({"dagster"} if room_of(path) in MAY_IMPORT_DAGSTER else set())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_private_names_of_dagster_stand_in_one_module(path: Path) -> None:
    private = {name for name in imports(path) if PRIVATE_IN_DAGSTER.match(name)}
    if any(name.split(".")[0].startswith("dagster") for name in imports(path)):
        private |= private_attributes(path)
    assert not private or path.is_relative_to(DAGSTER_INTERNALS), private


def private_attributes(path: Path) -> set[str]:
    """Names with an underscore that are used of something and defined nowhere in the module."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
    stored = [node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    used |= {node.attr for node in stored if not _is_self(node.value)}
    defined = {node.attr for node in stored if _is_self(node.value)}
    defined |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    defined |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    return {name for name in used - defined if name.startswith("_") and not name.endswith("__")}


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def test_private_names_of_dagster_are_overridden_in_one_module() -> None:
    rooms = [path for path in MODULES if room_of(path) in MAY_IMPORT_DAGSTER and room_of(path) != "commands"]
    for path in rooms:
        if path.is_relative_to(DAGSTER_INTERNALS):
            continue
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        module = importlib.import_module(name)
        for ours in vars(module).values():
            if isinstance(ours, type) and ours.__module__ == name:
                bases = [base for base in ours.__mro__ if base.__module__.startswith("dagster")]
                theirs = {one for base in bases for one in vars(base) if one.startswith("_") and not one.endswith("__")}
                overridden = (theirs & set(vars(ours))) - {"_abc_impl"}
                assert not overridden, f"{name}.{ours.__name__} overrides {overridden}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_databases_are_made_in_workers(path: Path) -> None:
    """Of schemas that a model wrote. The examples are written by hand."""
    makers = {
        f"envfactory_dagster.runtime.images.{name}" for name in ("build_image", "with_rows_given", "refused_rows")
    }
    makers |= {f"envfactory_dagster.runtime.file_images.{name}" for name in ("layout_of", "build_files")}
    makers.add("envfactory_dagster.runtime.file_tables.files_of_rows")
    assert makers.isdisjoint(imports(path)) or path.parent == EXAMPLES


PARSERS = {
    "contracts/text_bounds.py": "measures what it parses",
    "runtime/check_screen.py": "stands in every judge.py, and is given sources that were measured",
}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_python_of_others_is_parsed_in_one_place(path: Path) -> None:
    """Where it is measured first. The templates are run elsewhere."""
    name = str(path.relative_to(PACKAGE))
    text = path.read_text()
    assert name in PARSERS or "templates/" in name or ("ast.parse(" not in text and "sqlglot.parse(" not in text)


def test_the_built_in_judge_and_tester_know_nothing_but_contracts() -> None:
    for name in ("inspector", "judge", "embedder"):
        path = PACKAGE / "language" / "built_in" / f"{name}.py"
        ours = {one for one in imports(path) if one.startswith("envfactory_dagster.")}
        assert all(one.startswith("envfactory_dagster.contracts") for one in ours), path


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_says_what_belongs_in_it(path: Path) -> None:
    text = path.read_text()
    assert not text.strip() or ast.get_docstring(ast.parse(text)), f"{path} has no docstring"


def test_the_definitions_import_without_anything_heavy() -> None:
    unwanted = sorted(HEAVY - {"dagster"} | {"sqlglot", "polars", "duckdb", "openai", "mcp", "sqlalchemy"})
    check = f"import sys, envfactory_dagster.definitions; print(sorted(set(sys.modules) & set({unwanted})))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
