"""The path part of a reward: what counts as the same call, what may change places, and how far a path was followed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster import examples
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.facts.analysis import analyze_tools
from envfactory_dagster.truth.paths import PathRules, excess, path_match, path_rules

READS, FREE, WRITES = ("read_a", "read_b"), ("look_x", "look_y"), ("write_m", "write_n")
RULES = PathRules(frozenset(READS + FREE), frozenset(FREE))


def call(tool: str, outcome: str = "ok", **arguments: Json) -> TracedStep:
    return TracedStep.model_validate({"tool": tool, "arguments": arguments, "outcome": outcome})


calls = st.builds(
    lambda tool, number, outcome: call(tool, outcome, n=number),
    st.sampled_from(READS + FREE + WRITES),
    st.integers(0, 2),
    st.sampled_from(["ok", "ok", "ok", "agent"]),
)
paths = st.lists(calls, max_size=12)
gold_paths = paths.filter(lambda path: any(step.outcome == "ok" for step in path))


@given(gold_paths, paths)
def test_a_match_is_a_share(gold: list[TracedStep], made: list[TracedStep]) -> None:
    assert 0.0 <= path_match(gold, made, RULES) <= 1.0
    assert 0.0 <= excess(gold, made) < 1.0


@given(gold_paths)
def test_the_reference_solution_follows_itself(gold: list[TracedStep]) -> None:
    assert path_match(gold, gold, RULES) == 1.0
    assert path_match(gold, [], RULES) == 0.0
    assert excess(gold, gold) == 0.0


@given(gold_paths, paths, calls)
def test_a_further_call_never_undoes_a_match_and_is_never_free_of_length(
    gold: list[TracedStep], made: list[TracedStep], more: TracedStep
) -> None:
    assert path_match(gold, [*made, more], RULES) >= path_match(gold, made, RULES)
    assert excess(gold, [*made, more]) >= excess(gold, made)


@given(gold_paths, st.data())
def test_reads_side_by_side_may_change_places(gold: list[TracedStep], data: st.DataObject) -> None:
    segments: list[list[TracedStep]] = [[]]
    for step in gold:
        if step.tool in WRITES:
            segments += [[step], []]
        else:
            segments[-1].append(step)
    shuffled = [step for segment in segments for step in data.draw(st.permutations(segment))]
    assert path_match(gold, shuffled, RULES) == 1.0
    assert path_match(shuffled, gold, RULES) == 1.0


@given(gold_paths, st.data())
def test_free_reads_may_happen_at_any_time(gold: list[TracedStep], data: st.DataObject) -> None:
    moved = [step for step in gold if step.tool not in FREE]
    for step in gold:
        if step.tool in FREE:
            moved.insert(data.draw(st.integers(0, len(moved))), step)
    assert path_match(gold, moved, RULES) == 1.0


def test_writes_keep_their_order_and_a_read_its_side_of_the_write_it_depends_on() -> None:
    gold = [call("write_m"), call("read_a"), call("write_n")]
    assert path_match(gold, [call("write_n"), call("read_a"), call("write_m")], RULES) == pytest.approx(1 / 3)
    assert path_match(gold, [call("read_a"), call("write_m"), call("write_n")], RULES) == pytest.approx(2 / 3)


def test_failed_calls_match_nothing() -> None:
    assert path_match([call("write_m", n=1)], [call("write_m", "agent", n=1)], RULES) == 0.0


def test_arguments_count_unless_they_are_masked() -> None:
    gold, other = [call("read_a", name="x", limit=5)], [call("read_a", name="x", limit=50)]
    assert path_match(gold, other, RULES) == 0.0
    masked = PathRules(RULES.read_only, masked={"read_a": frozenset({"limit"})})
    assert path_match(gold, other, masked) == 1.0
    assert path_match(gold, [call("read_a", name="y", limit=5)], masked) == 0.0


def test_the_same_arguments_may_be_written_differently() -> None:
    gold = [call("write_m", n=2, note=None, sizes=[1, 2.0])]
    assert path_match(gold, [call("write_m", sizes=[1.0, 2], n=2.0)], RULES) == 1.0
    assert path_match(gold, [call("write_m", sizes=[2, 1], n=2)], RULES) == 0.0


def test_numbers_too_large_for_the_database_are_compared_all_the_same() -> None:
    assert path_match([call("read_a", n=1)], [call("read_a", n=10**30)], RULES) == 0.0


def test_a_path_without_calls_is_no_path() -> None:
    with pytest.raises(ValueError, match="no path"):
        path_match([call("read_a", "agent")], [], RULES)


def test_which_reads_are_free_is_read_off_the_tools() -> None:
    huts = examples.load("alpine_huts")
    rules = path_rules(
        huts.tools, analyze_tools(huts.tools_source, huts.schema_sql), [call("cancel_meal_order"), call("get_weather")]
    )
    assert "get_weather" in rules.free
    assert "get_booking" in rules.read_only - rules.free
    assert "cancel_meal_order" not in rules.read_only
