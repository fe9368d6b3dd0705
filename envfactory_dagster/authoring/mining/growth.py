"""Growth: what was mined becomes richer, a round at a time, and nothing of it is lost.

Belongs here: what is asked for in a round, and whether it came. Does not: finding it (`miner`).
"""

from collections.abc import Sequence

from envfactory_dagster.authoring.loop import Authored, Question, author
from envfactory_dagster.authoring.mining.miner import Miner, collections_shown, documents_shown
from envfactory_dagster.contracts.mining import Collection
from envfactory_dagster.contracts.mining_requests import ComplexifyAnswer, ComplexifyContext
from envfactory_dagster.contracts.records import Problem

INSTRUCTIONS = """\
The collections are the data of the service that `theme` describes, mined from `documents`. They are to become richer,
so that tasks over them need more steps: more to tell apart, more to connect, more exceptions. Say what is to be added,
in one to `most` `operations`, the most useful first:
- `do`: `add_records` (things of a kind there is), `add_field` (a further fact about them), `add_collection` (a kind of
  thing that is missing), `add_relation` (a reference between two collections: a new field, or a collection that links
  them), `add_history` (what happened before: a collection of dated events), `add_edge_cases` (records at the border of
  a rule of the theme).
- `collection`: the one that grows; for a new one the name that it gets, snake_case and plural.
- `what`: one sentence: what is added, and in which document it may be found.
Ask for nothing that the documents hardly hold, and nothing that is there already. Nothing is changed or taken away.
"""

NEW = ("add_collection", "add_history")
MOST_OPERATIONS = 4
RECORDS_SHOWN = 8
ATTEMPTS = 3


async def wishes_for(miner: Miner, collections: Sequence[Collection], number: int) -> Authored[ComplexifyAnswer]:
    """What the author wants added in this round."""
    context = ComplexifyContext(
        theme=miner.theme,
        documents=documents_shown(miner.shelf),
        collections=collections_shown(collections, RECORDS_SHOWN),
        round=number,
        most=MOST_OPERATIONS,
    )
    names = {one.name for one in collections}

    async def gate(answer: ComplexifyAnswer) -> list[Problem]:
        if not 1 <= len(answer.operations) <= MOST_OPERATIONS:
            return [_problem(f"There are {len(answer.operations)} operations; give 1 to {MOST_OPERATIONS}.")]
        problems = []
        for one in answer.operations:
            if one.do in NEW and one.collection in names:
                problems.append(_problem(f"{one.collection} is there already; {one.do} makes a new one."))
            if one.do not in (*NEW, "add_relation") and one.collection not in names:
                problems.append(_problem(f"There is no collection {one.collection} that could grow by {one.do}."))
        return problems

    question = Question("complexify", ComplexifyAnswer, INSTRUCTIONS, context)
    return await author(miner.gateway, miner.caller, question, gate, attempts=ATTEMPTS)


def _problem(message: str) -> Problem:
    return Problem(fault="answer", message=message)
