"""One and many, and back again."""

import pytest

from trainer.plurals import plural, singular


@pytest.mark.parametrize(
    ("one", "many"),
    [("room", "rooms"), ("policy", "policies"), ("day", "days"), ("box", "boxes"), ("match", "matches"),
     ("class", "classes"), ("wish", "wishes"), ("house", "houses"), ("fee", "fees")],
)  # fmt: skip
def test_there_and_back(one: str, many: str) -> None:
    assert (plural(one), singular(many), singular(one)) == (many, one, one)


@pytest.mark.parametrize("word", ["my", "its", "address", "status", "is", "s", ""])
def test_what_only_looks_like_many_stays(word: str) -> None:
    assert singular(word) == word


def test_what_has_no_other_form_keeps_its_own() -> None:
    assert plural("status") == "status"
