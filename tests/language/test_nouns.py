"""One and many: of the nouns of many trades and of the library's tables, and of some that look like another kind."""

import pytest

from envfactory_dagster.language.nouns import plural, singular
from envfactory_dagster.library.collection import Library
from tests.support.proposer import inventions

NOUNS = sorted({thing for world in inventions() for thing in world["entities"]})
ITALIAN = "ponterosso-traduzioni-sworn-translators-cooperative-in-trieste"
"""A world whose tables are not named in English."""
TABLES = sorted(
    {
        table["name"].replace("_", " ")
        for key in Library().cards
        if key != ITALIAN
        for table in Library().world(key).parts["database_schema", "whole"]["tables"]
    }
)


def test_every_noun_is_found_again_from_its_plural() -> None:
    assert len(NOUNS) > 200
    assert {noun: singular(plural(noun)) for noun in NOUNS if singular(plural(noun)) != noun} == {}


def test_one_stays_one() -> None:
    assert [noun for noun in NOUNS if singular(noun) != noun] == []


def test_tables_are_found_again_from_one_row_of_them() -> None:
    odd = {table: plural(singular(table)) for table in TABLES if plural(singular(table)) != table}
    assert odd == {"equipment": "pieces of equipment"}


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
        ("equipment", "pieces of equipment"),
    ],
)
def test_endings_do_not_mislead(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one


def test_of_something_that_belongs_to_another_the_first_word_is_one_or_many() -> None:
    assert singular("calls for proposals") == "call for proposals"
    assert singular("kinds of work") == "kind of work"
