"""The rows that an author of code sees are of all tables that the code then touches."""

from pathlib import Path

import pytest

from envfactory_dagster.authoring.parts import batched
from envfactory_dagster.authoring.server_code import BATCH
from envfactory_dagster.authoring.touched import tables_of
from envfactory_dagster.contracts.database import DatabaseSchema
from envfactory_dagster.contracts.requests import ServerCodeAnswer, ToolSpecAnswer
from envfactory_dagster.runtime.facts import analyze_tools, load_schema
from tests.support.recorded_author import Recording, recordings


@pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name.removesuffix(".json.gz"))
def test_no_accepted_function_touches_a_table_that_its_author_would_not_see(path: Path) -> None:
    answers = Recording.read(path).answers
    schema = DatabaseSchema.model_validate(answers["database_schema"][""][-1]).sql()
    tools = ToolSpecAnswer.model_validate(answers["tool_spec"][""][-1]).tools
    for batch in batched(tools, BATCH):
        given = [answers["server_code"][tool.name][-1] for tool in batch]
        touched = set[str]()
        for function in ServerCodeAnswer.model_validate({"functions": given}).functions:
            fact = analyze_tools(function.source, schema).tools[function.name]
            touched |= {*fact.reads, *(write.table for write in fact.writes), *function.good_changes}
        assert touched <= tables_of(batch, load_schema(schema))


def test_tables_that_have_nothing_to_do_with_a_tool_are_not_among_them() -> None:
    answers = Recording.read(next(path for path in recordings() if "kestrel" in path.name)).answers
    schema = load_schema(DatabaseSchema.model_validate(answers["database_schema"][""][-1]).sql())
    tools = ToolSpecAnswer.model_validate(answers["tool_spec"][""][-1]).tools
    assert tools[-1].name == "withdraw_expense_claim"
    assert not {"swap_offers", "kit_types", "qualifications"} & tables_of(tools[-1:], schema)
