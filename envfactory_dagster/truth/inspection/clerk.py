"""The author as a careful clerk: which of the doubtful calls that the tools accept would the service take?

Belongs here: the one question about all of them, and what its answer finds. Does not: the calls (`doubtful`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.inspection import Finding
from envfactory_dagster.contracts.judge_requests import (
    ClerkReviewAnswer,
    ClerkReviewContext,
    DoubtfulCall,
    ReviewedCall,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import CommandShown
from envfactory_dagster.contracts.truth import RowChange
from envfactory_dagster.truth.execution import row_change
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.doubtful import Doubtful, accepted, still_accepted
from envfactory_dagster.truth.inspection.exploration import Exploration
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.shown_rows import shown

INSTRUCTIONS = """\
You wrote the service that `service` describes. `calls` were made by its tools for user 1 and went through. Each is a
little doubtful; `doubt` says why: a row is over, decided, or somebody else's. `clock` is the time of the call, `rows`
are the rows it is about and those they rest on, as they were before, `rows_of_the_person` the person and what joins
the person to them, such as a membership, and `changes` what it changed.

For every call: would a careful clerk at this service do this for the person?
- `fine`: yes, or it is a matter of taste. Many doubtful things are normal: to review a stay that is over, to pay an old
  bill, to answer somebody else's message, to correct a decided case where that is somebody's work.
- `refuse`: no. It goes against one of the `rules` or what the tool says of itself, or it makes no sense in the world:
  booking a day that is gone, cancelling what is done, acting for a stranger, relying on an expired licence.
  Say in `why` in one sentence what the tool has to check, so that its code can be mended.
When in doubt it is fine.
"""

SHOWN_CHANGES = 4


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A call that the tools accept, and a clerk would not."""

    call: Doubtful
    why: str

    @property
    def finding(self) -> Finding:
        """For the author of the code, like any other finding."""
        step = self.call.step
        return Finding(
            tool=step.tool,
            criterion="results",
            severity="fail",
            message=f"{step.tool}: it takes what a careful clerk would refuse. {self.why}",
            snippet=f"called with {step.arguments!r} in the state {self.call.state} at {self.call.clock}. "
            f"{self.call.doubt.why}",
        )


async def review(asking: Asking, inspected: Inspected, exploration: Exploration) -> list[RefusedCall]:
    """What a clerk would refuse of the doubtful calls. Nothing is asked where there are none, and nothing is held
    against a call on which no sound verdict was given."""
    calls = await accepted(inspected, exploration)
    if not calls:
        return []
    numbers, said = range(1, len(calls) + 1), dict[int, ReviewedCall]()

    async def gate(answer: ClerkReviewAnswer) -> list[Problem]:
        given = Counter(one.number for one in answer.calls)
        for one in answer.calls:
            if not any(_problems_of(one, given, numbers)):
                said[one.number] = one
        return [Problem(fault="answer", message=message) for message in _problems(answer, numbers)]

    await asking.until_accepted(
        Question("clerk_review", ClerkReviewAnswer, INSTRUCTIONS, _context(inspected, calls)), gate
    )
    return [RefusedCall(calls[one.number - 1], one.why) for _, one in sorted(said.items()) if one.verdict == "refuse"]


async def still_refused(inspected: Inspected, before: Sequence[RefusedCall]) -> list[RefusedCall]:
    """Those that go through on this code as well."""
    return [one for one in before if await still_accepted(inspected, one.call)]


def _problems(answer: ClerkReviewAnswer, numbers: range) -> Iterator[str]:
    given = Counter(one.number for one in answer.calls)
    yield from (f"There is no verdict on the call {number}." for number in numbers if number not in given)
    yield from dict.fromkeys(message for one in answer.calls for message in _problems_of(one, given, numbers))


def _problems_of(one: ReviewedCall, given: Mapping[int, int], numbers: range) -> Iterator[str]:
    if one.number not in numbers:
        yield f"There is no call {one.number}."
    elif given[one.number] > 1:
        yield f"There are two verdicts on the call {one.number}."
    elif one.verdict == "refuse" and not one.why.strip():
        yield f"Say why the call {one.number} is to be refused."


def _context(inspected: Inspected, calls: Sequence[Doubtful]) -> ClerkReviewContext:
    theme = inspected.bundle.theme
    return ClerkReviewContext(
        service=f"{theme.name}: {theme.description}",
        rules=theme.rules,
        tools=[
            CommandShown(name=name, description=inspected.tools[name].description)
            for name in dict.fromkeys(one.step.tool for one in calls)
        ],
        calls=[
            DoubtfulCall(
                number=number,
                doubt=one.doubt.why,
                clock=one.clock,
                tool=one.step.tool,
                arguments=one.step.arguments,
                rows=[shown(table, row) for table, row in one.rows],
                rows_of_the_person=[shown(table, row) for table, row in one.of_the_person],
                changes=[_shown(row_change(change)) for change in one.changes[:SHOWN_CHANGES]],
            )
            for number, one in enumerate(calls, 1)
        ],
    )


def _shown(change: RowChange) -> RowChange:
    """Of a changed row only the columns that differ, of a new one those that are filled: the rest says nothing."""
    before, after = change.before or {}, change.after or {}
    differ = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    parts = {"before": change.before, "after": change.after}
    shown = {when: row and {name: row[name] for name in differ} for when, row in parts.items()}
    return change.model_copy(update=shown)
