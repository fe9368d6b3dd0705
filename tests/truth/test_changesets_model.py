"""Changesets against a model that tries every renaming of created ids and codes, on small databases."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.truth.changesets import Changeset, collateral, normalize
from tests.truth.bookings import CLOCK, SCHEMA, booking, details, person, room

OLD_PEOPLE = (1, 2)
OLD_PRICE = 9.5
REFERENCES = {"people": ("id",), "bookings": ("id", "after_id"), "details": ("booking_id",), "rooms": ("booking_id",)}


@dataclass(frozen=True)
class Booked:
    """A created booking, its references as numbers of the created person and bookings of a deed."""

    person: int | None
    """Negative for a person who was there before."""
    after: int | None
    mentions: int | None
    detailed: bool


@dataclass(frozen=True)
class Deed:
    """Something done to the database, before ids are given out."""

    people: tuple[str, ...]
    bookings: tuple[Booked, ...]
    rooms: tuple[tuple[float, int | None], ...]
    """Of each room, its price and which of the bookings has it."""
    deleted: frozenset[int]

    def changes(self, seed: int) -> list[Change]:
        """The deed as some session would tell it: ids, codes and order as chance will have them."""
        random = Random(seed)
        people = random.sample(range(10, 20), len(self.people))
        numbers = random.sample(range(10, 20), len(self.bookings))
        codes = random.sample(range(50001, 50010), len(self.bookings))
        found = [person(number, name) for number, name in zip(people, self.people, strict=True)]
        for booked, number, code in zip(self.bookings, numbers, codes, strict=True):
            who = None if booked.person is None else -booked.person if booked.person < 0 else people[booked.person]
            after = None if booked.after is None else numbers[booked.after]
            note = None if booked.mentions is None else f"like BK-{codes[booked.mentions]}"
            found += [booking(number, code, who, after, note), *([details(number)] if booked.detailed else [])]
        for number, (price, taken) in enumerate(self.rooms, start=1):
            if (price, taken) != (OLD_PRICE, None):
                by = None if taken is None else numbers[taken]
                found.append(room(number, (OLD_PRICE, None), (price, by)))
        found += [Change("people", (number,), {"id": number, "name": "Bo"}, None) for number in self.deleted]
        random.shuffle(found)
        return found


@st.composite
def deeds(draw: st.DrawFn, most: int = 3) -> Deed:
    """Few values and many references: equal rows, rings and shared parents are common."""
    people = draw(st.lists(st.sampled_from(["Ida", "Bo"]), max_size=2))
    count = draw(st.integers(0, most))
    one_of_them = st.none() | st.integers(0, count - 1) if count else st.none()
    somebody = st.none() | st.sampled_from([-number for number in OLD_PEOPLE] + list(range(len(people))))
    booked = st.builds(Booked, somebody, one_of_them, st.none() | one_of_them, st.booleans())
    rooms = st.tuples(st.sampled_from([OLD_PRICE, 2.0]), one_of_them)
    return Deed(
        tuple(people),
        tuple(draw(st.lists(booked, min_size=count, max_size=count))),
        tuple(draw(st.lists(rooms, min_size=2, max_size=2))),
        draw(st.sets(st.sampled_from(OLD_PEOPLE)).map(frozenset)),
    )


@st.composite
def nearly_the_same(draw: st.DrawFn) -> tuple[Deed, Deed]:
    """A deed, and one that differs in the person, the follower or the mention of one booking, or not at all."""
    one = draw(deeds())
    if not one.bookings:
        return one, one
    place = draw(st.integers(0, len(one.bookings) - 1))
    others = st.integers(0, len(one.bookings) - 1)
    changed = Booked(one.bookings[place].person, draw(others), draw(others), draw(st.booleans()))
    return one, Deed(one.people, (*one.bookings[:place], changed, *one.bookings[place + 1 :]), one.rooms, one.deleted)


# -- the model ---------------------------------------------------------------------------------------------------------


def renamings(part: Sequence[Change], whole: Sequence[Change]) -> Iterator[dict[tuple[str, object], object]]:
    """Every way to give the created people, bookings and codes of one the names of those of the other."""
    kinds = (("people", "id"), ("bookings", "id"), ("bookings", "code"))
    ways = []
    for table, column in kinds:
        mine, theirs = (
            [c.after[column] for c in changes if c.table == table and c.before is None and c.after is not None]
            for changes in (part, whole)
        )
        kind = table if column == "id" else "code"
        ways.append(
            [
                [((kind, name), other) for name, other in zip(mine, way, strict=True)]
                for way in permutations(theirs, len(mine))
            ]
        )
    for way in product(*ways):
        yield {name: other for of_kind in way for name, other in of_kind}


def facts(changes: Sequence[Change], names: dict[tuple[str, object], object]) -> Counter[Hashable]:
    """What the changes say, one fact for each row that comes or goes and each cell that changes, under other names."""

    def cell(table: str, column: str, value: object) -> object:
        if column == "person_id":
            return names.get(("people", value), value)
        if column in REFERENCES[table]:
            return names.get(("people" if table == "people" else "bookings", value), value)
        if isinstance(value, str):
            return next(
                (
                    value.replace(str(code), str(new))
                    for (kind, code), new in names.items()
                    if kind == "code" and str(code) in value
                ),
                value,
            )
        return value

    found: Counter[Hashable] = Counter()
    for change in changes:
        if change.after is None:
            found[change.table, change.key] += 1
        elif change.before is None:
            found[change.table, tuple((k, cell(change.table, k, v)) for k, v in change.after.items())] += 1
        else:
            for column, value in change.after.items():
                if value != change.before[column]:
                    found[change.table, change.key, column, cell(change.table, column, value)] += 1
    return found


def model_contains(whole: Sequence[Change], part: Sequence[Change]) -> bool:
    there = facts(whole, {})
    return any(not facts(part, names) - there for names in renamings(part, whole))


def model_equal(one: Sequence[Change], other: Sequence[Change]) -> bool:
    return len(one) == len(other) and model_contains(one, other) and model_contains(other, one)


def normal(changes: Sequence[Change]) -> Changeset:
    return normalize(changes, SCHEMA, CLOCK)


# -- the properties ----------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(deeds(most=6), st.integers(0, 99), st.integers(100, 199))
def test_a_deed_is_the_same_however_it_is_told(deed: Deed, seed: int, other: int) -> None:
    one, again = normal(deed.changes(seed)), normal(deed.changes(other))
    assert one == again
    assert hash(one) == hash(again)
    assert one.contains(again)
    assert collateral(one, again) == []


@settings(max_examples=250, deadline=None)
@given(nearly_the_same() | st.tuples(deeds(), deeds()), st.integers(0, 99))
def test_equality_and_subset_are_those_of_the_model(pair: tuple[Deed, Deed], seed: int) -> None:
    one, other = (deed.changes(seed + i) for i, deed in enumerate(pair))
    assert (normal(one) == normal(other)) == model_equal(one, other)
    assert normal(one).contains(normal(other)) == model_contains(one, other)


@settings(max_examples=100, deadline=None)
@given(deeds(), st.data())
def test_some_of_what_was_done_is_a_subset(deed: Deed, data: st.DataObject) -> None:
    whole, again = deed.changes(1), deed.changes(2)
    gone = {change.key[0] for change in again if change.table == "bookings" and data.draw(st.booleans())}
    for _ in deed.bookings:  # what refers to a booking or mentions it goes with it
        rows = [change.after for change in again if change.table == "bookings" and change.after]
        codes = {row["code"] for row in rows if row["id"] in gone}
        gone |= {
            row["id"] for row in rows if row["after_id"] in gone or str(row["note"]).removeprefix("like ") in codes
        }
    part = [c for c in again if c.table == "people" or not (c.after and {c.key[0], c.after.get("booking_id")} & gone)]
    assert normal(whole).contains(normal(part)) == model_contains(whole, part)


@settings(max_examples=100, deadline=None)
@given(deeds(), deeds())
def test_collateral_is_counted_as_the_model_counts_it(gold: Deed, actual: Deed) -> None:
    expected, did = gold.changes(1), actual.changes(2)
    touched = {
        (c.table, c.key, k)
        for c in expected
        for k in c.after or {}
        if c.before and c.after and c.before[k] != c.after[k]
    }
    cells = {
        (c.table, c.key, k) for c in did for k in c.after or {} if c.before and c.after and c.before[k] != c.after[k]
    }
    gone, lost = ({(c.table, c.key) for c in changes if c.after is None} for changes in (expected, did))
    created, made = (Counter(c.table for c in changes if c.before is None) for changes in (expected, did))
    count = len(cells - touched) + len(lost - gone) + (made - created).total()
    assert len(collateral(normal(expected), normal(did))) == count
