"""Every capability module, in several themes: everything it wrote builds, runs, and is reached by sound tasks."""

import pytest

from envfactory_dagster.language.embedded.modules import all_modules
from tests.language.embedded.check import check_module


def test_rule_ids_and_ask_names_are_unique_among_all_modules():
    rules = [rule.id for module in all_modules().values() for rule in module.rules]
    asks = [ask.name for module in all_modules().values() for ask in module.asks]
    assert len(rules) == len(set(rules))
    assert len(asks) == len(set(asks))


@pytest.mark.parametrize("name", sorted(all_modules()))
async def test_module_is_sound(name: str):
    assert await check_module(name, variants=2) == []
