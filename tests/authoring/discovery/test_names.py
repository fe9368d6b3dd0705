"""Names and keys: markup goes, length is bounded, no two themes get one key."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.authoring.discovery.names import BadName, cleaned, key_for, known_category
from envfactory_dagster.contracts.base import SLUG_PATTERN
from envfactory_dagster.contracts.requests import ThemeProposal


def proposal(name: str, description: str = "A ferry.") -> ThemeProposal:
    return ThemeProposal(
        name=name, category="Travel", description=description, entities=["trip", "trip", "<b>deck</b>"]
    )


def test_markup_and_repetition_are_cleaned_away() -> None:
    found = cleaned(proposal("<b>Island</b>   **ferry** &amp; `kiosk`", "# About\nIt <script>sails</script>."))
    assert found.name == "Island ferry & kiosk"
    assert found.description == "About It sails ."
    assert found.entities == ["trip", "deck"]


@pytest.mark.parametrize("name", ["x" * 10_000, "<b></b>**", "!!!", "42"])
def test_what_is_no_name_is_refused_with_a_reason(name: str) -> None:
    with pytest.raises(BadName, match=r"characters|no name"):
        cleaned(proposal(name))


def test_letters_of_other_alphabets_keep_their_sound() -> None:
    assert key_for("Skarvøy straße", lambda key: False) == "skarvoy-strasse"


def test_keys_have_no_commas_and_collisions_get_a_number() -> None:
    taken = {"wigs-masks-and-hats"}
    assert key_for("Wigs, masks, and hats!", taken.__contains__) == "wigs-masks-and-hats-2"


@given(st.text(min_size=1, max_size=300), st.sets(st.text(), max_size=3))
def test_a_key_is_always_a_slug_that_nobody_has(name: str, others: set[str]) -> None:
    taken = {key_for(other, lambda _: False) for other in others} | {key_for(name, lambda _: False)}
    key = key_for(name, taken.__contains__)
    assert re.fullmatch(SLUG_PATTERN, key) and len(key) <= 64
    assert key not in taken


def test_a_category_keeps_the_spelling_it_is_known_by() -> None:
    assert known_category("pets & VETERINARY", ["Pets and veterinary"]) == "Pets and veterinary"
    assert known_category("Opera", ["Pets and veterinary"]) == "Opera"
