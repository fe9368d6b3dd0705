"""The rows of each call, from what differs from the start after it."""

from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.viewing.rows import between

Table = dict[int, int]


def changes(start: Table, now: Table) -> list[Change]:
    """As a session tells them."""
    found = []
    for key in sorted(start.keys() | now.keys()):
        before, after = ({"value": one[key]} if key in one else None for one in (start, now))
        if before != after:
            found.append(Change("things", (key,), before, after))
    return found


TABLES = st.dictionaries(st.integers(0, 3), st.integers(0, 2))


@given(TABLES, TABLES, TABLES)
def test_what_changed_between_two_moments_is_what_differs_between_them(start: Table, one: Table, other: Table) -> None:
    """Also where a row comes back, changes twice, or is again as it was."""
    found = between(changes(start, one), changes(start, other))
    told = {change.key[0]: (change.before, change.after) for change in found}
    assert told == {change.key[0]: (change.before, change.after) for change in changes(one, other)}
    assert len(told) == len(found)
