"""Variants: traces that do what the task asks as well as gold does, only not in the same way.

Belongs here: other orders and more looking up. Does not: the same report in another form (`reported`), executing a
variant, and seeing that it comes to the same end (`gate`); other ids for new rows, which are the runtime's to give.
"""

from collections.abc import Iterator

from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.truth.dictation import dictated_arguments
from envfactory_dagster.truth.traces import TracedTask, TrialTrace, replaced


def variants(subject: TracedTask) -> Iterator[TrialTrace]:
    """The same subject gives the same variants."""
    yield from _reads(subject)
    yield from _writes(subject)
    yield from _dictated(subject)


def _reads(subject: TracedTask) -> Iterator[TrialTrace]:
    reads = [step for step in subject.calls if step.outcome == "ok" and subject.reads_only(step)]
    if not reads:
        reads = [_look_around(subject)] if _readers(subject) else []
    if not reads:
        return
    twice = [again for step in subject.calls for again in ([step, step] if step in reads else [step])]
    yield TrialTrace("reads_repeated", "looks everything up twice", twice, subject.report)
    yield TrialTrace("reads_added", "looks everything up again at the end", [*subject.calls, *reads], subject.report)
    first = subject.random.choice(reads)
    yield TrialTrace("reads_added", f"begins with {first.tool}", [first, *subject.calls], subject.report)
    shuffled = _shuffled_reads(subject)
    if shuffled != subject.calls:
        yield TrialTrace("reads_reordered", "looks things up in another order", shuffled, subject.report)


def _writes(subject: TracedTask) -> Iterator[TrialTrace]:
    """Neighbouring writes in the other order. Whether that is the same thing shows when they are made."""
    for first, second in zip(subject.writes, subject.writes[1:], strict=False):
        calls = list(subject.calls)
        calls[first], calls[second] = calls[second], calls[first]
        what = f"{calls[first].tool} before {calls[second].tool}"
        yield TrialTrace("writes_reordered", what, calls, subject.report)


def _dictated(subject: TracedTask) -> Iterator[TrialTrace]:
    """What the person dictated, with another case at its beginning and other punctuation at its end."""
    for index, path, text in dictated_arguments(subject.task, subject.calls, subject.tools):
        other = text[0].swapcase() + text[1:]
        other = other[:-1] if other.endswith(".") else f"{other}."
        step = subject.calls[index]
        calls = subject.with_arguments(index, replaced(step.arguments, path, other))
        yield TrialTrace("dictated_otherwise", f"{step.tool}: {text!r} as {other!r}", calls, subject.report)


def _shuffled_reads(subject: TracedTask) -> list[TracedStep]:
    """Reads change places with reads that no write stands between."""
    calls: list[TracedStep] = []
    together: list[TracedStep] = []
    for step in [*subject.calls, None]:
        if step is not None and subject.reads_only(step):
            together.append(step)
            continue
        calls += reversed(together)
        together = []
        if step is not None:
            calls.append(step)
    return calls


def _readers(subject: TracedTask) -> list[str]:
    """Tools of the assistant that only read and need no arguments."""
    return [
        name
        for name, tool in subject.tools.items()
        if tool.annotations.readOnlyHint and tool.principal == "assistant" and not tool.inputSchema.get("required")
    ]


def _look_around(subject: TracedTask) -> TracedStep:
    return TracedStep(tool=subject.random.choice(_readers(subject)))
