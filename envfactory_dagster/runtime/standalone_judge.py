"""Judge one episode of this environment with Python's standard library alone: the verdict that the runtime gives.

    python judge.py --episode DIR                        an episode that `server.py --episode DIR` left there
    python judge.py TASK --final FILE --report FILE      the database at its end, and the arguments of `finish` as JSON
    python judge.py TASK --final FILE --no-report        … of an agent that was asked for a report and gave none
        --calls FILE    the calls as a JSON list of {"tool", "principal", "arguments", "outcome", "value", "error"}
        --sandbox       run the checks in the sandbox of envfactory_dagster, which this Python must have installed

It prints {"status": "judged", "score": …, "reasons": […], "checks": {…}}. Where no verdict can be given it prints
{"status": "invalid", "reason": …} and ends with 2: nobody's score is 0 because a file is missing or a check hangs,
raises, runs into a limit or says neither yes nor no.

Checks are code that came with this folder. Without `--sandbox` they run in a process of their own with limits on time,
memory and files, and only if a static screen finds nothing in them that reaches beyond what they are shown: imports
other than a few modules, private attributes, `open` and the like. That is no sandbox.
Belongs here: the files, the process, the limits. Does not: what a check sees and what its signals come to (`checks`).
"""

import argparse
import hashlib
import importlib
import json
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from envfactory_dagster.runtime.answer_values import same_text
from envfactory_dagster.runtime.check_screen import beyond_checks
from envfactory_dagster.runtime.checks import JudgedCase, describe_in_verifier, run_checks, weigh
from envfactory_dagster.runtime.facade import MAX_PROGRESS_TICKS, MAX_ROWS_FETCHED, PROGRESS_STEPS
from envfactory_dagster.runtime.message_values import contradictions
from envfactory_dagster.runtime.oldest_sqlite import sqlite_too_old
from envfactory_dagster.runtime.report_reading import report_of
from envfactory_dagster.runtime.table_contents import Row, content_tables

MOST_SECONDS = 30
MOST_MEMORY = 2 << 30
MOST_DATABASE = 256 << 20
READ_ONLY_ACTIONS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
FUNCTIONS_DENIED = frozenset(
    ("random", "randomblob", "load_extension", "last_insert_rowid", "changes", "total_changes")
)


class Invalid(Exception):
    """No verdict can be given; the message says why."""


class StandardReadOnly:
    """A database for queries only, by the `sqlite3` module."""

    def __init__(self, image: bytes) -> None:
        self._connection = connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.deserialize(image)
        for statement in ("temp_store = MEMORY", "query_only = ON", "trusted_schema = OFF"):
            connection.execute(f"PRAGMA {statement}")
        self.contents = content_tables(connection)
        connection.create_function("same_text", 2, lambda *texts: int(same_text(*texts)), deterministic=True)
        connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").fetchall()
        connection.set_authorizer(self._authorize)
        connection.set_progress_handler(self._tick, PROGRESS_STEPS)
        self._ticks = 0
        self._passed = ""

    def query(self, sql: str, params: Any = ()) -> list[Row]:
        self._ticks = 0
        try:
            cursor = self._connection.execute(sql, params)
            rows = cursor.fetchmany(MAX_ROWS_FETCHED + 1)
        except MemoryError:
            self._passed = "a query needed more memory than there is"
            raise
        if len(rows) > MAX_ROWS_FETCHED:
            self._passed = f"a query returned more than {MAX_ROWS_FETCHED} rows"
            raise OverflowError(self._passed)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def one(self, sql: str, params: Any = ()) -> Row | None:
        rows = self.query(sql, params)
        return rows[0] if rows else None

    def limit_passed(self) -> str:
        passed, self._passed = self._passed, ""
        return passed

    def _authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        allowed = action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in FUNCTIONS_DENIED
        return sqlite3.SQLITE_OK if allowed or action in READ_ONLY_ACTIONS else sqlite3.SQLITE_DENY

    def _tick(self) -> int:
        self._ticks += 1
        if self._ticks > MAX_PROGRESS_TICKS:
            self._passed = "a query took too many steps"
        return self._ticks > MAX_PROGRESS_TICKS


class CheckSaid(NamedTuple):
    name: str
    value: object
    error: str | None


class JudgedTask:
    """One task of the folder, with everything that its verdict rests on."""

    def __init__(self, folder: Path, wanted: str) -> None:
        self._folder = folder
        self._manifest = self._read_manifest()
        tasks = {task["id"]: task for task in map(json.loads, self._read("tasks.jsonl").splitlines())}
        if wanted not in tasks:
            raise Invalid(f"there is no task {wanted!r}; there are: {', '.join(list(tasks)[:20])}")
        self.task: dict[str, Any] = tasks[wanted]
        forms = json.loads(self._text("answer_forms.json"))
        if wanted not in forms:
            raise Invalid(f"the task {wanted!r} has no answer form, so that nobody can be asked for its report")
        self.fields: list[dict[str, Any]] = [_field_of_form(field) for field in forms[wanted]["fields"]]
        self.rules = [rule["id"] for rule in json.loads(self._text("theme.json"))["rules"]]
        self.verifier = self._text(f"verifiers/{wanted}.py")
        self.initial = self._read(self._manifest["states"][self.task["state"]]["file"])

    def _read_manifest(self) -> dict[str, Any]:
        try:
            manifest = json.loads(self._text("manifest.json", checked=False))
            if isinstance(manifest["files"], dict) and isinstance(manifest["states"], dict):
                return dict(manifest)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise Invalid("manifest.json is damaged")

    def _text(self, path: str, *, checked: bool = True) -> str:
        return self._read(path, checked=checked).decode("utf-8")

    def _read(self, path: str, *, checked: bool = True) -> bytes:
        try:
            data = (self._folder / path).read_bytes()
        except OSError as error:
            raise Invalid(f"{path} cannot be read: {error.strerror}") from error
        if checked and hashlib.sha256(data).hexdigest() != self._manifest["files"].get(path):
            raise Invalid(f"{path} does not match the hash in manifest.json")
        return data


def _field_of_form(field: Mapping[str, Any]) -> dict[str, Any]:
    return {"unit": "", "choices": [], "many": False, "ordered": False, **field}


def judge(
    folder: Path,
    task: str,
    final: bytes,
    arguments: Mapping[str, Any] | None,
    calls: list[dict[str, Any]],
    sandbox: bool = False,
) -> dict[str, Any]:
    """The verdict on one end of a task. `arguments` are those of `finish`; None: the agent was asked and gave none."""
    if (too_old := sqlite_too_old()) is not None:
        raise Invalid(too_old)
    judged = JudgedTask(folder, task)
    _same_schema(judged.initial, final)
    report = None if arguments is None else report_of(arguments, judged.fields, judged.rules)
    problem = report if isinstance(report, str) else None
    report = None if isinstance(report, str) else report
    run = _checked_in_sandbox if sandbox else _checked_apart
    answer = run(judged, final, report, calls)
    if isinstance(answer, str):
        raise Invalid(f"the verifier gave no verdict: {answer}")
    said = [CheckSaid(*one) for one in answer]
    told = [call.get("value") for call in calls]
    against = contradictions(report, judged.fields, judged.task["text"], told) if report else []
    sound = weigh(said, [], reported=True)
    if not sound.decided:
        raise Invalid(f"the verifier gave no verdict: {' '.join(sound.reasons)}")
    weighed = weigh(said, against, reported=report is not None)
    reasons = weighed.reasons if problem is None else [f"The report cannot be read: {problem}."]
    return {
        "status": "judged",
        "score": weighed.score,
        "reasons": reasons,
        "checks": {one.name: one.value for one in said},
    }


def _same_schema(initial: bytes, final: bytes) -> None:
    """Whatever is judged is a database of this environment."""
    if len(final) > MOST_DATABASE:
        raise Invalid(f"the final database is larger than {MOST_DATABASE >> 20} MiB")
    try:
        before, after = (_definitions(image) for image in (initial, final))
    except sqlite3.Error as error:
        raise Invalid(f"the final database cannot be read: {error}") from error
    if before != after:
        raise Invalid("the final database has other tables than this environment")


def _definitions(image: bytes) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(image)
        connection.execute("PRAGMA trusted_schema = OFF")
        rows = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
        return [row for row in rows if not row[1].startswith("sqlite_")]
    finally:
        connection.close()


# -- the process of the checks -----------------------------------------------------------------------------------------


def _checked_apart(
    judged: JudgedTask, final: bytes, report: Mapping[str, Any] | None, calls: list[dict[str, Any]]
) -> Any:
    asked = json.dumps([judged.verifier, len(judged.initial), report, judged.fields, calls]).encode()
    given = len(asked).to_bytes(8, "big") + asked + judged.initial + final
    command = [sys.executable, "-I", "-S", __file__, "--run-checks"]
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=MOST_SECONDS, check=False)
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired as late:
        raise Invalid(f"the checks ran longer than {MOST_SECONDS} seconds") from late
    except ValueError as garbled:
        raise Invalid(f"the process of the checks ended with {done.returncode} and gave no answer") from garbled
    except OSError as failure:
        raise Invalid(f"the process of the checks cannot be started: {failure.strerror}") from failure


def _checked_in_sandbox(
    judged: JudgedTask, final: bytes, report: Mapping[str, Any] | None, calls: list[dict[str, Any]]
) -> Any:
    try:
        sandboxed = importlib.import_module("envfactory_dagster.runtime.sandboxed_checks")
    except ImportError as missing:
        raise Invalid(f"--sandbox needs envfactory_dagster in this Python: {missing}") from missing
    return sandboxed.run_in_sandbox(judged.verifier, (judged.initial, final), report, judged.fields, calls)


def _run_checks_here() -> None:
    """In a process of its own: read what is asked, run the checks, answer. What a check prints goes nowhere."""
    given, answer_to = sys.stdin.buffer.read(), sys.stdout
    sys.stdout = sys.stderr
    size = int.from_bytes(given[:8], "big")
    source, initial_size, report, fields, calls = json.loads(given[8 : 8 + size])
    images = given[8 + size :]
    for limit, value in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, MOST_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    try:
        initial, end = StandardReadOnly(images[:initial_size]), StandardReadOnly(images[initial_size:])
        case = JudgedCase((initial, end), (initial.contents, end.contents), report, fields, calls)
        said: Any = beyond_checks(source) or run_checks(source, case)
    except BaseException as failure:  # noqa: BLE001 - a verifier may raise anything, SystemExit included
        said = describe_in_verifier(failure)
    answer_to.write(json.dumps(said))
    answer_to.flush()


# -- the command -------------------------------------------------------------------------------------------------------


def _json_of(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise Invalid(f"{path} cannot be read as JSON: {error}") from error


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}") from error


def _verdict_asked_for(options: argparse.Namespace) -> dict[str, Any]:
    folder = Path(__file__).resolve().parent
    if options.episode is not None:
        episode = _json_of(options.episode / "episode.json")
        final = _bytes_of(options.episode / "final.sqlite")
        return judge(folder, episode["task"], final, episode["report"], episode["calls"], options.sandbox)
    if options.task is None or options.final is None or (options.report is None) != options.no_report:
        raise Invalid("give --episode, or a task with --final and either --report or --no-report")
    arguments = None if options.no_report else _json_of(options.report)
    calls = _json_of(options.calls) if options.calls is not None else []
    return judge(folder, options.task, _bytes_of(options.final), arguments, calls, options.sandbox)


def judge_from_command_line() -> None:
    parser = argparse.ArgumentParser(description="Judge one episode of this environment.")
    parser.add_argument("task", nargs="?")
    parser.add_argument("--episode", type=Path)
    parser.add_argument("--final", type=Path)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--no-report", action="store_true")
    parser.add_argument("--calls", type=Path)
    parser.add_argument("--sandbox", action="store_true")
    parser.add_argument("--run-checks", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run_checks:
        _run_checks_here()
        return
    try:
        verdict = _verdict_asked_for(options)
    except Invalid as invalid:
        verdict = {"status": "invalid", "reason": str(invalid)}
    except (KeyError, TypeError, AttributeError) as failure:
        verdict = {"status": "invalid", "reason": f"what was given is no episode: {failure!r}"}
    except Exception as failure:  # noqa: BLE001 - whatever fails here is not the agent's fault
        verdict = {"status": "invalid", "reason": f"the judge failed: {failure!r}"}
    print(json.dumps(verdict, indent=2))
    sys.exit(0 if verdict["status"] == "judged" else 2)


if __name__ == "__main__":
    judge_from_command_line()
