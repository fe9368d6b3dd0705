"""The gate of the task set, on the alpine huts: it takes theirs as it is, and names every defect."""

import re
from collections.abc import Callable
from typing import Any, get_args

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.task_set import INSTRUCTIONS, problems_of
from envfactory_dagster.contracts.domain import Task, TaskKind
from envfactory_dagster.contracts.records import Problem
from tests.support.alpine_author import STATES, huts

Spoil = Callable[[list[Task]], list[Task]]
LONG = " ".join(["Please"] * 201)
SETTINGS = AuthoringSettings(states=STATES)


def judged(tasks: list[Task]) -> list[Problem]:
    return problems_of(tasks, huts().theme, SETTINGS)


def changed(name: str, **changes: Any) -> Spoil:
    return lambda tasks: [task.model_copy(update=changes) if task.id == name else task for task in tasks]


def said(text: str) -> Spoil:
    return changed("call_it_off", text=text)


def every(kind: str, /, **changes: Any) -> Spoil:
    return lambda tasks: [task.model_copy(update=changes) if task.kind == kind else task for task in tasks]


def text_of(name: str) -> str:
    return next(task.text for task in huts().tasks if task.id == name)


DEFECTS: dict[str, tuple[Spoil, str]] = {
    "a task too few": (lambda tasks: tasks[1:], "10 tasks were asked for, there are 9"),
    "a task too many": (
        lambda tasks: [
            *tasks,
            tasks[0].model_copy(update={"id": "another", "text": "Tell me what I owe, and to whom."}),
        ],
        "10 tasks were asked for, there are 11",
    ),
    "a name twice": (changed("call_it_off", id="sister_joins"), "Two tasks have the id 'sister_joins'"),
    "no task that asks": (every("information", kind="action"), "No task asks for information"),
    "no task that must be refused": (every("refusal", kind="action", rule=None), "No task must be refused"),
    "no task that changes anything": (every("action", kind="information"), "No task changes"),
    "a state without tasks": (
        lambda tasks: [task.model_copy(update={"state": "initial"}) for task in tasks],
        "No task starts in the state 'winter'",
    ),
    "a state that is none": (changed("call_it_off", state="summer"), "call_it_off starts in 'summer'; the states are"),
    "a rule that is none": (
        changed("nephew_alone", rule="full_moon"),
        "nephew_alone rests on a rule 'full_moon'; the rules are: cancellation_window, ",
    ),
    "a kind that is made later": (changed("call_it_off", kind="unable"), "call_it_off is of kind 'unable'; the kinds"),
    "withheld tools": (changed("call_it_off", withheld=["get_hut"]), "call_it_off withholds tools"),
    "a password": (said("My password is wrong, so please cancel my stay."), "Leave out 'password': the person is"),
    "signing in": (said("Sign in for me and then cancel my next stay."), "Leave out 'Sign in'"),
    "a click": (said("Please click on my next stay and cancel it."), "Leave out 'click': there is no screen"),
    "a screen": (said("Please cancel the stay that is on my screen."), "Leave out 'on my screen': there is no screen"),
    "a page": (said("Please cancel the stay on the web page of the hut."), "Leave out 'web page'"),
    "five words": (said("Please cancel my next stay."), "has 5 words; say what is wanted in 6 to 200"),
    "two hundred words and one": (said(LONG), "has 201 words"),
    "the same again": (
        said(text_of("sister_joins") + " Thanks!"),
        "The tasks sister_joins and call_it_off are almost the same",
    ),
}


def test_the_huts_are_accepted() -> None:
    assert judged(huts().tasks) == []


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_named(defect: str) -> None:
    spoil, message = DEFECTS[defect]
    (problem,) = judged(spoil(list(huts().tasks)))
    assert problem.fault == "tasks"
    assert re.search(message, problem.message), problem.message


def test_one_report_names_everything_that_is_wrong() -> None:
    spoiled = every("information", kind="action")(said("Click here.")(list(huts().tasks)))
    assert [problem.message.split(":")[0] for problem in judged(spoiled)] == [
        "Task call_it_off",
        "Task call_it_off has 2 words; say what is wanted in 6 to 200.",
        "No task asks for information.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        'Please tell the warden of my next stay: "Click here" is what the sign on the door says.',
        "Please write into the hut's book that I sign up for the tour.",
        "Please cancel my next hut stay.",
        LONG.removesuffix(" Please"),
    ],
    ids=["a word in quotation marks", "signing up", "six words", "two hundred words"],
)
def test_what_is_just_right_is_accepted(text: str) -> None:
    assert judged(said(text)(list(huts().tasks))) == []


@pytest.mark.parametrize(("shared", "refused"), [(7, True), (6, False)])
def test_tasks_are_too_alike_when_they_share_seven_words_of_ten(shared: int, refused: bool) -> None:
    words = ["bunk", "meal", "trail", "guide", "rope", "map", "boot", "stove", "lamp", "warden"]
    one = changed("sister_joins", text=" ".join(words[:8]))
    other = said(" ".join([*words[:shared], *words[8:]]))
    alike = judged(other(one(list(huts().tasks))))
    assert any("almost the same" in problem.message for problem in alike) is refused


@pytest.mark.parametrize("name", [*get_args(TaskKind), *Task.model_fields])
def test_the_prompt_explains_all_that_an_answer_may_hold(name: str) -> None:
    assert f"`{name}`" in INSTRUCTIONS


def test_the_prompt_says_how_long_a_text_may_be() -> None:
    assert "6 to 200 words" in INSTRUCTIONS
    assert judged(said("word " * 201)(list(huts().tasks)))[0].message.endswith("say what is wanted in 6 to 200.")


def test_far_too_many_tasks_are_counted_and_not_compared_with_each_other() -> None:
    many = [huts().tasks[0].model_copy(update={"id": f"task_{n}", "text": "Go there. " * 8}) for n in range(5_000)]
    messages = [problem.message for problem in judged(many)]
    assert messages == ["10 tasks were asked for, there are 5000."]
