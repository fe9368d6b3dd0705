"""What is foretold of a result, and whether it came true."""

from envfactory_dagster.authoring.trials.answers import unlike

RESULT = {"appointment": {"id": 31, "status": "booked", "price_cents": 2750}, "notes": [], "places": 4}


def test_an_object_may_be_foretold_in_part() -> None:
    assert list(unlike({"appointment": {"status": "booked"}, "places": 4}, RESULT)) == []


def test_a_field_that_came_out_otherwise_is_named_with_its_place() -> None:
    foretold = {"appointment": {"status": "booked", "price_cents": 2500}}

    assert list(unlike(foretold, RESULT)) == [("appointment.price_cents", 2500, 2750)]


def test_a_field_that_is_not_there_differs() -> None:
    assert list(unlike({"total": 0}, RESULT)) == [("total", 0, None)]
    assert list(unlike({"total": 0}, None)) == [("total", 0, None)]


LISTED = {"lines": [{"id": 7, "status": "open", "parts": [{"id": 9, "name": "belt"}]}, {"id": 8, "status": "paid"}]}


def test_the_objects_of_a_list_may_be_foretold_in_part() -> None:
    assert list(unlike({"lines": [{"status": "open"}, {"status": "paid"}]}, LISTED)) == []
    assert list(unlike({"lines": [{"parts": [{"name": "belt"}]}, {}]}, LISTED)) == []


def test_a_field_in_a_list_that_came_out_otherwise_is_named_with_its_place() -> None:
    foretold = {"lines": [{"status": "open"}, {"status": "open"}]}

    assert list(unlike(foretold, LISTED)) == [("lines[1].status", "open", "paid")]


def test_lists_are_foretold_as_long_as_they_are() -> None:
    assert list(unlike({"lines": [{"status": "open"}]}, LISTED)) == [("lines", [{"status": "open"}], LISTED["lines"])]
    assert list(unlike({"notes": [{"text": "late"}]}, RESULT)) == [("notes", [{"text": "late"}], [])]
