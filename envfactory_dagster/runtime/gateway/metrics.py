"""Counting what the gateway does, in Prometheus' text format. Written by hand: the format is a page long."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from envfactory_dagster.contracts.calls import Outcome

_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Metrics:
    """Counts of calls, and how long they took."""

    def __init__(self) -> None:
        self._calls: Counter[tuple[str, Outcome]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(_BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self.reaped = 0
        self.refused = 0

    def count_call(self, environment: str, outcome: Outcome, seconds: float) -> None:
        self._calls[environment, outcome] += 1
        self._buckets[environment][bisect_left(_BOUNDS, seconds)] += 1
        self._seconds[environment] += seconds

    def render(self, *, open_sessions: Mapping[str, int], capacity: int, processes: int, deaths: int) -> str:
        lines: list[str] = []
        open_by_environment = [({"environment": key}, n) for key, n in sorted(open_sessions.items())]
        _gauge(lines, "sessions_open", "Sessions open now.", open_by_environment)
        _gauge(lines, "sessions_capacity", "Sessions that may be open at once.", [({}, capacity)])
        _counter(lines, "sessions_reaped_total", "Sessions closed because nobody used them.", self.reaped)
        _counter(lines, "sessions_refused_total", "Sessions not opened because all were in use.", self.refused)
        _gauge(lines, "processes", "Sandboxed workers alive now, and the process that forks them.", [({}, processes)])
        _counter(lines, "worker_deaths_total", "Workers that died, or were stopped for taking too long.", deaths)
        _head(lines, "calls_total", "Tool calls, by whose fault a failure was.", "counter")
        for (environment, outcome), n in sorted(self._calls.items()):
            _sample(lines, "calls_total", {"environment": environment, "outcome": outcome}, n)
        self._render_latencies(lines)
        return "\n".join(lines) + "\n"

    def _render_latencies(self, lines: list[str]) -> None:
        _head(lines, "call_seconds", "How long tool calls took.", "histogram")
        for environment, buckets in sorted(self._buckets.items()):
            running = 0
            for bound, n in zip([*map(repr, _BOUNDS), "+Inf"], buckets, strict=True):
                running += n
                _sample(lines, "call_seconds_bucket", {"environment": environment, "le": bound}, running)
            _sample(lines, "call_seconds_sum", {"environment": environment}, self._seconds[environment])
            _sample(lines, "call_seconds_count", {"environment": environment}, running)


def _head(lines: list[str], name: str, text: str, kind: str) -> None:
    lines += [f"# HELP envfactory_{name} {text}", f"# TYPE envfactory_{name} {kind}"]


def _gauge(lines: list[str], name: str, text: str, samples: Iterable[tuple[dict[str, str], float]]) -> None:
    _head(lines, name, text, "gauge")
    for labels, value in samples:
        _sample(lines, name, labels, value)


def _counter(lines: list[str], name: str, text: str, value: float) -> None:
    _head(lines, name, text, "counter")
    _sample(lines, name, {}, value)


def _sample(lines: list[str], name: str, labels: dict[str, str], value: float) -> None:
    inside = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in labels.items())
    lines.append(f"envfactory_{name}{'{' + inside + '}' if inside else ''} {value!r}")
