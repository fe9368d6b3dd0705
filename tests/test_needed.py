"""A test whose server is missing is skipped with its reason, and fails where the run has prepared the server."""

import pytest

from tests.support.needed import VARIABLE, missing


def test_what_is_missing_is_skipped_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(pytest.skip.Exception, match="there is no server"):
        missing("postgres", "there is no server")


def test_what_the_run_has_prepared_must_not_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "ray,postgres")
    with pytest.raises(pytest.fail.Exception, match="there is no server"):
        missing("postgres", "there is no server")
    with pytest.raises(pytest.skip.Exception):
        missing("chromium", "there is no browser")
