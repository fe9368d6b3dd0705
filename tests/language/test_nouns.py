"""One and many: of all nouns the embedded author knows, and of some that look like another kind."""

import pytest

from envfactory_dagster.language.embedded.blueprints import all_blueprints
from envfactory_dagster.language.embedded.modules import all_modules
from envfactory_dagster.language.embedded.text import Noun
from envfactory_dagster.language.nouns import plural, singular

_OF_MODULES = {words for module in all_modules().values() for defaults in module.roles.values() for words in defaults}
_OF_BLUEPRINTS = {words for one in all_blueprints() for uses in one.uses.values() for words in uses.values()}
NOUNS = [Noun.parse(words) for words in sorted(_OF_MODULES | _OF_BLUEPRINTS)]
_UNLIKE = {"foreman", "market news"}
"""Their plurals are written out, and no rule leads back from them."""


def test_every_noun_of_the_embedded_author_is_found_again_from_its_plural() -> None:
    wrong = {noun.many: singular(noun.many) for noun in NOUNS if singular(noun.many) != noun.one}
    assert wrong.keys() == {noun.many for noun in NOUNS if noun.one in _UNLIKE}


def test_one_stays_one() -> None:
    assert [noun.one for noun in NOUNS if singular(noun.one) != noun.one] == []


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
