"""The documents tell the truth: their Python runs, their commands and settings exist, their links lead somewhere."""

import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import get_args

import dagster as dg
import pytest
import typer.core
import typer.main
import yaml

from envfactory_dagster.authoring.discovery.source_folders import FOLDERS, SUFFIXES
from envfactory_dagster.cli import app
from envfactory_dagster.definitions import defs
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.exchange.importing.forms import BUNDLE, READERS
from envfactory_dagster.jobs import JOBS
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.truth.rewards import Component

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "SECURITY.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
PROGRAMS = [
    pytest.param(block, id=f"{document.name}-{number}")
    for document in DOCUMENTS
    if document.exists()
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE))
    if "import " in block
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "environment" not in done.stdout, "a call failed"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*?)(#[^)]*)?\)", document.read_text()):
        if "://" in target:
            continue
        leads_to = document.parent / target if target else document
        assert leads_to.exists(), f"{document.name} links to {target}"
        assert not anchor or anchor[1:] in anchors(leads_to), f"{document.name} links to {target}{anchor}"


def anchors(document: Path) -> set[str]:
    """What its headings are called in links."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_list_of_documents_is_whole() -> None:
    index = ROOT / "docs" / "index.md"
    listed = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+\.md)\)", index.read_text())}
    assert listed >= set((ROOT / "docs").rglob("*.md")) - {index}


def names_in_table(page: str, heading: str) -> list[str]:
    """The names in the first column of the table that begins with this heading."""
    text = (ROOT / "docs" / page).read_text()
    table = text.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)


def test_tables_list_every_form_and_every_component_of_the_reward() -> None:
    assert sorted(names_in_table("guides/exchange.md", "`--to`")) == sorted(FORMS)
    assert sorted(names_in_table("guides/exchange.md", "`--from`")) == sorted([BUNDLE, *READERS])
    assert sorted(names_in_table("reference/truth.md", "component")) == sorted(get_args(Component))


def test_every_source_folder_is_listed_with_its_endings_and_an_example() -> None:
    text = (ROOT / "docs" / "guides" / "sources.md").read_text()
    listed = dict(re.findall(r"^  (\w+)/ +(\.\w+(?:, \.\w+)*)  ", text, re.MULTILINE))
    assert listed == {FOLDERS[kind]: ", ".join(SUFFIXES[kind]) for kind in FOLDERS}
    assert set(re.findall(r"^\| `(\w+)/", text, re.MULTILINE)) == set(FOLDERS.values())


def blocks(language: str) -> list[str]:
    fence = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [block for document in DOCUMENTS for block in fence.findall(document.read_text())]


def commands(program: str) -> list[list[str]]:
    """The arguments of every call of a program in the shell blocks."""
    calls = [call for block in blocks("sh") for line in re.split(r"\n(?=\S)", block) for call in calls_of(line)]
    return [words[1:] for words in calls if words[:1] == [program]]


def calls_of(line: str) -> list[list[str]]:
    """A line's commands in words, cut at `|`, `&&` and `>` that are not quoted."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&>")
    lexer.whitespace_split = True
    calls: list[list[str]] = [[]]
    for word in lexer:
        calls.append([]) if set(word) <= set("|&>") else calls[-1].append(word)
    return calls


@pytest.mark.parametrize("arguments", commands("envfactory"), ids=shlex.join)
def test_commands_take_what_they_are_shown_with(arguments: list[str]) -> None:
    command, name = typer.main.get_command(app), "envfactory"
    while isinstance(command, typer.core.TyperGroup):
        name, *arguments = arguments
        command = command.commands[name]
    assert command.make_context(name, list(arguments)).command is command


def test_make_targets_exist() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {call[0] for call in commands("make")} <= set(targets)


def test_settings_exist() -> None:
    known = "".join(path.read_text() for path in (ROOT / "envfactory_dagster").rglob("*.py"))
    known += "".join(f"ENVFACTORY_{role.upper()}_MODEL" for role in Role)
    for document in DOCUMENTS:
        for name in re.findall(r"ENVFACTORY_[A-Z_]*[A-Z]", document.read_text()):
            assert name in known, f"{document.name} tells of {name}"


DEFAULTS = re.findall(r"^\| `(ENVFACTORY_\w+)` \| (\d+) \|", "\n".join(map(Path.read_text, DOCUMENTS)), re.MULTILINE)


def test_there_are_settings_with_a_number_as_their_default() -> None:
    assert len(DEFAULTS) >= 4


@pytest.mark.parametrize(("name", "default"), DEFAULTS)
def test_who_sets_what_is_the_default_changes_nothing(name: str, default: str) -> None:
    unset = LanguageSettings.from_environment({})
    assert LanguageSettings.from_environment({name: default}) == unset
    assert LanguageSettings.from_environment({name: default + "1"}) != unset


def test_every_asset_and_every_job_is_told_of_and_every_edge_that_is_drawn_is_there() -> None:
    text = (ROOT / "docs" / "guides" / "assets.md").read_text()
    graph = defs.resolve_asset_graph()
    names = {key.to_user_string() for key in graph.get_all_asset_keys()}
    assert names | {job.name for job in JOBS} <= set(re.findall(r"`(\w+)`", text))
    drawn = [[side.split(", ") for side in line.split(" ─▸ ")] for line in text.splitlines() if " ─▸ " in line]
    assert names == {name for line in drawn for side in line for name in side}
    for upstream, downstream in (pair for line in drawn for pair in pairwise(line)):
        for name in downstream:
            parents = {key.to_user_string() for key in graph.get(dg.AssetKey(name)).parent_keys}
            assert set(upstream) <= parents, name


def test_jobs_exist() -> None:
    for call in commands("dagster"):
        assert call[:2] == ["job", "execute"]
        assert call[call.index("-m") + 1] == "envfactory_dagster.definitions"
        assert defs.resolve_job_def(call[call.index("-j") + 1])


def test_run_configurations_are_valid() -> None:
    everything = defs.resolve_implicit_global_asset_job_def()
    configurations = [yaml.safe_load(block) for block in blocks("yaml")]
    runs = [configuration for configuration in configurations if "ops" in configuration]
    assert runs
    for configuration in runs:
        dg.validate_run_config(everything, configuration)
