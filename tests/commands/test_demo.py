"""`envfactory demo`, all that `make demo` runs: from nothing to environments, one of them shown, and the way on."""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from envfactory_dagster import examples
from envfactory_dagster.commands.showing import choose, show
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.truth.reports import OUTCOME_OF
from tests.commands.terminal import Terminal, said

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
ENVFACTORY = str(Path(sys.executable).with_name("envfactory"))
"""As it was installed: what is printed names it so."""


def test_make_demo_runs_the_command() -> None:
    recipe = re.search(r"^demo:.*\n\t(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None and recipe[1] == "ENVFACTORY_SIZE=small $(BIN)/envfactory demo"


def no_form_tells_the_outcome(bundles: Sequence[Bundle]) -> None:
    """Guessing the outcome of a task from its answer form alone is no better than always guessing the commonest one,
    and what is refused asks for the same types of answers as what can be done."""
    tasks = [(OUTCOME_OF[task.kind], bundle.answer_forms[task.id]) for bundle in bundles for task in bundle.tasks]
    outcomes = Counter(outcome for outcome, _ in tasks)
    assert outcomes.keys() >= {"done", "refused"}
    by_form: dict[bool, Counter[str]] = {}
    for outcome, form in tasks:
        by_form.setdefault(bool(form.fields), Counter())[outcome] += 1
    assert by_form.keys() == {True, False}, "some tasks ask to be told something, and some do not"
    guessed = sum(max(counted.values()) for counted in by_form.values())
    assert guessed == max(outcomes.values())

    types = {
        outcome: {field.type for one, form in tasks if one == outcome for field in form.fields} for outcome in outcomes
    }
    assert types["refused"] and types["refused"] <= types["done"]


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

    bundles = {bundle.theme.name: bundle for bundle in (Bundle.read(Path(folder)) for folder in lies.values())}
    shown = re.search(r"^One of these worlds: (.+)$", done.out, re.M)
    assert shown is not None
    world = bundles[shown[1]]
    told, _, way_on = done.out.partition("What to do next:\n")
    tells_the_story(told, world)

    next_steps = dict(line.strip().split(": ", 1) for line in way_on.splitlines())
    assert len(next_steps) <= 7
    assert next_steps["serve it over REST and MCP"] == f"{ENVFACTORY} serve {world.key}"
    assert next_steps["watch it being made in the browser"] == f"{ENVFACTORY} ui"
    for page in ("models", "exchange", "training"):
        assert f"docs/guides/{page}.md" in next_steps.values() and (ROOT / f"docs/guides/{page}.md").is_file()
    followed = said(terminal.start(*shlex.split(next_steps["see how it was made"])))
    assert followed.status == 0 and followed.out, followed.err

    quiet = terminal.factory("demo", "--json", "--count", "1").json()
    assert [one["key"] for one in quiet["environments"]] == list(lies)[:1], "JSON and nothing else"


def test_what_is_shown_of_a_world(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    chosen = choose([examples.load("alpine_huts")])
    assert chosen is not None
    huts, task = chosen
    assert task.id == "call_it_off", "the one that changes something and asks for a number"
    show(huts, task)
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 100

    tells_the_story(told, huts)
    for said_there in (
        'list_bookings(status="confirmed", first_day="2027-02-05", last_day="2027-02-07")',
        '→ companions: 3, among them person_id=4, full_name="Marek Novotný"',  # whom the next call removes
        "money_back: 43500 (435.00 EUR)",
        "A wrong end: the same report, but remove_companion was left out. Score 0.75 - goal not reached: marek is no",
        "money_back is reported as 43600 (436.00 EUR). Score 0.75 - goal not reached: says what comes back",
    ):
        assert said_there in as_one_line(told)


def test_a_refusal_is_shown_with_its_rule(capsys: pytest.CaptureFixture[str]) -> None:
    huts = examples.load("alpine_huts")
    show(huts, next(task for task in huts.tasks if task.id == "nephew_alone"))
    told = as_one_line(capsys.readouterr().out)
    assert "Rows changed: none" in told
    assert "outcome: refused, because of minors_with_guardian" in told
    assert "age_to_go_alone is reported as 19. Score 0" in told


def tells_the_story(told: str, world: Bundle) -> None:
    """The rules, a task in its own words, its right end, and wrong ends with a lower score and the reason."""
    story = as_one_line(told)
    assert all(as_one_line(rule.text) in story for rule in world.theme.rules)
    assert any(as_one_line(task.text) in story for task in world.tasks)
    assert "The verdict: score 1 + goal" in story
    wrong = re.findall(r"A wrong end: .+? Score ([\d.]+) - (?:goal not reached|guard broken): \w+", story)
    assert wrong and all(float(score) < 1 for score in wrong)


def as_one_line(text: str) -> str:
    return " ".join(text.split())
