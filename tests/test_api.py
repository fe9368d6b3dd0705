"""What programs import stays put, opens at once, and says what is wrong with what it is given."""

import subprocess
import sys
from pathlib import Path

import pytest

import envfactory_dagster
from envfactory_dagster import Bundle, Runtime, export, load_bundle, verify
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.truth.execution import run_solution

HUTS, TASK = "alpine_huts", "call_it_off"


def test_the_package_opens_without_what_it_offers() -> None:
    check = "import sys, envfactory_dagster; print([m for m in sys.modules if m.startswith('envfactory_dagster.')])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert set(envfactory_dagster.__all__) <= set(dir(envfactory_dagster))
    assert all(callable(getattr(envfactory_dagster, name)) for name in envfactory_dagster.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        envfactory_dagster.nothing  # noqa: B018


async def test_what_a_solution_did_is_verified_as_right_and_nothing_as_wrong(runtime: Runtime) -> None:
    bundle = load_bundle(HUTS)
    task = next(task for task in bundle.tasks if task.id == TASK)
    run = await run_solution(runtime, bundle, task, bundle.solutions[TASK], bundle.answer_form(TASK))
    assert run.report is not None and {call.principal for call in run.calls} == {"assistant"}
    report = run.report.model_dump(mode="json")
    calls = [(call.tool, call.arguments) for call in run.calls]
    assert (await verify(bundle, TASK, calls, report, runtime=runtime)).score == 1.0
    nothing = await verify(bundle, TASK, [], report, runtime=runtime)
    assert nothing.score < 1.0 and nothing.reasons


async def test_what_makes_no_sense_is_refused_by_name(runtime: Runtime, tmp_path: Path) -> None:
    bundle = load_bundle(HUTS)
    task = next(iter(bundle.verifiers))
    with pytest.raises(UsageError, match="has no task 'nowhere' with a verifier; these have one: "):
        await verify(bundle, "nowhere", [], {}, runtime=runtime)
    with pytest.raises(UsageError, match="That is no report"):
        await verify(bundle, task, [], {"outcome": "perhaps"}, runtime=runtime)
    with pytest.raises(UsageError, match="There is no form 'gymnasium'"):
        export(bundle, "gymnasium", tmp_path / "out")
    with pytest.raises(UsageError, match="There is no environment 'nowhere'"):
        load_bundle("nowhere")


def test_an_exported_folder_is_written(tmp_path: Path) -> None:
    bundle: Bundle = load_bundle(HUTS)
    assert export(bundle, "trl", tmp_path / "out").folder == tmp_path / "out"
    assert (tmp_path / "out" / "environment.py").is_file()
