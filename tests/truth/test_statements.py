"""Reading the SQL of tools: what the inspection asks of single statements."""

import pytest

from envfactory_dagster.authoring.trials.statements import demands, reach
from envfactory_dagster.truth.inspection.lookups import parsed


@pytest.mark.parametrize("name", ["on", "from", "not", "between", "by", "clock"])
def test_a_placeholder_may_be_called_by_any_word(name: str) -> None:
    sql = f"UPDATE orders SET status = :status WHERE code = :{name}"
    assert demands(sql) == {("orders", "code")}
    assert reach(sql).binds
    found = f"SELECT id FROM orders WHERE (:{name} IS NULL OR :{name} BETWEEN opened AND closed) AND code = :code"
    assert demands(found) == {("orders", "code")}


def test_what_cannot_be_read_says_nothing() -> None:
    assert demands("SELECT FROM WHERE (((") == frozenset()
    assert parsed("SELECT FROM WHERE (((").expressions == []
