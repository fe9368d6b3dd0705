"""One and many, of nouns that look like another kind."""

import pytest

from envfactory_dagster.language.nouns import plural, singular
from envfactory_dagster.library.collection import Library

TABLES = {
    table["name"].replace("_", " ")
    for key in Library().cards
    for table in Library().world(key).parts["database_schema", "whole"]["tables"]
}


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("bus", "buses"),
        ("house", "houses"),
        ("virus", "viruses"),
        ("cause", "causes"),
        ("lens", "lenses"),
        ("lease", "leases"),
        ("box", "boxes"),
        ("prize", "prizes"),
        ("class", "classes"),
        ("branch", "branches"),
        ("policy", "policies"),
        ("leave", "leaves"),
        ("pharmacy shelf", "pharmacy shelves"),
        ("series", "series"),
    ],
)
def test_endings_do_not_mislead(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one


def test_of_something_that_belongs_to_another_the_first_word_is_one_or_many() -> None:
    assert singular("calls for proposals") == "call for proposals"
    assert singular("kinds of work") == "kind of work"


def test_every_table_of_the_library_is_found_again_from_one_of_its_rows() -> None:
    assert {table: plural(singular(table)) for table in TABLES} == {table: table for table in TABLES}
