"""What a test needs of the machine: where it is missing the test is skipped, or fails where it should have been there.

Belongs here: the choice between the two. Does not: finding out what is missing (the tests do that).
"""

import os
from typing import NoReturn

import pytest

VARIABLE = "TESTS_NEED"
"""What the run has prepared, joined by commas: `.ci/run` sets it."""


def missing(what: str, reason: str) -> NoReturn:
    if what in os.environ.get(VARIABLE, "").split(","):
        pytest.fail(f"{reason}, and {VARIABLE} says that it has to be there", pytrace=False)
    pytest.skip(reason, allow_module_level=True)
