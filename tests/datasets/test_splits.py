"""Environments in their splits: for good, by environment and by what their tools do."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.dataset import SplitLedger
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.datasets.splits import TRAINING, Shares, place, plan

EVEN = Shares(sft=0.2, rl=0.2, arena=0.2, held_out=0.2, held_out_modules=0.2)
Environments = dict[str, dict[str, str]]


@st.composite
def worlds(draw: st.DrawFn) -> Environments:
    """Environments put together from modules of tools, some with tools of their own, all with one in common."""
    modules = {m: [f"body-{m}-{n}" for n in range(draw(st.integers(1, 5)))] for m in range(draw(st.integers(1, 6)))}
    found: Environments = {}
    for number in range(draw(st.integers(0, 20))):
        chosen = draw(st.sets(st.sampled_from(sorted(modules)), max_size=3))
        bodies = ["body-profile", *(body for m in sorted(chosen) for body in modules[m])]
        bodies += [f"own-{number}-{n}" for n in range(draw(st.integers(0, 4)))]
        found[f"env-{number}"] = {f"tool_{place}": body for place, body in enumerate(bodies)}
    return found


shares = st.sampled_from([EVEN, Shares(), Shares(sft=0.2, rl=0.2, arena=0.0, held_out=0.0, held_out_modules=0.6)])


def placed(ledger: SplitLedger) -> dict[str, str]:
    return {one.environment: one.split for one in ledger.placed}


@settings(max_examples=50, deadline=None)
@given(worlds(), shares, st.integers(0, 3))
def test_nothing_that_is_held_out_is_trained_on(environments: Environments, wanted: Shares, seed: int):
    planned = plan(environments, place(environments, SplitLedger(seed=seed), wanted))
    assert planned.barred == {}
    trained = {
        body for key, tools in environments.items() if planned.split_of[key] in TRAINING for body in tools.values()
    }
    for key, split in planned.split_of.items():
        if split == "held_out_modules":
            offered = environments[key].keys() - set(planned.withheld[key])
            assert not {environments[key][tool] for tool in offered} & trained
            assert len(offered) >= 3


@settings(max_examples=50, deadline=None)
@given(worlds(), shares, st.integers(0, 3), st.data())
def test_an_environment_never_changes_its_split(
    environments: Environments, wanted: Shares, seed: int, data: st.DataObject
):
    early = data.draw(st.sets(st.sampled_from(sorted(environments)))) if environments else set()
    before = place({key: environments[key] for key in early}, SplitLedger(seed=seed), wanted)
    after = place(environments, before, wanted)
    assert placed(after).items() >= placed(before).items()
    assert set(after.held_bodies) >= set(before.held_bodies)
    assert place(environments, after, wanted) == after
    assert plan(environments, after).barred == {}


@settings(max_examples=50, deadline=None)
@given(worlds(), st.integers(0, 3))
def test_equal_seeds_share_out_equally(environments: Environments, seed: int):
    backwards = dict(reversed(environments.items()))
    assert place(environments, SplitLedger(seed=seed), EVEN) == place(backwards, SplitLedger(seed=seed), EVEN)


def apart(number: int) -> Environments:
    """Environments that have nothing in common."""
    return {f"env-{n}": {f"tool_{t}": f"body-{n}-{t}" for t in range(4)} for n in range(number)}


def test_every_split_gets_its_share():
    counts = Counter(placed(place(apart(100), SplitLedger(seed=0), Shares())).values())
    assert counts == {"sft": 30, "rl": 30, "arena": 20, "held_out": 10, "held_out_modules": 10}


def test_the_first_environments_are_for_training_and_the_arena():
    counts = Counter(placed(place(apart(3), SplitLedger(seed=0), Shares())).values())
    assert counts == {"sft": 1, "rl": 1, "arena": 1}


def test_what_is_held_out_shares_no_tool_with_the_arena_whose_environments_are_trained_on_later():
    environments = apart(20)
    ledger = place(environments, SplitLedger(seed=0), Shares())
    [held, examined] = [
        next(key for key, split in placed(ledger).items() if split == wanted)
        for wanted in ("held_out_modules", "arena")
    ]
    environments[examined]["new"] = environments[held]["tool_0"]
    planned = plan(environments, ledger)
    assert planned.barred == {examined: ["new"]}


def test_a_module_is_held_out_with_every_environment_that_has_it():
    two = ["pay-1", "pay-2", "pay-3"]
    environments = {
        key: tools | {body: body for body in two} if key in ("env-4", "env-7") else tools
        for key, tools in apart(20).items()
    }
    split_of = placed(place(environments, SplitLedger(seed=0), Shares()))
    assert {key for key, split in split_of.items() if split == "held_out_modules"} == {"env-4", "env-7"}


def test_of_few_environments_none_is_held_out_by_its_modules():
    ledger = place(apart(10), SplitLedger(seed=0), Shares())
    assert ledger.held_bodies == [] and "held_out_modules" not in placed(ledger).values()


def test_who_comes_later_with_a_held_out_module_is_held_out_too():
    ledger = place(apart(20), SplitLedger(seed=0), Shares())
    [body, *_] = ledger.held_bodies
    later = apart(20) | {"late": {"pay": body, "rest": "body-rest"}}
    assert placed(place(later, ledger, Shares()))["late"] == "held_out_modules"


def test_a_training_environment_that_grows_a_held_out_tool_is_barred():
    environments = apart(20)
    ledger = place(environments, SplitLedger(seed=0), Shares())
    trained = next(key for key, split in placed(ledger).items() if split == "sft")
    environments[trained]["new"] = ledger.held_bodies[0]
    planned = plan(environments, ledger)
    assert planned.barred == {trained: ["new"]}
    assert planned.split_of[trained] == "sft"


def test_another_seed_shares_out_otherwise():
    assert placed(place(apart(20), SplitLedger(seed=0), Shares())) != placed(
        place(apart(20), SplitLedger(seed=1), Shares())
    )


def test_shares_have_to_come_to_one():
    with pytest.raises(UsageError, match="come to 1"):
        Shares(sft=0.9, rl=0.9)


# -- workspaces --------------------------------------------------------------------------------------------------------

PAIR = {"both": ["one", "two"]}
OF_PAIR: Environments = {
    "one": {"read": "one-1", "write": "one-2", "list": "one-3"},
    "two": {"read": "two-1", "write": "two-2", "list": "two-3"},
    "both": {f"{prefix}_{n}": f"{prefix}-{n}" for prefix in ("one", "two") for n in (1, 2, 3)},
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("shares", [EVEN, Shares(), Shares(0.4, 0.4, 0.0, 0.2, 0.0)])
def test_a_workspace_goes_where_its_environments_go(seed: int, shares: Shares):
    """On which side of the line between training and what is held out; whoever comes first decides."""
    for order in (["both", "one", "two"], ["one", "both", "two"], ["one", "two", "both"]):
        ledger, known = SplitLedger(seed=seed), dict[str, dict[str, str]]()
        for key in order:
            known[key] = OF_PAIR[key]
            ledger = place(known, ledger, shares, PAIR)
        planned = plan(known, ledger, PAIR)
        sides = {key: planned.split_of[key] in TRAINING for key in known if key not in planned.barred}
        assert len(set(sides.values())) == 1 or "both" not in sides


def test_a_workspace_with_a_part_that_is_held_out_is_not_trained_on():
    ledger = SplitLedger.model_validate(
        {
            "seed": 0,
            "placed": [{"environment": "one", "split": "held_out"}, {"environment": "two", "split": "rl"}],
            "held_bodies": [],
        }
    )
    after = place(OF_PAIR, ledger, EVEN, PAIR)
    assert placed(after)["both"] == "rl"
    planned = plan(OF_PAIR, after, PAIR)
    assert planned.barred == {"both": ["one_1", "one_2", "one_3"]}
