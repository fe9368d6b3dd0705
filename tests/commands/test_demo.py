"""`envfactory demo`, which is all that `make demo` runs: from nothing to environments, and the way on."""

import re
import shlex
import sys
from pathlib import Path

from envfactory_dagster.contracts.bundle import Bundle
from tests.commands.terminal import Terminal, said

ROOT = Path(__file__).parents[2]
ENVFACTORY = str(Path(sys.executable).with_name("envfactory"))
"""As it was installed: what is printed names it so."""


def test_make_demo_runs_the_command() -> None:
    recipe = re.search(r"^demo:.*\n\t(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None and recipe[1] == "$(BIN)/envfactory demo"


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

    told = done.out.partition("What to do next:\n")[2].splitlines()
    next_steps = dict(zip(map(str.strip, told[::2]), map(str.strip, told[1::2]), strict=False))
    assert next_steps["serve it to agents, over REST and MCP:"] == f"{ENVFACTORY} serve {made[0][0]}"
    assert next_steps["make more:"] == f"{ENVFACTORY} expand --count 5 && {ENVFACTORY} build"
    for step in ("call one of its tools:", "see how it was made:"):
        followed = said(terminal.start(*shlex.split(next_steps[step])))
        assert followed.status == 0 and followed.out, followed.err
