"""What the person is told does not contradict the report, however it is worded; and a lie in it is found."""

from cProfile import Profile

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, AnswerType, Report
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.truth.messages import contradictions

FORM = AnswerForm(
    fields=[
        AnswerField(name="price", type="money", description="What it costs", unit="EUR"),
        AnswerField(name="nights", type="integer", description="How many nights are free"),
        AnswerField(name="opens", type="time", description="When it opens"),
    ]
)
NONE: dict[str, Json] = dict.fromkeys(["price", "nights", "opens"])


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"price": 3595}, "It costs 35.95 EUR, and it cannot be cancelled within 36 hours."),
        ({"price": 1830}, "That makes 18.30."),
        ({"price": 730}, "It is due on the twenty-second, and costs seven euros and thirty cents in all."),
        ({"price": 10521}, "It costs one hundred and five euros and twenty-one cents."),
        ({"price": 730}, "That is 7 euros, and 30 cents, as you said."),
        ({"price": 4155}, "Forty-one euros fifty-five stayed with us altogether, as you said."),
        ({"price": 540}, "You have paid five euros forty so far."),
        ({"price": 540}, "You have paid 5 euros 40."),
        ({"price": 730}, "It goes back by the twenty-second of April."),
        ({"opens": "07:00"}, "It costs 18.30 EUR, as always."),
        ({"opens": "18:30"}, "They open at 6.30 pm."),
        ({"opens": "18:30"}, "They open at 18.30, not at 12:00."),
        ({"opens": "18:30"}, "They open at 6:30 in the evening."),
        ({"opens": "18:30"}, "They open at 6:30, after work."),
        ({"price": 3595}, "It is paid. The next best would be 40 euros."),
        ({"opens": "18:30"}, "It is booked. If you'd like, there is also one at 20:00."),
        ({"price": 125050}, "The total is 1.250,50 €."),
        ({"price": 125050}, "The total is 1 250.50 EUR."),
        ({"price": 3595}, "It is paid; let me know if you'd like the one for 40 euros as well."),
        ({"price": 3595}, "That cannot be cancelled any more: it takes 36 hours' notice."),
        ({"nights": 3}, "A party of more than 8 people cannot be booked."),
        ({"nights": 3}, "Three nights."),
        ({"nights": 3}, "It is a 3-night stay, with a 90-minute walk."),
        ({"nights": 3}, "As always, until October 2029."),
        ({"nights": 3}, "There 3 are free, of 12."),
        ({"nights": 3, "price": 300}, "All done, and everything is as you wished."),
    ],
)
def test_what_is_said_in_other_words_contradicts_nothing(answers: dict[str, Json], message: str) -> None:
    assert contradictions(_report(answers, message), FORM, "How much is it?") == []


@pytest.mark.parametrize(
    ("unit", "message", "right"),
    [
        ("whole kronor (SEK)", "2 bookings for the lake are cancelled, which saves NJ-26-14 1680 kr.", True),
        ("", "2 bookings for the lake are cancelled, which saves kr 1,680.", True),
        ("kr", "2 bookings for the lake are cancelled, which saves 1690 kr.", False),
    ],
)
def test_an_integer_may_be_an_amount_in_whole_units(unit: str, message: str, right: bool) -> None:
    field = AnswerField(name="saved", type="integer", description="What the cancelled bookings would cost", unit=unit)
    given = Report(outcome="done", answers={"saved": 1680}, message=message)
    assert (contradictions(given, AnswerForm(fields=[field]), "How much is saved?") == []) is right


@pytest.mark.parametrize(
    ("answers", "message", "says"),
    [
        ({"price": 3595}, "It costs 36.95 EUR.", "36.95 EUR"),
        ({"price": 3595}, "It costs 40 euros.", "40"),
        ({"price": 730}, "It costs seven euros and forty cents.", "seven euros and forty cents"),
        ({"price": 730}, "It costs seven euros forty.", "seven euros forty"),
        ({"price": 700}, "It costs 7 euros and 30 cents.", "7 euros and 30 cents"),
        ({"price": 3595}, "It costs 40 EUR for 2 people.", "40"),
        ({"nights": 3}, "Four nights are free.", "Four"),
        ({"nights": 3}, "A 4-night stay is free.", "4"),
        ({"opens": "18:30"}, "They open at 7:30 pm.", "7:30 pm"),
        ({"price": 4200}, "It costs $42.00.", "$42.00"),
        ({"price": 80000}, "The fee is 900 EUR, let me know if you want a receipt.", "900 EUR"),
        ({"price": 80000}, "The fee is EUR 900, as you know.", "EUR 900"),
        ({"price": 80000}, "You pay 900 Kč.", "900 Kč"),
        ({"price": 80000}, "You pay NOK 900.", "NOK 900"),
        ({"opens": "18:30"}, "It opens at 06:30.", "06:30"),
        ({"price": 4200}, "It costs 43 euros. The next best would be 50 euros.", "43"),
    ],
)
def test_another_value_than_the_answer_is_found(answers: dict[str, Json], message: str, says: str) -> None:
    [found] = contradictions(_report(answers, message), FORM, "How much is it?")
    assert says in found


def _report(answers: dict[str, Json], message: str) -> Report:
    return Report(outcome="done", answers=NONE | answers, message=message)


def test_amounts_that_a_tool_told_may_be_spoken_of_beside_the_answer() -> None:
    form = AnswerForm(fields=[FORM.fields[0]])
    report = Report(outcome="done", answers={"price": 1000}, message="It was 16.00 and is 26.00 now.")
    told = TracedStep(tool="change", value={"old_cents": 1600, "prices": [{"new": 26.0}]})
    assert contradictions(report, form, "How much more is it?", [told]) == []
    assert contradictions(report, form, "How much more is it?") != []


@pytest.mark.parametrize(
    ("kind", "unit"), [("duration", "minutes"), ("duration", "hours"), ("integer", "minutes"), ("integer", "")]
)
def test_hours_and_minutes_are_one_duration(kind: AnswerType, unit: str) -> None:
    form = AnswerForm(
        fields=[
            AnswerField(name="worked", type=kind, description="How many minutes the crew worked", unit=unit),
            AnswerField(name="men", type="integer", description="How many men there were"),
        ]
    )
    worked = "11 hours 10 minutes" if unit == "hours" else 670

    def said(message: str) -> list[str]:
        report = Report(outcome="done", answers={"worked": worked, "men": 4}, message=message)
        return contradictions(report, form, "How long did they work?")

    for right in ("11 hours 10 minutes", "eleven hours and ten minutes", "11 h 10 min", "670 minutes"):
        assert said(f"The four of them worked {right} in all.") == []
    for wrong in ("11 hours 20 minutes", "ten hours and ten minutes"):
        assert len(said(f"The four of them worked {wrong} in all.")) == 1


@pytest.mark.parametrize(
    "piece",
    [
        "1 hour ",
        "1 h and ",
        "-1",
        "1 ",
        "A1-",
        "one hundred and ",
        "one euro and ",
        "10:00 ",
        "1 January ",
        "1 to ",
        "1 & ",
        "€",
        "1,000",
    ],
)
def test_a_message_of_twice_the_length_takes_about_twice_the_work(piece: str) -> None:
    """The longest messages there can be, of nothing but what is looked for. Work is counted in calls of functions; a
    pattern that takes exponential time would not end at all."""
    form = AnswerForm(fields=[*FORM.fields, AnswerField(name="day", type="date", description="Which day")])
    answers: dict[str, Json] = {"price": 3595, "nights": 3, "opens": "18:30", "day": "2025-08-02"}

    def work(length: int) -> int:
        report = _report(answers, (piece * length)[:length])
        counted = Profile()
        counted.runcall(contradictions, report, form, "How much is it?")
        return sum(entry.callcount for entry in counted.getstats())

    work(1_000)  # what is compiled and remembered once
    assert work(4_000) <= 3 * work(2_000) + 1_000


@pytest.mark.parametrize(("stated", "right"), [("0.33", True), ("0.3333", True), ("0.34", False), ("3.33", False)])
def test_a_number_is_told_to_two_decimals(stated: str, right: bool) -> None:
    form = AnswerForm(fields=[AnswerField(name="ratio", type="number", description="Which part of them is late")])
    report = Report(outcome="done", answers={"ratio": 1 / 3}, message=f"The part that is late is {stated}.")
    assert (contradictions(report, form, "Which part is late?") == []) is right


@pytest.mark.parametrize(
    ("message", "right"),
    [
        ("You were away from 2 to 12 August.", True),
        ("You were away 2–12 August 2025.", True),
        ("The nights are the 2nd and 3rd of August.", True),
        ("You were away from 3 to 12 August.", False),
    ],
)
def test_days_may_share_their_month(message: str, right: bool) -> None:
    form = AnswerForm(fields=[AnswerField(name="first_day", type="date", description="The first day away")])
    report = Report(outcome="done", answers={"first_day": "2025-08-02"}, message=message)
    assert (contradictions(report, form, "When was I away?") == []) is right


def test_market_days_are_no_days_of_march() -> None:
    form = AnswerForm(fields=[AnswerField(name="days", type="integer", unit="market days", description="How many")])
    for stated, right in (("2 market days", True), ("3 market days", False)):
        report = Report(outcome="done", answers={"days": 2}, message=f"You may be excused for {stated} a year.")
        assert (contradictions(report, form, "For how many days?") == []) is right, stated


WALK = AnswerField(name="walk", type="duration", description="How long it takes", unit="minutes")
WEIGHT = AnswerField(name="weight", type="number", description="What it weighs", unit="kg")
SHARE = AnswerField(name="share", type="number", description="How much is taken", unit="percent")
DAY = AnswerField(name="day", type="date", description="When it starts")


@pytest.mark.parametrize(
    ("field", "value", "right", "lie"),
    [
        (WALK, 90, "It takes 1.5 hours.", "It takes 2 hours."),
        (WALK, 90, "It takes 1 h 30.", "It takes 45 minutes."),
        (WALK, 90, "It takes an hour and a half, about; 90 minutes.", "It takes 3 hours."),
        (WEIGHT, 2.5, "It weighs 2.5kg.", "It weighs 3.5 kg."),
        (WEIGHT, 2.5, "You get 2.5 kilos.", "You get 99.5 kg."),
        (SHARE, 12, "That is 12%.", "That is 25.5%."),
        (DAY, "2026-05-15", "It starts on 15/05/2026.", "It starts on 20/05/2026."),
    ],
)
def test_a_value_is_known_by_its_unit(field: AnswerField, value: Json, right: str, lie: str) -> None:
    form = AnswerForm(fields=[field])
    told = [Report(outcome="done", answers={field.name: value}, message=one) for one in (right, lie)]
    assert [bool(contradictions(one, form, "Tell me.")) for one in told] == [False, True]


HUTS = ["Silbersee Hut", "Gamsjoch Hut", "Falkenrast Hut", "Morgenkopf Hut"]
FREE_HUTS = AnswerField(name="free_huts", type="choice", description="Which huts are free", choices=HUTS, many=True)
DAYS = AnswerField(name="days", type="date", description="The days on which it is open", many=True)
FEES = AnswerField(name="fees", type="money", description="What is still to be paid", unit="EUR", many=True)
PLACES = AnswerField(name="places", type="integer", description="How many places each has", unit="places", many=True)
INVOICES = AnswerField(name="invoices", type="text", description="Which invoices are open", many=True)
REVIEWER = AnswerField(name="reviewer", type="text", description="Who wrote last")
TOLD = TracedStep(
    tool="list_reviews",
    value=[
        {"hut": "Silbersee Hut", "author": "Matthias Thaler", "invoice": "SB-0012", "words": "Giulia Marchetti snores"},
        {"hut": "Gamsjoch Hut", "author": "Giulia Marchetti", "invoice": "SB-0017", "words": "fine"},
        {"hut": "Falkenrast Hut", "author": "Ana Thaler", "invoice": "SB-0031", "words": "fine"},
    ],
)
_TWO_HUTS: Json = ["Silbersee Hut", "Gamsjoch Hut"]
_TWO_DAYS: Json = ["2026-05-12", "2026-05-14"]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (FREE_HUTS, _TWO_HUTS, "The Falkenrast Hut and the Morgenkopf Hut are free."),
        (FREE_HUTS, _TWO_HUTS, "The Silbersee Hut and the Morgenkopf Hut are free."),
        (DAYS, _TWO_DAYS, "It is open on 13 and 15 May 2026."),
        (DAYS, _TWO_DAYS, "It is open on the 12th of May and on the 20th of May."),
        (FEES, [1800, 2450], "You still pay 19.00 EUR and 25.00 EUR."),
        (FEES, [1800], "You still pay 19.00 EUR."),
        (PLACES, [8, 12], "They have 9 places and 13 places."),
        (INVOICES, ["SB-0012"], "Invoice SB-0017 is open."),
        (REVIEWER, "Matthias Thaler", "Giulia Marchetti wrote last."),
        (REVIEWER, "Matthias Thaler", "Ana Thaler wrote last."),
    ],
)
def test_other_values_in_the_place_of_a_list_or_a_name_are_found(field: AnswerField, value: Json, message: str) -> None:
    assert len(_said(field, value, message)) == 1


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (FREE_HUTS, _TWO_HUTS, "Both huts are in the report."),
        (FREE_HUTS, _TWO_HUTS, "Gamsjoch Hut and Silbersee Hut; I looked at the Falkenrast Hut and others too."),
        (FREE_HUTS, _TWO_HUTS, "All but the Falkenrast Hut and the Morgenkopf Hut."),
        (FREE_HUTS, _TWO_HUTS, "Falkenrast Hut and Morgenkopf Hut aren't free, the other two are."),
        (DAYS, _TWO_DAYS, "It is open on two days, if you call before 1 May."),
        (DAYS, _TWO_DAYS, "On 12 and 14 May 2026; book by the 1st of May or the 2nd of May."),
        (FEES, [1800, 2450, 640], "You still pay 48.90 EUR in all, 42.50 EUR of it now."),
        (FEES, [500, 700, 800, 900, 1100, 1200, 1300], "5, 7, 8, 9, 11 and 12 EUR, and one more: 65.00 EUR in all."),
        (PLACES, [8, 12], "The two of them have 20 places."),
        (PLACES, [8, 12], "There are 7 places at the table."),
        (INVOICES, ["SB-0012", "SB-0031"], "SB-0012 is open, and one more; SB-0017 is not."),
        (REVIEWER, "Matthias Thaler", "Mr Thaler did, as Giulia Marchetti tells."),
        (REVIEWER, "Matthias Thaler", "It was not Giulia Marchetti."),
        (REVIEWER, "Matthias Thaler", "I have looked it up for you."),
    ],
)
def test_what_is_said_beside_a_list_or_a_name_contradicts_nothing(
    field: AnswerField, value: Json, message: str
) -> None:
    assert _said(field, value, message) == []


def _said(field: AnswerField, value: Json, message: str) -> list[str]:
    report = Report(outcome="done", answers={field.name: value}, message=message)
    return contradictions(report, AnswerForm(fields=[field]), "Tell me.", [TOLD])


SPENT = AnswerField(name="total_spent", type="money", description="What was spent (since January)", unit="EUR")
VISITS = TracedStep(tool="list_visits", value={"visits": [{"price_cents": 3800}, {"price_cents": 12800}]})


@pytest.mark.parametrize(
    ("message", "right"),
    [
        ("Total spent: 38.00 EUR.", False),
        ("What you spent, in total, was 38.00 EUR.", False),
        ("What was spent since January is 38.00.", False),
        ("The last visit was 38.00 EUR, and the first one 128.00 EUR.", True),
        ("Of the total, 38.00 EUR were spent on the last visit.", True),
        ("The total spent is what you see in the report.", True),
    ],
)
def test_an_amount_that_a_tool_told_is_not_passed_off_as_the_answer(message: str, right: bool) -> None:
    report = Report(outcome="done", answers={"total_spent": 16600}, message=message)
    assert (contradictions(report, AnswerForm(fields=[SPENT]), "How much did I spend?", [VISITS]) == []) is right


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-4000, "You owe the house forty euros today."),
        (19210, "Since New Year a hundred and ninety-two euros and ten cents have been paid."),
        (10954, "Overdue: FT LX26/62 109.54 EUR."),
    ],
)
def test_an_amount_is_known_in_the_words_of_people(value: int, message: str) -> None:
    assert _said(SPENT, value, message) == []


@pytest.mark.parametrize(("asked", "right"), [("Who wrote after Giulia Marchetti?", True), ("Who wrote last?", False)])
def test_a_name_of_the_task_is_not_put_in_the_place_of_an_answer(asked: str, right: bool) -> None:
    message = "Whoever came after Giulia Marchetti is in the report."
    report = Report(outcome="done", answers={"reviewer": "Matthias Thaler"}, message=message)
    assert (contradictions(report, AnswerForm(fields=[REVIEWER]), asked, [TOLD]) == []) is right
