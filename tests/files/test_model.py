"""Whatever tools do to a file of records: its rows and its text say what a dictionary says that was treated alike."""

import json
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from envfactory_dagster.runtime.env_files import SessionFiles
from tests.files.test_untouched import WORDS, files

IDS = st.integers(1, 9)
TEXTS = WORDS.map(lambda word: word.replace("\r", ""))
RECORDS = st.fixed_dictionaries({"id": IDS, "n": TEXTS, "m": st.none() | st.integers(-9, 9), "ok": st.booleans()})
STARTS = {
    "json": '[\n {"id": 2, "n": "a", "m": null, "ok": true},\n {"id": 4, "n": "", "m": 1, "ok": false}]',
    "jsonl": '\n{"id": 2, "n": "a", "m": null, "ok": true}\n\n{"id": 4, "n": "", "m": 1, "ok": false}',
    "yaml": "# x\n- id: 2\n  n: a\n  m:\n  ok: true\n- {id: 4, n: '', m: 1, ok: false}\n",
}
FIELDS = {"id": "integer", "n": "text", "m": "integer", "ok": "boolean"}


class Filed(RuleBasedStateMachine):
    @initialize(form=st.sampled_from(sorted(STARTS)))
    def begin(self, form: str) -> None:
        self.path = f"a.{form}"
        self.hints = {"files": {self.path: {"fields": FIELDS, "key": "id"}}}
        self.files: SessionFiles = files({self.path: STARTS[form].encode()}, self.hints)
        self.records: dict[int, Any] = {record["id"]: record for record in self.files.records(self.path)}
        self.start = dict(self.records)
        assert list(self.start) == [2, 4]

    @rule(record=RECORDS)
    def append(self, record: dict[str, Any]) -> None:
        if record["id"] in self.records:
            return
        assert self.files.append(self.path, record) == record["id"]
        self.records[record["id"]] = record

    @rule(key=IDS, changes=st.fixed_dictionaries({}, optional={"n": TEXTS, "m": st.none() | IDS, "ok": st.booleans()}))
    def update(self, key: int, changes: dict[str, Any]) -> None:
        assert self.files.update(self.path, key, changes) == (key in self.records)
        if key in self.records:
            self.records[key] = self.records[key] | changes

    @rule(key=IDS)
    def remove(self, key: int) -> None:
        assert self.files.remove(self.path, key) == (self.records.pop(key, None) is not None)

    @rule(records=st.lists(RECORDS, max_size=4, unique_by=lambda record: record["id"]))
    def replace(self, records: list[dict[str, Any]]) -> None:
        self.files.write_data(self.path, records)
        self.records = {record["id"]: record for record in records}

    @precondition(lambda self: self.path.endswith("json"))
    @rule(records=st.lists(RECORDS, max_size=4, unique_by=lambda record: record["id"]))
    def write(self, records: list[dict[str, Any]]) -> None:
        self.files.write_text(self.path, json.dumps(records))
        self.records = {record["id"]: record for record in records}

    @rule()
    def put_back(self) -> None:
        self.files.write_data(self.path, list(self.start.values()))
        self.records = dict(self.start)
        assert self.files.read_text(self.path) == STARTS[self.path.removeprefix("a.")]

    @invariant()
    def rows_and_text_agree(self) -> None:
        wanted = sorted(self.records.values(), key=lambda record: record["id"])
        assert self.files.records(self.path) == wanted
        assert self.files.count(self.path) == len(wanted)
        again = files({self.path: self.files.read_text(self.path).encode()}, self.hints)
        assert again.records(self.path) == wanted


TestFiled = Filed.TestCase
TestFiled.settings = settings(deadline=None, max_examples=15, stateful_step_count=15)
