"""What became of every environment of a run, in words for its log.

Belongs here: one outcome for each partition at the end of the line, and the sentence that counts them. Does not: the
step that logs them (`assets.stage`), and what the command line shows (`commands.standing`).
"""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.store.records import RecordStore

Fate = Literal["accepted", "rejected", "skipped", "failed"]
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    partition: str
    fate: Fate
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.partition}: {self.fate}" + (f", {_on_a_line(self.reason)}" if self.reason else "")


def outcome(records: RecordStore, last_stage: str, partition: str, failure: str) -> Outcome:
    """`failure`: why the partition failed in this run; empty when it did not."""
    if failure:
        return Outcome(partition, "failed", failure)
    head = records.head(last_stage, partition)
    if head is not None and head.status == "ok":
        return Outcome(partition, "accepted")
    last = records.latest(last_stage, partition)
    refused = _refused(records, last_stage, partition, set())
    if refused is not None:
        return Outcome(partition, "rejected", f"{refused.stage}: {refused.reason}")
    return Outcome(partition, "skipped", last.reason.removeprefix("skipped, ") if last is not None else "")


def counted(outcomes: Sequence[Outcome]) -> str:
    found = Counter(one.fate for one in outcomes)
    noun = "environment" if len(outcomes) == 1 else "environments"
    return f"{len(outcomes)} {noun}: " + ", ".join(f"{found[fate]} {fate}" for fate in get_args(Fate))


def _refused(records: RecordStore, stage: str, partition: str, seen: set[str]) -> StageRecord | None:
    """The rejected record for which this stage, and whatever is between the two, was skipped."""
    seen.add(stage)
    head = records.head(stage, partition)
    record = records.latest(stage, partition) if head is not None and head.status != "ok" else None
    if record is None or record.status == "rejected":
        return record
    for parent in record.parents:
        if parent not in seen and (found := _refused(records, parent, partition, seen)) is not None:
            return found
    return None


def _on_a_line(text: str) -> str:
    """Models have a say in reasons: what a terminal would obey is written out, as JSON writes it."""
    short = textwrap.shorten(text, _LONGEST_REASON, placeholder=" …")
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in short)
