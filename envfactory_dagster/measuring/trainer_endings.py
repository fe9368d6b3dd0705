"""How a process of the trainer ended: what its exit status means.

Belongs here: that. Does not: starting one (`trainer_program`), and what is done about it (`assets.trainer_runs`,
`studies`).
"""

from pathlib import Path

from envfactory_dagster.measuring.trained import read

_FINAL = {
    2: "The recipe, the data or a checkpoint do not fit.",
    3: "All rewards are equal: there is nothing to learn from.",
    4: "The training diverged.",
    5: "There is not enough memory.",
}
"""Exit statuses after which another try would end in the same way."""

_AGAIN = {6: "No environment or endpoint answered, or the machine failed.", 143: "It was told to stop."}
"""Those after which another try goes on from the last checkpoint; so it does after a signal."""


def goes_on(status: int) -> bool:
    """Whether another try goes on from the last checkpoint."""
    return status in _AGAIN or status < 0


def sentence(out: Path, status: int) -> str:
    """Why it ended. Empty for a defect of the trainer: then the traceback is among what the process printed."""
    left = read(out / "failure.json")
    if left is not None and left["status"] == status:
        return str(left["sentence"])
    if status < 0:
        return f"The trainer was killed by signal {-status}{_far(out)}."
    return (_FINAL | _AGAIN).get(status, "")


def _far(out: Path) -> str:
    """How far a process came that could not say why it ended, and what memory it had."""
    left = read(out / "running.json")
    return "" if left is None else f" after step {left['step']}, with {left['memory_gb']} GB of memory in use"
