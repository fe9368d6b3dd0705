"""What a family has to stand before tasks are drawn from it.

Belongs here: what is wrong with its module and wordings before anything is run, and trying its instances. Does not:
the gates of one task (`gate`), and asking an author (`stage`).
"""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.texts import FEWEST_WORDS, MOST_WORDS
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.families import FamilyRecord, Proven, TaskFamily
from envfactory_dagster.contracts.records import Fault, Problem
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import Dropped
from envfactory_dagster.runtime.facts import screen_family
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.families.drawing import STAGE, DrawnTask, draw, with_states
from envfactory_dagster.tasks.families.gate import PROVEN_INSTANCES, prove
from envfactory_dagster.tasks.families.modules import statements_of
from envfactory_dagster.tasks.families.wordings import WordingProblem, slots

LEAST_ACCEPTED = 8
"""So many instances over all states have to stand the whole gate."""
LEAST_SHARE = 0.9
"""And so large a share of those that were tried: what fails when it is drawn is time lost."""
SEED = 0
KEPT = 3
"""Tasks of each family that are released with the environment."""
_ALIKE = 0.8
_PROBLEMS_SHOWN = 3
_NAME = re.compile(r"\b[A-Za-z]\w*_\w+\b")
_ROW_NUMBER = re.compile(r"\bids?\b\W{0,3}\d+", re.IGNORECASE)


# -- before anything is run --------------------------------------------------------------------------------------------


def problems_of_module(family: TaskFamily) -> list[Problem]:
    """Whether the code is of the form that families have, and the wordings can be filled."""
    problems = [
        Problem(fault="code", message=f"Line {found.line}: {found.sentence}", snippet=found.snippet)
        for found in screen_family(family.source)
    ]
    try:
        AnswerForm(fields=family.answer_form)
    except ValidationError as error:
        problems.append(_of("tasks", f"The answer form is none: {error.errors()[0]['msg']}."))
    try:
        asked = [frozenset(slots(wording)) for wording in family.wordings]
    except WordingProblem as problem:
        return [*problems, _of("tasks", str(problem))]
    if len(set(asked)) > 1:
        wording = next(w for w, found in zip(family.wordings, asked, strict=True) if found != asked[0])
        problems.append(
            _of("tasks", "All wordings say the same, so all have the same slots; this one has not.", wording)
        )
    if not asked[0]:
        problems.append(_of("tasks", "The wordings have no slots: it would be one task, again and again."))
    return problems


def problems_of_place(
    family: TaskFamily, rules: Sequence[str], others: Sequence[TaskFamily], texts_taken: Sequence[str]
) -> list[Problem]:
    """Whether the family fits the environment, and is another one than those there are."""
    problems = []
    if family.rule is not None and family.rule not in rules:
        problems.append(_of("tasks", f"There is no rule {family.rule!r}; there are: {', '.join(rules)}."))
    if (family.kind == "refusal") != (family.rule is not None):
        problems.append(_of("tasks", "A family of kind refusal names the rule it rests on, and no other does."))
    asked = statements_of(family.source)
    for other in others:
        if family.name == other.name:
            problems.append(_of("tasks", f"There is a family {other.name} already."))
        if asked and asked == statements_of(other.source):
            same = f"It draws by the same SELECT as {other.name}, so it is the same family: draw something else."
            problems.append(_of("tasks", same))
    for wording in family.wordings:
        if any(texts.alike(wording, taken) >= _ALIKE for taken in texts_taken):
            problems.append(_of("tasks", "This wording is almost that of a task there is.", wording))
    return problems


def problems_of_text(drawn: DrawnTask, trade: str) -> list[Problem]:
    """`trade`: the words of the world."""
    text = drawn.task.text
    plain = texts.unquoted(text)
    problems = [_of("tasks", sentence, text) for sentence in texts.out_of_place(text, trade)]
    if found := _NAME.search(plain):
        message = f"Nobody says {found.group()!r}: names of tools, tables or fields stay out."
        problems.append(_of("tasks", message, text))
    if found := _ROW_NUMBER.search(plain):
        problems.append(_of("tasks", f"Leave out {found.group()!r}: only the service knows the numbers of rows.", text))
    if not FEWEST_WORDS <= len(text.split()) <= MOST_WORDS:
        many = f"A text has {len(text.split())} words; say what is wanted in {FEWEST_WORDS} to {MOST_WORDS}."
        problems.append(_of("tasks", many, text))
    return problems


def _of(fault: Fault, message: str, snippet: str = "") -> Problem:
    return Problem(fault=fault, message=message, snippet=snippet)


# -- trying it ---------------------------------------------------------------------------------------------------------


@dataclass
class TriedFamily:
    """What came of trying a family."""

    made: list[MadeTask] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    """Why it is not accepted."""

    def record(self, family: TaskFamily) -> FamilyRecord:
        golds = [one.solution for one in self.made]
        proven = Proven(
            instances=len(golds),
            volatile=_together([gold.volatile for gold in golds]),
            relative=_together([gold.relative for gold in golds]),
        )
        levels = Counter(str(one.difficulty.level) for one in self.made)
        return FamilyRecord(
            family=family.model_copy(update={"proven": proven}),
            tried=len(self.made) + len(self.dropped),
            dropped=self.dropped,
            skeletons=len({skeleton(one) for one in self.made}),
            levels=dict(sorted(levels.items())),
        )

    def kept(self) -> list[MadeTask]:
        """A few: that with most calls, that with fewest, and those between, as far apart as they lie."""
        ordered = sorted(self.made, key=lambda one: -len(one.solution.calls))
        last = len(ordered) - 1
        places = [0, last, *(last * step // (KEPT - 1) for step in range(1, KEPT - 1))]
        return [ordered[place] for place in dict.fromkeys(places)]


def skeleton(made: MadeTask) -> tuple[str, ...]:
    """The tools that the solution calls, one after the other."""
    return tuple(call.tool for call in made.solution.calls)


async def try_family(
    runtime: Runtime, bundle: Bundle, family: TaskFamily, facts: ToolFacts, instances: int = PROVEN_INSTANCES
) -> TriedFamily:
    """Put instances of all states through the whole gate: a few at first, the others where these stood it."""
    tried = TriedFamily()
    try:
        drawn = await draw(runtime, bundle, family, SEED, instances)
    except EnvironmentFault as fault:
        tried.problems.append(_of("code", str(fault)))
        return tried
    if len(drawn.draws) < LEAST_ACCEPTED:
        again = " It draws the same again and again." if drawn.repeats else ""
        few = f"It draws {len(drawn.draws)} different instances over all states; {LEAST_ACCEPTED} are the least.{again}"
        tried.problems.append(_of("code", few))
        return tried
    found: list[Problem] = []
    for part in (drawn.draws[:LEAST_ACCEPTED], drawn.draws[LEAST_ACCEPTED:]):
        found += await _try_part(runtime, bundle, [one for one in part if isinstance(one, DrawnTask)], facts, tried)
        refused = [one for one in part if isinstance(one, Dropped)]
        tried.dropped += refused
        found += [_of("code", f"{one.task}: {one.reason}") for one in refused]
        if len(tried.dropped) > instances - math.ceil(LEAST_SHARE * instances):
            break
    share = len(tried.made) / (len(tried.made) + len(tried.dropped))
    if len(tried.made) < LEAST_ACCEPTED or share < LEAST_SHARE:
        all_of_them = len(tried.made) + len(tried.dropped)
        many = f"{len(tried.dropped)} of {all_of_them} instances did not stand the gate; the first of them:"
        tried.problems += [_of("tasks", many), *found[:_PROBLEMS_SHOWN]]
    return tried


async def _try_part(
    runtime: Runtime, bundle: Bundle, part: Sequence[DrawnTask], facts: ToolFacts, tried: TriedFamily
) -> list[Problem]:
    here, ready, refused = await with_states(runtime, bundle, part)
    tried.dropped += refused
    found = [_of("rows", f"{one.task}: {one.reason}") for one in refused]
    try:
        results = await asyncio.gather(*(_proved(runtime, here, one, facts) for one in ready))
    finally:
        if here is not bundle:
            runtime.retire(here)
    for drawn, result in zip(ready, results, strict=True):
        if isinstance(result, MadeTask):
            tried.made.append(result)
        else:
            tried.dropped.append(Dropped(task=drawn.task.id, reason=result[0].message, stage=STAGE))
            where = f"{drawn.task.id} ({drawn.task.text!r}, in the state {drawn.state})"
            found += [one.model_copy(update={"message": f"{where}: {one.message}"}) for one in result[:1]]
    return found


async def _proved(runtime: Runtime, bundle: Bundle, drawn: DrawnTask, facts: ToolFacts) -> MadeTask | list[Problem]:
    trade = texts.trade_of(bundle.theme, bundle.schema_sql)
    return problems_of_text(drawn, trade) or await prove(runtime, bundle, drawn, facts)


def _together(columns: Sequence[Mapping[str, list[str]]]) -> dict[str, list[str]]:
    tables = sorted({table for one in columns for table in one})
    return {table: sorted({name for one in columns for name in one.get(table, [])}) for table in tables}
