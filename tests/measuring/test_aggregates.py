"""The wholes that benchmarks tell, and that none is told of parts that are not all there."""

import pytest

from envfactory_dagster.measuring.aggregates import BFCL_MULTI_TURN, bfcl, tau2

MULTI_TURN = dict(zip(BFCL_MULTI_TURN, (0.6, 0.4, 0.5, 0.1), strict=True))


def test_bfcl() -> None:
    assert bfcl(MULTI_TURN) == {"multi_turn": pytest.approx(0.4)}
    everything = MULTI_TURN | {"web_search": 0.2, "memory": 0.4, "non_live": 0.9, "live": 0.8, "irrelevance": 0.7}
    assert bfcl(everything | {"relevance": 0.0})["overall"] == pytest.approx(0.12 + 0.12 + 0.24)
    for name in everything:
        found = bfcl({other: score for other, score in everything.items() if other != name})
        assert found.keys() == (set() if name in MULTI_TURN else {"multi_turn"})


def test_tau2() -> None:
    assert tau2({"retail": 1.0, "airline": 0.0}) == {}
    found = tau2({"retail": 1.0, "airline": 0.0, "telecom": 0.5, "mock": 1.0})
    assert found == {"mean of domains": pytest.approx(0.5), "mean of tasks": pytest.approx(171 / 278)}
