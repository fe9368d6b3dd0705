"""Patterns find what Python's own matcher finds."""

import re

from hypothesis import given
from hypothesis import strategies as st

from envfactory_dagster.runtime.patterns import PatternError, search

ATOMS = st.sampled_from(
    [
        "a",
        "b",
        ".",
        r"\d",
        r"\W",
        r"\s",
        r"\.",
        r"\x61",
        "[ab]",
        "[^a]",
        "[]a]",
        "[^]a-c]",
        r"[\]\d-]",
        "}",
        "]",
        "é",
        "-",
    ]
)
REPEATS = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "{,}", "*?", "+?", "{1,2}?"])


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    parts = st.lists(inner, min_size=1, max_size=3)
    opening = st.sampled_from(["(", "(?:"])
    return (
        parts.map("".join)
        | parts.map("|".join)
        | st.builds("{}{}){}".format, opening, parts.map("|".join), REPEATS)
        | st.builds("{}{}".format, st.sampled_from(["^", r"\A"]), inner)
        | st.builds("{}{}".format, inner, st.just(r"\Z"))
    )


PATTERNS = st.recursive(st.builds("{}{}".format, ATOMS, REPEATS), grown, max_leaves=8)


@given(PATTERNS, st.lists(st.text(alphabet="ab.-]}1é \n", max_size=6), min_size=1, max_size=8))
def test_what_is_found_is_what_python_finds(pattern: str, texts: list[str]) -> None:
    try:
        expected = [re.search(pattern, text, re.ASCII) is not None for text in texts]
    except re.error:
        return
    assert [search(pattern)(text) for text in texts] == expected


@given(st.text(alphabet=r"ab()[]{}|*+?^$\,12-=!<P>:i.", max_size=12), st.text(alphabet="ab12(){}\\", max_size=6))
def test_whatever_is_not_refused_means_what_it_means_in_python(pattern: str, text: str) -> None:
    try:
        found = search(pattern)(text)
    except PatternError:
        return
    assert found == (re.search(pattern, text, re.ASCII) is not None)
