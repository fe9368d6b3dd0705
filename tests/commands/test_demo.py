"""`envfactory demo`, which is all that `make demo` runs: from nothing to environments, and the way on."""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.truth.reports import OUTCOME_OF
from tests.commands.terminal import Terminal, said

ROOT = Path(__file__).parents[2]
ENVFACTORY = str(Path(sys.executable).with_name("envfactory"))
"""As it was installed: what is printed names it so."""


def test_make_demo_runs_the_command() -> None:
    recipe = re.search(r"^demo:.*\n\t(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None and recipe[1] == "$(BIN)/envfactory demo"


def no_form_tells_the_outcome(bundles: Sequence[Bundle]) -> None:
    """Guessing the outcome of a task from its answer form alone is no better than always guessing the commonest one,
    and what is refused or impossible asks for the same types of answers as what can be done."""
    tasks = [(OUTCOME_OF[task.kind], bundle.answer_forms[task.id]) for bundle in bundles for task in bundle.tasks]
    outcomes = Counter(outcome for outcome, _ in tasks)
    assert outcomes.keys() == {"done", "refused", "impossible"}
    by_form: dict[bool, Counter[str]] = {}
    for outcome, form in tasks:
        by_form.setdefault(bool(form.fields), Counter())[outcome] += 1
    assert by_form.keys() == {True, False}, "some tasks ask to be told something, and some do not"
    guessed = sum(max(counted.values()) for counted in by_form.values())
    assert guessed == max(outcomes.values())

    types = {
        outcome: {field.type for one, form in tasks if one == outcome for field in form.fields} for outcome in outcomes
    }
    assert types["refused"] and types["impossible"]
    assert types["refused"] | types["impossible"] <= types["done"]


def test_from_nothing_to_three_environments_and_the_way_on(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    done = said(terminal.start(ENVFACTORY, "demo"))
    assert done.status == 0, done.err

    made = re.findall(r"^\+ (\S+): (\d+) tables, (\d+) rows, (\d+) tools, (\d+) tasks, (\d+) verified", done.out, re.M)
    lies = dict(re.findall(r"^(\S+) lies in (.+)$", done.out, re.M))
    assert len(made) == 3
    assert [key for key, *_ in made] == list(lies)
    assert sorted(lies) == sorted(terminal.store().partitions("environment"))
    for key, _, _, tools, _, verified in made:
        bundle = Bundle.read(Path(lies[key]))
        assert (bundle.key, len(bundle.tools)) == (key, int(tools))
        assert len(bundle.verifiers) >= int(verified) > 0

    no_form_tells_the_outcome([Bundle.read(Path(folder)) for folder in lies.values()])

    told = done.out.partition("What to do next:\n")[2].splitlines()
    next_steps = dict(zip(map(str.strip, told[::2]), map(str.strip, told[1::2]), strict=False))
    assert next_steps["serve it to agents, over REST and MCP:"] == f"{ENVFACTORY} serve {made[0][0]}"
    assert next_steps["make more:"] == f"{ENVFACTORY} expand --count 5 && {ENVFACTORY} build"
    for step in ("call one of its tools:", "see how it was made:"):
        followed = said(terminal.start(*shlex.split(next_steps[step])))
        assert followed.status == 0 and followed.out, followed.err
