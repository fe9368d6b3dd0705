"""`envfactory build`, the jobs behind it, and what `list` and `show` tell of it."""

import json
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from tests.commands.terminal import ENVFACTORY, PATIENCE_S, Said, Terminal, said
from tests.language.played_endpoint import PlayedEndpoint, says
from tests.support.held_model import HeldModel
from tests.support.model import library_model, model_variables, served

pytestmark = pytest.mark.long

LINE = [
    "theme", "mined_data", "task_set", "database_schema", "seed_rows", "tool_spec", "server_code", "environment",
    "reference_solutions", "verifiers", "inspection", "tool_graph",
    "graph_tasks", "program_tasks", "task_families", "conversations", "release",
]  # fmt: skip


def keys_of(terminal: Terminal) -> list[str]:
    return terminal.store().partitions("proposal")


@contextmanager
def held_after(answers: int) -> Iterator[tuple[HeldModel, dict[str, str]]]:
    """A model that stops after so many answers, and the settings of whoever asks it."""
    held = HeldModel(library_model(), answers)
    with served(held) as url:
        yield held, model_variables(url)


def test_every_environment_is_a_bundle_that_opens(built: Terminal) -> None:
    listed = built.factory("list", "--json").json()["environments"]
    assert [one["key"] for one in listed] == keys_of(built)
    for one in listed:
        assert one["status"] == "accepted"
        bundle = Bundle.read(Path(one["folder"]))
        assert bundle.version.startswith(one["version"])
        assert one["counts"]["tools"] == len(bundle.tools)
        assert one["counts"]["released"] == len(bundle.tasks) == len(bundle.verifiers)
        assert 5 <= one["counts"]["verified"] <= one["counts"]["tasks"] == 10


def test_show_tells_how_it_was_made(built: Terminal) -> None:
    key = keys_of(built)[0]
    stages = built.factory("show", key, "--json").json()["stages"]
    assert [stage["stage"] for stage in stages] == ["proposal", "source_document", *LINE]
    assert {stage["status"] for stage in stages} == {"ok"}
    costs = {stage["stage"]: (stage["calls"] > 0, stage["cost"]) for stage in stages}
    free = {"proposal", "source_document", "mined_data", "environment", "release"}
    assert costs == {stage: (False, "") if stage in free else (True, "$0.00") for stage in costs}
    schema = built.factory("show", key, "--stage", "database_schema", "--json").json()
    assert schema["artifact"]["tables"]
    assert "CREATE TABLE" in built.factory("show", key, "--stage", "database_schema").out


def test_a_second_time_costs_nothing(built: Terminal) -> None:
    before = built.paid()
    assert built.factory("build").out.startswith("Nothing is unfinished.")
    again = built.factory("build", "--all", "--json")
    assert {one["status"] for one in again.json()["environments"]} == {"accepted"}
    assert built.paid() == before


def test_killed_in_the_middle_then_run_by_two_at_once(fresh: Terminal, built: Terminal) -> None:
    """Nothing is lost and nothing is paid twice."""
    key, before = keys_of(fresh)[0], fresh.paid()
    with held_after(3) as (held, models):
        first = fresh.start(*ENVFACTORY, "build", key, **models)
        assert held.holds.wait(PATIENCE_S)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        assert (fresh.paid() - before).total() == 3
        held.let_go()
        both = [fresh.start(*ENVFACTORY, "build", key, "--json", **models) for _ in range(2)]
        for done in map(said, both):
            assert done.status == 0, done.err
            assert {one["status"] for one in done.json()["environments"]} == {"accepted"}
    assert fresh.paid() == paid_for(built, key)
    assert versions(fresh)[key] == versions(built)[key]


def test_ctrl_c_leaves_what_is_finished(fresh: Terminal, built: Terminal) -> None:
    key, before = keys_of(fresh)[0], fresh.paid()
    with held_after(3) as (held, models):
        first = fresh.start(*ENVFACTORY, "build", key, **models)
        assert held.holds.wait(PATIENCE_S)
        first.send_signal(signal.SIGINT)
        held.let_go()
        ended = said(first)
        assert ended.status == 130
        assert "Stopped. What was finished is kept" in ended.err
        assert "Traceback" not in ended.err
        assert 3 <= (fresh.paid() - before).total() < (paid_for(built, key) - before).total()
        assert fresh.factory("build", key, **models).status == 0
    assert fresh.paid() == paid_for(built, key)


def paid_for(terminal: Terminal, key: str) -> Counter[tuple[str, str, str]]:
    """What was paid for one environment, or for none in particular."""
    return Counter({what: number for what, number in terminal.paid().items() if what[1] in (key, "")})


def versions(terminal: Terminal) -> dict[str, str]:
    listed = terminal.factory("list", "--json").json()["environments"]
    return {one["key"]: one["version"] for one in listed}


def test_a_tagged_job_makes_the_same(fresh: Terminal, built: Terminal) -> None:
    key = keys_of(fresh)[1]
    command = [ENVFACTORY[0], "-m", "dagster", "job", "execute", "-m", "envfactory_dagster.definitions"]
    tags = json.dumps({"dagster/partition": key})
    home = str(fresh.home / "dagster")
    done = said(fresh.start(*command, "-j", "build_environments", "--tags", tags, DAGSTER_HOME=home))
    assert done.status == 0, done.err
    assert versions(fresh) == {keys_of(fresh)[0]: "", key: versions(built)[key]}


def test_what_was_rejected_is_shown_with_its_reason(fresh: Terminal) -> None:
    with served(PlayedEndpoint(always=says("I'm sorry, but I can't help with that request.")).app()) as url:
        refusing = model_variables(url)
        done = fresh.factory("build", **refusing)
        assert done.status == 1, "nothing was accepted"
        key = keys_of(fresh)[0]
        assert (
            f"- {key}: theme was not accepted after 1 attempt; answer: 5 answers in a row could not be used" in done.out
        )
        assert "`envfactory build --again KEY` asks for what was rejected once more" in done.out
        shown = fresh.factory("show", key, "--json").json()["stages"]
        assert Counter(stage["status"] for stage in shown) == {"ok": 2, "rejected": 1, "skipped": 16}
        theme = fresh.factory("show", key, "--stage", "theme").out
        assert theme.count("an answer that could not be used: ") == 4

        asked = fresh.paid()
        assert fresh.factory("build", key, **refusing).status == 1
        assert fresh.paid() == asked, "a rejection is repeated for nothing"
        again = fresh.factory("build", "--again", key, **refusing)
        assert f"- {key}: theme was not accepted" in again.out
        assert fresh.paid() - asked == Counter({("theme", key, "theme"): 5})


def test_a_spent_budget_stops_the_run_at_once_and_a_raised_one_goes_on(fresh: Terminal, built: Terminal) -> None:
    key, budget = keys_of(fresh)[0], 160_000
    before = fresh.tokens()
    done = fresh.factory("build", key, ENVFACTORY_BUDGET_TOKENS=str(budget))
    assert done.status == 1
    assert f"tokens were spent of {budget} tokens" in done.err
    assert "To go on, raise ENVFACTORY_BUDGET_USD or ENVFACTORY_BUDGET_TOKENS" in done.err
    assert "Trying again" not in done.err and "Traceback" not in done.err
    assert 0 < fresh.tokens() - before <= budget
    made = [stage for stage in LINE if fresh.store().head(stage, key)]
    assert "server_code" in made and "inspection" not in made
    halfway = fresh.paid()

    again = fresh.factory("build", key, ENVFACTORY_BUDGET_TOKENS="100000000")
    assert again.status == 0, again.err
    assert f"+ {key}: " in again.out
    assert halfway < fresh.paid() == paid_for(built, key)
    assert set(fresh.outcomes()) == set(built.outcomes())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["build", "no-such-key"], "There is no environment 'no-such-key'"),
        (["build", "--all", "no-such-key"], "There is no environment 'no-such-key'"),
        (["build", "--again"], "Name environments to be asked for again, or give --rejected"),
        (["build", "--again", "no-such-key"], "There is no environment 'no-such-key'"),
        (["build", "--rejected"], "--rejected goes with --again"),
        (["build", "--all", "--again"], "Give --all or --again, not both"),
        (["show", "no-such-key"], "Nothing is known of 'no-such-key'"),
        (["show", "no,key"], "is no key of an environment"),
        (["show", "no-such-key", "--stage", "no_stage"], "There is no stage 'no_stage'"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(
    type_here: Callable[..., Said], tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = type_here(tmp_path, *arguments)
    assert done.status == 2
    assert sentence in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", [["expand", "--count", "1"], ["build"], ["ui"], ["demo"]])
def test_a_home_that_cannot_be_written_is_named(type_here: Callable[..., Said], command: list[str]) -> None:
    done = type_here("/sys/envfactory", *command)
    assert done.status == 2
    assert done.err.startswith("envfactory: /sys/envfactory")
    assert "set ENVFACTORY_HOME to a folder or URL you may write to" in done.err
