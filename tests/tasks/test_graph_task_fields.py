"""What a task along the tool graph asks to be told, as fields of an answer: their names, types and units."""

from dataclasses import replace

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.tasks.graph_tasks.fields import AskedField, currency_of, fields_of
from envfactory_dagster.tasks.graph_tasks.steps import Item, Sign, Walked, WalkStep, WantedAnswer
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from tests.support.tiny import tiny


def the_field(huts: Bundle, shown: Json, path: str, field: str, value: Json, tool: str = "search_huts") -> AskedField:
    """The fields of a value that a hut is asked for, or that stands in no list."""
    item = Item(1, path, (Sign("name", "is", "Nebelhorn refuge"),)) if field else None
    telling = WantedAnswer(1, "value", path, field, item, value)
    walked = Walked((WalkStep(1, tool, {}, shown, False, shown),), (telling,))
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    [found] = fields_of(walked, huts, facts, ground)
    return found


@pytest.mark.parametrize(
    ("field", "value", "kind", "unit"),
    [
        ("price_cents", 4500, "money", "EUR"),
        ("opens_on", "2026-07-16", "date", ""),
        ("beds", 12, "integer", ""),
        ("rating", 4.5, "number", ""),
        ("altitude_m", 2100, "integer", "metres"),
        ("walk_minutes", 90, "duration", "minutes"),
        ("warden", "Ida Moser", "text", ""),
        ("heated", True, "yes_no", ""),
    ],
)
def test_a_value_gives_its_field_a_type(huts: Bundle, field: str, value: Json, kind: str, unit: str) -> None:
    shown: Json = {"huts": [{"hut_id": 3, "name": "Nebelhorn refuge", field: value}]}
    asked = the_field(huts, shown, "huts", field, value)
    assert (asked.field.type, asked.field.unit, asked.value) == (kind, unit, value)
    assert asked.field.name.startswith("hut_")
    assert "Nebelhorn refuge" in asked.field.description and "_" not in asked.field.description


def test_what_is_one_of_a_few_is_chosen_among_all_of_them_in_plain_words(huts: Bundle) -> None:
    column = "kind"
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    kinds = {str(row[column]) for row in ground.rows["huts"]}
    value = sorted(kinds)[0]
    shown: Json = {"huts": [{"hut_id": 3, "name": "Nebelhorn refuge", column: value}]}
    asked = the_field(huts, shown, "huts", column, value)
    assert asked.field.type == "choice"
    assert kinds <= {choice.replace(" ", "_") for choice in asked.field.choices} | set(asked.field.choices)


def test_a_moment_is_a_day_and_a_time(huts: Bundle) -> None:
    telling = WantedAnswer(1, "value", "booking.starts_at", "", None, "2026-07-16T09:30:00")
    shown: Json = {"booking": {"starts_at": telling.value}}
    walked = Walked((WalkStep(1, "search_huts", {}, shown, False, shown),), (telling,))
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    fields = fields_of(walked, huts, facts, ground)
    assert [(one.field.name, one.field.type, one.value) for one in fields] == [
        ("booking_starts_date", "date", "2026-07-16"),
        ("booking_starts_time", "time", "09:30"),
    ]


def test_two_values_of_one_kind_have_names_of_their_own(huts: Bundle) -> None:
    tellings = tuple(WantedAnswer(number, "count", "huts", "", None, number) for number in (2, 3))
    steps = tuple(WalkStep(number, "search_huts", {}, {"huts": []}, False) for number in (2, 3))
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states["initial"].image)
    fields = fields_of(Walked(steps, tellings), huts, facts, ground)
    assert [(one.field.name, one.field.type, one.field.unit) for one in fields] == [
        ("number_of_huts", "integer", "huts"),
        ("number_of_huts_2", "integer", "huts"),
    ]


@pytest.mark.parametrize(
    ("words", "currency"),
    [("A club.", "EUR"), ("A night costs $30.", "USD"), ("It takes 20 francs, and 3 francs more.", "CHF")],
)
def test_money_is_in_the_currency_that_the_environment_speaks_of(words: str, currency: str) -> None:
    shop = tiny()
    told = replace(shop, theme=shop.theme.model_copy(update={"description": words}))
    assert currency_of(told, StartRows(schema_of(shop.schema_sql), shop.states["initial"].image)) == currency
