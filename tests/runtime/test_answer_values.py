"""Two values of an answer field are the same when a careful person would say so, and otherwise not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.runtime.answer_values import same_answer, unreadable


def field(kind: str, **more: Any) -> dict[str, Any]:
    return {"name": "it", "type": kind, "unit": "", "choices": [], "many": False} | more


EUROS = field("money", unit="EUR")
MINUTES = field("duration", unit="minutes")
HUTS = field("choice", choices=["Steinkar Hut", "Murmelgrund Hut", "Boxes", "Berries"])

SAME: list[tuple[dict[str, Any], Any, Any]] = [
    (field("integer"), 2, "two"),
    (field("integer"), 2, 2.0),
    (field("integer"), 21, "Twenty-one"),
    (field("integer"), 105, "a hundred and five"),
    (field("integer"), 2300, "two thousand three hundred"),
    (field("integer"), 0, "none"),
    (field("integer"), 1250, "1,250"),
    (field("integer", unit="nights"), 3, "3 nights"),
    (field("integer", unit="nights"), 1, "one night"),
    (field("number"), 3.14159, "3.14"),
    (field("number"), 1 / 3, "0.33"),
    (field("number"), 0.01234, "0.012"),
    (field("number"), -0.0004, "-0.0004"),
    (field("number", unit="kilometres"), 12.5, "12.5 kilometres"),
    (EUROS, 1250, 12.5),
    (EUROS, 1250, "12.50"),
    (EUROS, 1250, "€12.50"),
    (EUROS, 1250, "12,50 EUR"),
    (EUROS, 1250, "12.50 euros"),
    (EUROS, 1250, 1250),
    (EUROS, 1250, "1250 cents"),
    (EUROS, 120000, "1,200 EUR"),
    (EUROS, 120000, "€1,200.00"),
    (EUROS, 500, "five euros"),
    (field("date"), "2026-05-05", "5 May 2026"),
    (field("date"), "2026-05-05", "Tuesday, 5 May 2026"),
    (field("date"), "2026-05-05", "May 5th, 2026"),
    (field("date"), "2026-05-05", "the 5th of May 2026"),
    (field("date"), "2026-05-05", "5.5.2026"),
    (field("date"), "2026-05-05", "2026-05-05T09:00:00"),
    (field("time"), "18:00", "6 pm"),
    (field("time"), "18:00:00", "18:00"),
    (field("time"), "18:30", "6:30 p.m."),
    (field("time"), "18:00", "18 o’clock"),
    (field("time"), "12:00", "noon"),
    (field("time"), "00:30", "12:30 am"),
    (MINUTES, 90, "1 h 30 min"),
    (MINUTES, 90, "an hour and 30 minutes"),
    (MINUTES, 90, "1.5 hours"),
    (MINUTES, 90, "90"),
    (field("duration", unit="hours"), 1.5, "90 minutes"),
    (field("text"), "Bicycle lamp", "a bicycle lamp."),
    (field("text"), "Trees along the ring road", "“trees along the ring road”"),
    (field("text"), "Ida's boots", "Ida’s boots"),
    (field("yes_no"), True, "Yes"),
    (field("yes_no"), False, "no."),
    (HUTS, "Steinkar Hut", "the Steinkar hut"),
    (HUTS, "Berries", "berry"),
    (field("text", many=True), ["Ida", "Jakob"], ["jakob", "Ida"]),
    (field("money", unit="EUR", many=True), [100, 10000], [100, 100]),
    (field("integer"), None, None),
]

DIFFERENT: list[tuple[dict[str, Any], Any, Any]] = [
    (field("integer"), 2, "three"),
    (field("integer"), 2, "2 or 3"),
    (field("integer"), 2, "about 2"),
    (field("integer"), 2, True),
    (field("integer"), 2, None),
    (field("integer"), None, 2),
    (field("integer"), 3, "one two"),
    (field("integer", unit="nights"), 3, "3 days"),
    (field("number"), 3.14, 3.15),
    (field("number"), 0.0004, 0.004),
    (field("number"), 0.004, 0),
    (field("number"), 0, 0.004),
    (field("number"), -0.002, 0.002),
    (field("number"), 0.012, 0.013),
    (field("number"), 1 / 3, 0.34),
    (EUROS, 1250, "€1250"),
    (EUROS, 1250, "$12.50"),
    (EUROS, 1250, 125),
    (EUROS, 1250, "12.50 cents"),
    (EUROS, 1250, "€12.50 or €13"),
    (field("date"), "2026-05-06", "05/06/2026"),
    (field("date"), "2026-05-05", "5 May 2027"),
    (field("date"), "2026-05-05", "5 May"),
    (field("date"), "2026-02-28", "2026-02-30"),
    (field("time"), "06:00", "6 pm"),
    (field("time"), "18:00", "18"),
    (MINUTES, 90, "90 hours"),
    (MINUTES, 90, "30 min 1 h"),
    (field("text"), "Bicycle lamp", "Bicycle lamp, warm kitchen"),
    (field("text"), "A", "B"),
    (field("yes_no"), True, "no"),
    (field("yes_no"), True, "perhaps"),
    (HUTS, "Steinkar Hut", "Steinkar Hut or Murmelgrund Hut"),
    (HUTS, "Steinkar Hut", "Hut"),
    (field("text", many=True), ["Ida", "Ida"], ["Ida"]),
    (field("text", many=True), ["Ida", "Ida", "Jakob"], ["Ida", "Jakob", "Jakob"]),
    (field("text", many=True), ["Ida"], "Ida"),
]


@pytest.mark.parametrize(("of", "expected", "reported"), SAME)
def test_other_forms_of_a_value_are_the_same(of: dict[str, Any], expected: Any, reported: Any) -> None:
    assert same_answer(of, expected, reported)
    assert unreadable(of, reported) is None


@pytest.mark.parametrize(("of", "expected", "reported"), DIFFERENT)
def test_other_values_are_not_the_same(of: dict[str, Any], expected: Any, reported: Any) -> None:
    assert not same_answer(of, expected, reported)


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
SMALL = [*ONES.split(), "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number: int) -> str:
    if number < 20:
        return SMALL[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f"-{SMALL[number % 10]}" if number % 10 else "")
    if number < 1_000:
        return f"{SMALL[number // 100]} hundred" + (f" and {spelled(number % 100)}" if number % 100 else "")
    return f"{spelled(number // 1_000)} thousand" + (f" {spelled(number % 1_000)}" if number % 1_000 else "")


@given(st.integers(0, 999_999), st.integers(0, 999_999))
def test_a_number_in_words_is_that_number_and_no_other(number: int, other: int) -> None:
    assert same_answer(field("integer"), number, spelled(number))
    assert same_answer(field("integer"), other, spelled(number)) == (other == number)


@given(st.integers(0, 10_000_000))
def test_money_is_read_in_either_unit(cents: int) -> None:
    for form in (cents, f"{cents} cents", f"{cents / 100:.2f}", f"EUR {cents / 100:,.2f}", f"€{cents / 100:.2f}"):
        assert same_answer(EUROS, cents, form), form


@given(st.dates().filter(lambda day: day.year >= 1000))
def test_a_date_is_read_in_its_forms(day: Any) -> None:
    long = f"{day.day} {day:%B} {day.year}"
    assert all(same_answer(field("date"), day.isoformat(), form) for form in (long, f"{day:%A}, {long}", str(day)))


@given(st.one_of(st.text(), st.floats(), st.integers(), st.booleans(), st.lists(st.text())))
def test_what_cannot_be_read_is_no_answer(value: Any) -> None:
    """Whatever an agent sends, nothing raises; a value that is refused as unreadable never counts as right."""
    for one in (*(field(kind) for kind in ("integer", "number", "date", "time", "text", "yes_no")), EUROS, MINUTES):
        listed = {**one, "many": True}
        assert unreadable(one, value) is None or not any(same_answer(one, right, value) for right in (1, "2026-05-05"))
        assert unreadable(listed, value) is None or not same_answer(listed, [1], value)
        assert not same_answer(one, None, value) and not same_answer(listed, None, value)


FORMS_OF_MODELS: list[tuple[dict[str, Any], object, object, bool]] = [
    ({"type": "integer", "unit": "sign-offs"}, 1, "1 more sign-off", True),
    ({"type": "integer", "unit": "sign-offs"}, 1, "3 - 2 = 1", True),
    ({"type": "integer", "unit": "hours"}, 72, "72 minutes", False),
    ({"type": "integer", "unit": "hours"}, 3, "3 or 4", False),
    ({"type": "integer", "unit": "hours"}, 3, "about 3", False),
    ({"type": "number", "unit": "metres"}, 56, "56 m", True),
    ({"type": "number", "unit": "degrees"}, 112, "112°", True),
    ({"type": "number", "unit": "metres"}, 56, "56,0", True),
    ({"type": "money", "unit": "EUR"}, 1000, "ten euros more", True),
    ({"type": "money", "unit": "EUR"}, 1000, "26.00 - 16.00 = 10.00 EUR", True),
    ({"type": "money", "unit": "EUR"}, 1000, "10 or 12 euros", False),
    ({"type": "time"}, "10:00", "2026-06-21T10:00:00", True),
    ({"type": "date"}, "2026-06-21", "21/06/2026", True),
    ({"type": "date"}, "2026-06-05", "05/06/2026", False),
    ({"type": "date"}, "2026-06-05", "07/06/2026", False),
    ({"type": "date"}, "2026-04-22", "Wed, Apr 22, 2026", True),
    ({"type": "integer", "unit": "times"}, 1, "once", True),
    ({"type": "integer", "unit": "hours"}, 72, "72 is wrong", False),
    ({"type": "integer", "unit": "hours"}, 72, "72 hours at most", False),
    ({"type": "money", "unit": "CLP"}, 4500, "4.500 CLP", True),
    ({"type": "money", "unit": "CLP"}, 4500, "$4.500", True),
    ({"type": "money", "unit": "CLP"}, 4500, "four thousand five hundred pesos", True),
    ({"type": "money", "unit": "CLP"}, 450000, "4500 pesos", False),
    ({"type": "money", "unit": "JPY"}, 1200, "¥1,200", True),
    ({"type": "money", "unit": "KWD"}, 4500, "4.500 KWD", True),
    ({"type": "money", "unit": "CAD"}, 1250, "$12.50", True),
    ({"type": "money", "unit": "CAD"}, 1250, "12 dollars and 50 cents", True),
    ({"type": "money", "unit": "EUR"}, 1250, "$12.50", False),
    ({"type": "money", "unit": "CZK"}, 120000, "1 200 Kč", True),
    ({"type": "text"}, "Mr. Berg", "Mrs. Berg", False),
    ({"type": "text"}, "Mr. Berg", "Berg", True),
    ({"type": "choice", "choices": ["Monday", "Tuesday"]}, "Monday", "the day after Monday", False),
    ({"type": "choice", "choices": ["Garden room", "Hall"]}, "Garden room", "the room next to the Garden room", False),
    ({"type": "choice", "choices": ["Garden room", "Hall"]}, "Garden room", "Garden room, next to the bar", True),
    ({"type": "yes_no"}, False, "No, it is not included.", True),
    ({"type": "yes_no"}, False, "No, there are no open orders", True),
    ({"type": "yes_no"}, False, "No, or maybe yes", False),
    ({"type": "duration", "unit": "minutes"}, 1440, "1,440 minutes", True),
    ({"type": "duration", "unit": "minutes"}, 90, "1,5 hours", True),
    ({"type": "duration", "unit": "minutes"}, 90, "1:30 hours", True),
    ({"type": "duration", "unit": "minutes"}, 25, "twenty five minutes", True),
    ({"type": "duration", "unit": "minutes"}, 90, "1 h 30 min", True),
    ({"type": "money", "unit": "EUR"}, 50, "50 pence", False),
    ({"type": "money", "unit": "GBP"}, 50, "50 pence", True),
    ({"type": "money", "unit": "JPY"}, 50, "50 cents", False),
    ({"type": "money", "unit": "NZD"}, 1250, "NZ$12.50", True),
    ({"type": "money", "unit": "USD"}, 1250, "12.50 US dollars", True),
    ({"type": "money", "unit": "CAD"}, 1250, "US$12.50", False),
    ({"type": "money", "unit": "CHF"}, 125000, "CHF 1'250.00", True),
    ({"type": "number", "many": True}, [1.004, 1.0], [1.0, 1.008], True),
    ({"type": "text"}, "Room 5 (north)", "Room 5 (south)", False),
    ({"type": "text"}, "Room 5 (north)", "Room 5 (alternatively Room 6)", False),
    ({"type": "text"}, "Room 5 (north)", "Room 5", True),
    ({"type": "text"}, "Kari Tveit", "Kari Tveit (alternatively Ola Nordmann)", False),
    ({"type": "text", "name": "morning_or_evening_class"}, "evening class", "morning class", False),
    ({"type": "choice", "choices": ["Ana Silva", "Bo Li"]}, "Ana Silva", "Ana Silva, Bo", False),
    ({"type": "choice", "choices": ["Ana Silva", "Bo Li"]}, "Ana Silva", "everyone besides Ana Silva", False),
    ({"type": "choice", "choices": ["Ana Silva", "Bo Li"]}, "Ana Silva", "formerly Ana Silva", False),
    ({"type": "choice", "choices": ["Ana Silva", "Bo Li"]}, "Ana Silva", "Ana Silva, our guide", True),
    ({"type": "choice", "choices": ["paid", "open"]}, "paid", "to be paid", False),
    ({"type": "duration", "unit": "hours"}, 100 / 60, "1.67", True),
    ({"type": "duration", "unit": "hours"}, 1.67, "1 h 40 min", True),
    ({"type": "duration", "unit": "hours"}, 1.67, "1 h 42 min", False),
    ({"type": "number", "unit": "percent"}, 17.2, "17.2 %", True),
    ({"type": "number", "unit": "%"}, 12, "12 percent", True),
    ({"type": "number", "unit": "kg"}, 12.5, "12.5 kilos", True),
    ({"type": "integer", "unit": "boxes"}, 1, "1 box", True),
    ({"type": "integer", "unit": "entries"}, 1, "1 entry", True),
    ({"type": "integer", "unit": "people"}, 1, "1 person", True),
    ({"type": "integer"}, -5, "minus five", True),
    ({"type": "time"}, "18:30", "2026-05-05T18:30:00+00:00", True),
    ({"type": "time"}, "18:30", "6:30 in the evening", True),
    ({"type": "date"}, "2026-05-05", "2026/05/05", True),
    ({"type": "money", "unit": "EUR"}, -1250, "-€12.50", True),
    ({"type": "money", "unit": "EUR"}, 1250, "12 euros 50 cents", True),
    ({"type": "money", "unit": "EUR"}, 1250, "1" * 16_000 + "=", False),
    ({"type": "yes_no"}, True, "Yes, it should be ready by then", True),
    ({"type": "money", "unit": "EUR"}, 19210, "one hundred and ninety-two euros and ten cents", True),
    ({"type": "money", "unit": "NOK"}, 220000, "2 200,00 kr", True),
    ({"type": "money", "unit": "NOK"}, 78000, "kr 780,-", True),
    ({"type": "money", "unit": "EUR"}, 180000, "1.800,00 EUR", True),
    ({"type": "money", "unit": "NOK"}, 180000, "1.800 kroner", True),
    ({"type": "duration", "unit": "hours"}, 23.5, "23½ hours", True),
    ({"type": "duration", "unit": "hours"}, 23.5, "twenty-three and a half hours", True),
    ({"type": "yes_no"}, True, "Yes – since 6 May", True),
    ({"type": "yes_no"}, True, "Yes (Hugo Marchand)", True),
    ({"type": "text"}, "Kari Tveit", "TVEIT, Kari", True),
    ({"type": "text"}, "Kari Tveit", "Ms Kari Tveit (answered 10:08)", True),
    ({"type": "text"}, "Kari Tveit", "Kari Tveit or Lena Brandvik", False),
    ({"type": "text"}, "Kari Tveit", "not Kari Tveit", False),
    ({"type": "text", "name": "guest_berth"}, "G2", "Berth G2 (Guest Pontoon)", True),
    ({"type": "text", "name": "search_with_most"}, "Novotny", "the Novotny search", True),
    ({"type": "choice", "choices": ["Rosa Hale", "Ned Calloway"]}, "Rosa Hale", "anything but Rosa Hale", False),
    ({"type": "choice", "choices": ["Rosa Hale", "Ned Calloway"]}, "Rosa Hale", "not Rosa Hale", False),
    ({"type": "duration", "unit": "minutes"}, 5, "PT5M", True),
    ({"type": "duration", "unit": "minutes"}, 30, "half an hour", True),
    ({"type": "duration", "unit": "minutes"}, 25, "0:25 h", True),
    ({"type": "yes_no"}, True, "Yes, for Stedman Doubles", True),
    ({"type": "yes_no"}, True, "Yesterday", False),
    ({"type": "yes_no"}, False, "No, none is under way", True),
    ({"type": "yes_no"}, True, "Yes, all of them", True),
    ({"type": "yes_no"}, True, "Yes, except the last", False),
    ({"type": "choice", "choices": ["Rosa Hale", "Ned Calloway"]}, "Rosa Hale", "Rosa", True),
    ({"type": "choice", "choices": ["Rosa Hale", "Ned Calloway"]}, "Rosa Hale", "Hale, Rosa (from 15:50)", True),
    ({"type": "choice", "choices": ["Rosa Hale", "Ned Calloway"]}, "Rosa Hale", "Rosa Hale or Ned Calloway", False),
    ({"type": "choice", "choices": ["Rosa Hale", "Rosa Lind"]}, "Rosa Hale", "Rosa", False),
    ({"type": "choice", "choices": ["North", "North wing"]}, "North wing", "the north wing", True),
    ({"type": "choice", "choices": ["North", "North wing"]}, "North", "north", True),
    ({"type": "text", "many": True, "ordered": True}, ["a", "b"], ["b", "a"], False),
    ({"type": "text", "many": True}, ["a", "b"], ["b", "a"], True),
]


@pytest.mark.parametrize(("field", "expected", "given", "same"), FORMS_OF_MODELS)
def test_values_as_language_models_give_them(
    field: dict[str, Any], expected: object, given: object, same: bool
) -> None:
    assert same_answer({"name": "x", **field}, expected, given) is same
