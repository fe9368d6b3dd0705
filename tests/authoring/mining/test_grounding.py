"""A value is grounded when its citation says it, in whichever way people write such a thing."""

import pytest

from envfactory_dagster.authoring.mining.grounding import is_grounded
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.mining import FieldType

SAID: list[tuple[Cell, FieldType, str]] = [
    ("Ailsa Marr", "text", "the AILSA   Marr, built 1998"),
    ("Ailsa\nMarr", "text", "the Ailsa Marr"),
    (1200, "integer", "1,200 places"),
    (1200, "integer", "1 200 places"),
    (3.5, "number", "Fare: 3.50"),
    (3.5, "number", "Fare: 3,5"),
    (350, "money", "Fare: €3.50"),
    (120000, "money", "£1,200 a year"),
    (1, "flag", "Skarn | yes"),
    (0, "flag", "Skarn | no"),
    ("2026-03-02", "day", "on 2 March 2026"),
    ("2026-03-02", "day", "March 2nd, 2026"),
    ("2026-03-02", "day", "2.3.2026"),
    ("2026-03-02", "day", "2026-03-02T09:00"),
    ("2026-03-02T09:30:00", "moment", "2 Mar. 2026, 9:30"),
    ("2026-03-02", "day", "Mon 2 March, the hall is closed"),
    ("2026-03-02", "day", "Monday, March 2"),
    ("2026-03-02", "day", "Mon. 02 Mar."),
    ("2026-03-02T09:30:00", "moment", "Monday, the 2nd of March, 9:30"),
]
NOT_SAID: list[tuple[Cell, FieldType, str]] = [
    ("Ail", "text", "the Ailsa Marr"),
    ("", "text", "anything"),
    (120, "integer", "1,200 places"),
    (12, "integer", "built in 2012"),
    (350, "integer", "Fare: 3.50"),
    (35, "money", "Fare: €3.50"),
    (1, "flag", "Skarn | no"),
    ("2026-03-02", "day", "on 12 March 2026"),
    ("2026-03-02", "day", "on 2 March 2025"),
    ("2026-03-02", "day", "2 3 2026"),
    ("2026-99-02", "day", "2 March 2026"),
    ("2026-03-02", "day", "Tue 2 March"),
    ("2026-03-02", "day", "Mon 2 March 2020"),
    ("2026-03-02", "day", "Mon 2 Mar. 2020"),
    ("2026-03-02", "day", "Mon 2 Mar., 2020"),
    ("2026-03-02", "day", "Mon 2 March (2020)"),
    ("2026-03-02", "day", "Mon 2 March/2020"),
    ("2026-03-02", "day", "Mon, March 2, 2020"),
    ("2026-03-02", "day", "last month 2 March"),
    ("2026-03-02", "day", "2 March"),
    ("2026-03-02T09:30:00", "moment", "2 March 2026, 19:30"),
]


@pytest.mark.parametrize(("value", "type", "text"), SAID)
def test_it_is_said(value: Cell, type: FieldType, text: str) -> None:
    assert is_grounded(value, type, ["something else", text])


@pytest.mark.parametrize(("value", "type", "text"), NOT_SAID)
def test_it_is_not_said(value: Cell, type: FieldType, text: str) -> None:
    assert not is_grounded(value, type, [text])
    assert not is_grounded(value, type, [])
