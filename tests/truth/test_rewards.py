"""Rewards: the papers' formulas at their corners, and that nothing is ever earned by accident."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.trajectory import (
    CriterionJudgement,
    Judgement,
    OutcomeClass,
    RubricJudgement,
    Step,
    Tokens,
    Trajectory,
)
from envfactory_dagster.contracts.truth import ReferenceSolution, RowChange, Signal, TracedStep, Verdict
from envfactory_dagster.truth.format_rules import FORGIVING
from envfactory_dagster.truth.paths import PathRules
from envfactory_dagster.truth.rewards import (
    Component,
    EpisodeToReward,
    NoReward,
    RewardSettings,
    Schedule,
    Strategy,
    needs_judge,
    outcome_reward,
    reward,
    rubric_reward,
    weighted,
)
from envfactory_dagster.truth.verdicts import UNREAD
from tests.support.reports import form, report
from tests.support.tiny import DEFINITIONS
from tests.truth.episodes import episode, hands_in, says, step

BUY = Task(id="buy", text="Order item 2.", kind="action")
ASK = Task(id="ask", text="What does item 2 cost?", kind="information")
REFUSE = Task(id="refuse", text="Order 99999 of item 2.", kind="refusal", rule="stock")

DONE, TOLD = hands_in(report()), hands_in(report(price=12))
LOOK, ORDER = step("get_item", {"item_id": 2}), step("place_order", {"item_id": 2})
GOOD = Verdict(score=1.0, signals=[Signal(name="goal_done", value=True), Signal(name="guard_else", value=True)])
HALF = Verdict(score=0.5, signals=[Signal(name="goal_a", value=True), Signal(name="goal_b", value=False)])
BAD = Verdict(score=0.0, signals=[Signal(name="goal_done", value=False), Signal(name="guard_else", value=True)])
DAMAGE = Verdict(score=0.0, signals=[Signal(name="goal_done", value=True), Signal(name="guard_else", value=False)])
BROKEN = Verdict(
    score=0.0, signals=[Signal(name="goal_done", error="KeyError: 'id'")], reasons=["goal_done: KeyError."]
)
COMPLETED = Judgement(outcome="completed", reasoning="It did.")
PATH_AND_STATE = RewardSettings(weights={"path_and_state": 1.0}, gamma=Schedule(start=0.0))


def gold(*steps: Step, changes: bool) -> ReferenceSolution:
    calls = [
        TracedStep(tool=request.name, arguments=request.arguments, outcome=seen.outcome)
        for one in steps
        for request, seen in zip(one.calls, one.observations, strict=True)
        if isinstance(request.arguments, dict)
    ]
    row = RowChange(table="orders", key=[1], before=None, after={"id": 1})
    return ReferenceSolution(
        task="buy", source="…", report=report(), calls=calls, changes=[row] if changes else [], state_hash=""
    )


BUYING, ASKING = gold(LOOK, ORDER, changes=True), gold(LOOK, changes=False)


def known(
    task: Task,
    solution: ReferenceSolution,
    trajectory: Trajectory,
    *,
    same_state: bool = True,
    rules: Any = FORGIVING,
    **more: Any,
) -> EpisodeToReward:
    reads = frozenset({"list_items", "get_item"})
    form = RewardSettings(format_rules=rules).form(DEFINITIONS, trajectory.protocol)
    return EpisodeToReward(task, trajectory, solution, form, PathRules(reads), same_state, **more)


def earned(settings: RewardSettings, *given: Any, **more: Any) -> float:
    return reward(settings, known(*given, **more)).total


def every_strategy() -> list[RewardSettings]:
    by_outcome = [RewardSettings(strategy=strategy) for strategy in get_args(Strategy)]
    return by_outcome + [RewardSettings(weights={name: 1.0}) for name in get_args(Component) if name != "outcome"]


# -- never by accident -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", every_strategy(), ids=str)
@pytest.mark.parametrize(("task", "solution"), [(BUY, BUYING), (ASK, ASKING), (REFUSE, gold(changes=False))])
def test_who_does_nothing_earns_nothing_whatever_verifier_and_judge_say(
    settings: RewardSettings, task: Task, solution: ReferenceSolution
) -> None:
    met = RubricJudgement(criteria=[CriterionJudgement(criterion="c", met=True, reason="r")])
    nothing = known(task, solution, episode(says("")), verdict=GOOD, judgement=COMPLETED, rubric=met)
    found = reward(settings, nothing)
    assert found.total == 0.0
    assert found.reasons


@pytest.mark.parametrize("settings", [one for one in every_strategy() if not needs_judge(one)], ids=str)
def test_without_a_verdict_an_answer_earns_nothing(settings: RewardSettings) -> None:
    found = reward(settings, known(ASK, gold(changes=False), episode(TOLD)))
    assert found.total == 0.0
    assert found.reasons


@pytest.mark.parametrize("settings", [one for one in every_strategy() if needs_judge(one)], ids=str)
def test_what_a_judge_did_not_decide_is_not_worth_nothing(settings: RewardSettings) -> None:
    none = {"judgement": Judgement(outcome=None, problem="garbage"), "rubric": RubricJudgement(problem="garbage")}
    with pytest.raises(NoReward, match="garbage"):
        earned(settings, BUY, BUYING, episode(LOOK, ORDER, DONE), verdict=GOOD, **none)


@pytest.mark.parametrize("settings", every_strategy(), ids=str)
def test_who_was_asked_and_hands_in_no_report_earns_nothing(settings: RewardSettings) -> None:
    spoken = says("Ordered.").model_copy(update={"notice": "Now hand in your report."})
    met = RubricJudgement(criteria=[CriterionJudgement(criterion="c", met=True, reason="r")])
    asked = known(BUY, BUYING, episode(LOOK, ORDER, spoken), verdict=GOOD, judgement=COMPLETED, rubric=met)
    found = reward(settings, asked)
    assert (found.total, found.reasons) == (0.0, ["there is no report"])


@pytest.mark.parametrize("settings", every_strategy(), ids=str)
def test_text_of_who_was_never_asked_is_not_worth_nothing(settings: RewardSettings) -> None:
    with pytest.raises(NoReward, match="nobody has read"):
        earned(settings, BUY, BUYING, episode(LOOK, ORDER, says("Ordered.")), verdict=UNREAD)


@pytest.mark.parametrize("ending", ["limit", "stopped"])
def test_an_episode_that_did_not_come_to_its_end_earns_nothing(ending: str) -> None:
    assert earned(RewardSettings(), BUY, BUYING, episode(LOOK, ORDER, ending=ending), verdict=GOOD) == 0.0


@pytest.mark.parametrize("broken", [BROKEN, None, Verdict(score=1.0), Verdict(score=1.0, signals=GOOD.signals[1:])])
@pytest.mark.parametrize("strategy", ["code_only", "code_augmented"])
def test_a_verifier_in_doubt_pays_nothing(strategy: Strategy, broken: Verdict | None) -> None:
    part = outcome_reward(strategy, broken, COMPLETED)
    assert part.value == 0.0
    assert part.reason


@given(st.booleans(), st.sampled_from([GOOD, HALF, BAD, DAMAGE, BROKEN, None]), st.floats(0, 1), st.floats(0, 1))
def test_what_a_rule_forbids_pays_nothing_however_well_it_was_looked_up(
    looked: bool, verdict: Verdict | None, alpha: float, gamma: float
) -> None:
    done = episode(*[LOOK] * looked, ORDER, DONE)
    settings = RewardSettings(weights={"path_and_state": 1.0}, alpha=Schedule(start=alpha), gamma=Schedule(start=gamma))
    assert earned(settings, REFUSE, ASKING, done, same_state=False, verdict=verdict) <= 0.0


# -- the class of an episode (AWM) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("outcome", "value"), [("completed", 1), ("partially_completed", 0.1), ("agent_error", 0)])
def test_a_judge_alone_pays_by_class(outcome: OutcomeClass, value: float) -> None:
    assert outcome_reward("judge_only", None, Judgement(outcome=outcome, reasoning="So.")).value == value


def test_code_alone_pays_for_completion_only() -> None:
    assert [outcome_reward("code_only", verdict, COMPLETED).value for verdict in (GOOD, HALF, BAD, DAMAGE)] == [
        1,
        0,
        0,
        0,
    ]


def test_a_judge_with_code_may_overrule_a_goal_but_no_guard() -> None:
    assert outcome_reward("code_augmented", BAD, COMPLETED).value == 1.0
    assert outcome_reward("code_augmented", DAMAGE, COMPLETED).value == 0.0
    assert outcome_reward("code_augmented", GOOD, Judgement(outcome="agent_error", reasoning="No.")).value == 0.0


@pytest.mark.parametrize("strategy", ["judge_only", "code_augmented"])
def test_a_judge_without_an_outcome_gives_no_reward(strategy: Strategy) -> None:
    with pytest.raises(NoReward, match="not accepted"):
        outcome_reward(strategy, GOOD, Judgement(outcome=None, problem="not accepted"))


# -- step rewards (AWM) ------------------------------------------------------------------------------------------------


def test_the_outcome_reaches_every_step() -> None:
    found = reward(RewardSettings(), known(BUY, BUYING, episode(LOOK, ORDER, DONE), verdict=GOOD))
    assert (found.total, found.steps) == (1.0, [1.0, 1.0, 1.0])


def test_a_breach_of_form_costs_one_where_it_happens_and_ends_the_episode() -> None:
    done = episode(LOOK, step("teleport"), ORDER, DONE)
    found = reward(RewardSettings(), known(BUY, BUYING, done, verdict=GOOD, rules="all"))
    assert (found.total, found.steps) == (-1.0, [0.0, -1.0, 0.0, 0.0])
    assert "teleport" in found.reasons[0]


@pytest.mark.parametrize("wrong", [step("teleport"), step("get_item", {"item_id": "seven"}), step("get_item", '{"ite')])
def test_who_recovers_from_a_wrong_call_is_paid_unless_the_reward_says_otherwise(wrong: Any) -> None:
    assert earned(RewardSettings(), BUY, BUYING, episode(LOOK, wrong, ORDER, DONE), verdict=GOOD) == 1.0


def test_an_error_of_the_environment_costs_and_pays_nothing() -> None:
    failed = step("get_item", {"item_id": 2}, "environment", error="KeyError")
    found = reward(RewardSettings(), known(BUY, BUYING, episode(failed, ORDER, DONE), verdict=GOOD))
    assert (found.total, set(found.steps)) == (0.0, {0.0})


def test_a_refusal_without_calls_is_paid_in_full() -> None:
    refused = hands_in(report("refused", "Only what is in stock is sold.", "stock"))
    thought = episode(refused, protocol="meta_tools")
    assert earned(RewardSettings(), REFUSE, ASKING, thought, verdict=GOOD) == 1.0


def test_rules_of_form_can_be_chosen() -> None:
    done = episode(LOOK.model_copy(update={"tokens": Tokens(ids=[1, 2])}), ORDER, DONE)
    form = RewardSettings(format_rules={"native": ("reasoning",)}).form(DEFINITIONS, "native")
    strict = EpisodeToReward(BUY, done, BUYING, form, PathRules(frozenset()), True, verdict=GOOD)
    assert reward(RewardSettings(), strict).steps == [-1.0, 0.0, 0.0]


# -- path and state (EnvFactory) ---------------------------------------------------------------------------------------


def test_path_and_state_count_half_each() -> None:
    done, wrong_way = episode(LOOK, ORDER, DONE), episode(ORDER, DONE)
    assert earned(PATH_AND_STATE, BUY, BUYING, done) == 1.0
    assert earned(PATH_AND_STATE, BUY, BUYING, wrong_way) == pytest.approx(0.75)
    assert earned(PATH_AND_STATE, BUY, BUYING, episode(LOOK, DONE), same_state=False) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("handed_in", "verdict", "value"),
    [
        (report(count="three"), BAD, 1.0),
        (report(count=4), BAD, 0.5),
        (report(count=4), GOOD, 1.0),
        (report("impossible", count=3), BAD, 0.5),
        (report(count=3, message="It is 7."), BAD, 0.5),
    ],
)
def test_a_right_state_with_another_report_is_not_right_unless_the_checks_say_so(
    handed_in: Report, verdict: Verdict, value: float
) -> None:
    counting = BUYING.model_copy(update={"form": form(count="integer"), "report": report(count=3)})
    done = episode(LOOK, ORDER, hands_in(handed_in))
    assert earned(PATH_AND_STATE, BUY, counting, done, verdict=verdict) == value


def test_length_costs() -> None:
    settings = RewardSettings(weights={"path_and_state": 1.0}, gamma=Schedule(start=0.2))
    long = episode(LOOK, LOOK, LOOK, ORDER, DONE)
    assert earned(settings, BUY, BUYING, long) == pytest.approx(1.0 - 0.2 * 0.5)


def test_an_unchanged_database_shows_nothing_where_nothing_was_to_change() -> None:
    guessed = episode(step("list_items"), TOLD)
    assert earned(PATH_AND_STATE, ASK, ASKING, guessed, verdict=BAD) == 0.0
    assert earned(PATH_AND_STATE, ASK, ASKING, episode(LOOK, TOLD), verdict=GOOD) == 1.0


@given(st.floats(0, 1), st.floats(0, 1), st.lists(st.sampled_from([LOOK, ORDER]), max_size=8), st.booleans())
def test_path_and_state_stay_within_their_bounds_and_a_right_state_never_hurts(
    alpha: float, gamma: float, steps: list[Step], verified: bool
) -> None:
    settings = RewardSettings(weights={"path_and_state": 1.0}, alpha=Schedule(start=alpha), gamma=Schedule(start=gamma))
    done = episode(ORDER, *steps, DONE)
    values = [
        earned(settings, BUY, BUYING, done, same_state=same, verdict=GOOD if verified else BAD)
        for same in (False, True)
    ]
    assert -gamma <= values[0] <= values[1] <= 1.0


def test_the_weight_of_the_path_can_move_during_training() -> None:
    alpha = Schedule(start=1.0, end=0.2, steps=100)
    assert [alpha.at(step) for step in (-5, 0, 50, 100, 900)] == pytest.approx([1.0, 1.0, 0.6, 0.2, 0.2])
    settings = RewardSettings(weights={"path_and_state": 1.0}, alpha=alpha, gamma=Schedule(start=0.0))
    facts = known(BUY, BUYING, episode(ORDER, DONE))
    assert reward(settings, facts, 0).total == pytest.approx(0.5)
    assert reward(settings, facts, 100).total == pytest.approx(0.9)


# -- checklists, rubrics, and sums -------------------------------------------------------------------------------------


def test_a_checklist_pays_for_each_check_and_a_validator_for_all() -> None:
    done = (BUY, BUYING, episode(LOOK, ORDER, DONE))
    assert earned(RewardSettings(weights={"checks": 1.0}), *done, verdict=HALF) == 0.5
    assert earned(RewardSettings(weights={"validator": 1.0}), *done, verdict=HALF) == 0.0
    assert earned(RewardSettings(weights={"validator": 1.0}), *done, verdict=GOOD) == 1.0


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_a_rubric_pays_when_every_criterion_is_met(met: list[bool]) -> None:
    criteria = [CriterionJudgement(criterion=f"c{n}", met=one, reason="So.") for n, one in enumerate(met)]
    assert rubric_reward(RubricJudgement(criteria=criteria)).value == float(all(met))


def test_components_are_weighed() -> None:
    settings = RewardSettings(weights={"checks": 3.0, "validator": 1.0})
    found = reward(settings, known(BUY, BUYING, episode(LOOK, ORDER, DONE), verdict=HALF))
    assert found.components == {"checks": 0.5, "validator": 0.0}
    assert found.total == pytest.approx(0.375)
    assert [reason.partition(":")[0] for reason in found.reasons] == ["checks", "validator"]


NAMES: list[Component] = list(get_args(Component))


@given(st.dictionaries(st.sampled_from(NAMES), st.tuples(st.floats(0, 1), st.floats(0.01, 100)), min_size=1))
def test_a_weighted_mean_lies_between_its_parts(parts: dict[Component, tuple[float, float]]) -> None:
    values, weights = ({name: pair[i] for name, pair in parts.items()} for i in (0, 1))
    assert min(values.values()) - 1e-9 <= weighted(values, weights) <= max(values.values()) + 1e-9


@pytest.mark.parametrize(
    "settings",
    [
        {"weights": {}},
        {"weights": {"checks": -1.0}},
        {"weights": {"outcome": float("inf")}},
        {"weights": {"outcome": 1e308, "checks": 1e308}},
        {"weights": {"charm": 1.0}},
        {"alpha": 1.5},
        {"alpha": {"start": 0.5, "end": 0.1}},
        {"strategy": "vibes"},
        {"unknown": 1},
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RewardSettings.model_validate(settings)


@pytest.mark.parametrize("strategy", ["judge_only", "code_augmented"])
def test_a_strategy_without_the_component_that_it_decides_is_refused(strategy: str) -> None:
    with pytest.raises(ValidationError, match=f"`{strategy}` says how the component `outcome` is decided"):
        RewardSettings.model_validate({"strategy": strategy, "weights": {"checks": 1.0}})


def test_settings_may_be_written_briefly() -> None:
    settings = RewardSettings.model_validate({"alpha": 0.3, "gamma": {"start": 0.1, "end": 0.0, "steps": 10}})
    assert (settings.alpha.at(7), settings.gamma.at(10)) == (0.3, 0.0)
