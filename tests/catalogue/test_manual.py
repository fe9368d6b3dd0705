"""The manual and the head of `catalog.sql` tell the truth."""

import re
from importlib import resources
from pathlib import Path

import duckdb
import pytest

from envfactory_dagster import catalogue as package
from envfactory_dagster.catalogue.opening import Catalogue
from envfactory_dagster.catalogue.shipped import queries
from envfactory_dagster.store.home import Home

MANUAL = (Path(__file__).parents[2] / "docs" / "guides" / "catalog.md").read_text()
ROWS = [
    [cell.strip(" `") for cell in line.strip("|").split("|")] for line in MANUAL.splitlines() if line.startswith("|")
]
EXAMPLES = {cells[0]: cells[2] for cells in ROWS if re.match("SELECT|FROM", cells[2])}


def test_every_view_has_an_example(catalogue: Catalogue) -> None:
    assert EXAMPLES.keys() == catalogue.views().keys()


@pytest.mark.parametrize("view", EXAMPLES)
def test_examples_can_be_asked(catalogue: Catalogue, view: str) -> None:
    assert re.search(rf"FROM {view}\b", EXAMPLES[view])
    assert catalogue.ask(EXAMPLES[view]).columns


def test_every_shipped_question_is_in_the_manual() -> None:
    assert {cells[0] for cells in ROWS if cells[0] in queries()} == queries().keys()


def test_the_views_work_in_duckdb_alone(home: Home) -> None:
    sql = resources.files(package).joinpath("catalog.sql").read_text()
    places = re.findall(r"^--\s+(SET VARIABLE \w+ = '.*?';)", sql, re.MULTILINE)
    assert len(places) == 2
    with duckdb.connect() as connection:
        for place in places:
            connection.execute(place.replace(".envfactory", str(home.root)))
        connection.execute(sql)
        assert connection.execute("SELECT count(*) FROM environments").fetchall() == [(3,)]
        assert connection.execute("SELECT count(*) > 0 FROM costs").fetchall() == [(True,)]
