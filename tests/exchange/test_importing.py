"""What others published becomes environments like any other, and nothing they wrote reaches beyond the sandbox."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from envfactory_dagster import examples
from envfactory_dagster.cli import app
from envfactory_dagster.contracts.bundle import MANIFEST, Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.exchange.importing import bfcl, reading
from envfactory_dagster.exchange.importing.building import Imported, ImportedEnvironment, build
from envfactory_dagster.exchange.importing.effects import readers
from envfactory_dagster.exchange.importing.keeping import keep, read_bundle
from envfactory_dagster.exchange.importing.reading import parsed
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.execution import run_calls, run_solution
from envfactory_dagster.truth.verdicts import TaskChecks, judge

PUBLISHED = Path(__file__).parent / "published"
QUESTIONS = "bfcl_eval/data/BFCL_v4_multi_turn_base.json"
CODE = "bfcl_eval/eval_checker/multi_turn_eval/func_source_code/ticket_api.py"


@pytest_asyncio.fixture(scope="module")
async def desk(runtime: Runtime) -> Imported:
    return await build(runtime, read(PUBLISHED))


def read(folder: Path) -> ImportedEnvironment:
    [one] = bfcl.read(folder).values()
    return one()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(PUBLISHED, tmp_path / "published")


def edit(path: Path, change: Callable[[Any], object]) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


# -- what is imported --------------------------------------------------------------------------------------------------


async def test_a_bundle_comes_of_it_that_reads_back_as_it_was(desk: Imported, tmp_path: Path) -> None:
    bundle = desk.bundle
    again = Bundle.read(bundle.write(tmp_path / "desk"))
    assert again == bundle and again.version == bundle.version
    assert {"server.py", "judge.py"} <= {path.name for path in (tmp_path / "desk").iterdir()}
    assert {path.name for path in (tmp_path / "desk" / "published").iterdir()} >= {"mpmath.py"}
    assert len(bundle.tools) == 9 and len(bundle.tasks) == 4 and len(bundle.states) == 5


async def test_every_call_of_a_published_solution_is_made(desk: Imported) -> None:
    assert desk.calls == 6
    assert list(desk.unclean) == ["multi_turn_base_2"]
    assert "There is no ticket 9." in desk.unclean["multi_turn_base_2"]
    assert not desk.left_out


async def test_published_solutions_pass_and_doing_nothing_does_not(runtime: Runtime, desk: Imported) -> None:
    bundle = desk.bundle
    for task in bundle.tasks[:2] + bundle.tasks[3:]:
        checks = TaskChecks(task, bundle.verifiers[task.id], bundle.answer_forms[task.id])
        run = await run_solution(runtime, bundle, task, bundle.solutions[task.id], checks.form)
        assert run.error is None and (await judge(runtime, checks, run)).score == 1.0, task.id
        nothing = await run_calls(runtime, bundle, task, [], run.report)
        assert (await judge(runtime, checks, nothing)).score == 0.0, task.id
        assert (await judge(runtime, checks, replace(run, calls=[], final=run.initial))).score == 0.0


async def test_what_published_calls_give_is_taken(runtime: Runtime, copy: Path) -> None:
    answers = copy / "bfcl_eval/data/possible_answer/BFCL_v4_multi_turn_base.json"
    edit(answers, lambda answer: answer.update(ground_truth=[["close_ticket(number='2')"]]))
    draft = read(copy)
    tools = {tool.name: tool.inputSchema["properties"] for tool in draft.tools}
    assert tools["close_ticket"] == {"number": {"description": "Its number."}}
    assert tools["create_ticket"] == {"title": {"type": "string", "description": "What it is about."}}
    assert list(draft.left_out) == ["close_ticket.number"]


async def test_digits_are_as_many_as_asked_for(runtime: Runtime, desk: Imported) -> None:
    async with await runtime.open(desk.bundle, state="multi_turn_base_1") as session:
        for value, digits, expected in ((8.0, 5, "3.0"), (10.0, 6, "3.32193"), (0.3, 3, "-1.74")):
            found = await session.call("logarithm", {"value": value, "base": 2, "precision": digits})
            assert found.value == {"result": expected}


async def test_only_the_tools_of_a_task_are_there(desk: Imported) -> None:
    task = next(task for task in desk.bundle.tasks if task.id == "multi_turn_base_1")
    assert task.withheld == ["draw_ticket"]
    assert "logarithm" in desk.bundle.tasks[0].withheld


async def test_what_only_reads_is_told_from_what_changes(desk: Imported) -> None:
    hints = {tool.name: tool.annotations.readOnlyHint for tool in desk.bundle.tools}
    assert hints["list_tickets"] and not hints["close_ticket"] and not hints["create_ticket"]
    assert not hints["draw_ticket"], "it moves the generator of numbers on"


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ("return self.items[key]", True),
        ("found = []\n  found.append(self.items)\n  return found", True),
        ("found = self.items\n  found.append(1)", False),
        ("found = {}\n  found['a'] = 1\n  found['a'].append(self)", False),
        ("self.items[key] = 1", False),
        ("del self.items[key]", False),
        ("self.items.setdefault(key, 1)", False),
        ("a, self.b = 1, 2", False),
        ("for self.i in range(3): pass", False),
        ("return self.helper()", False),
        ("return self.reader()", True),
        ("global things", False),
        ("return setattr(self, 'a', 1)", False),
        ("items = [i for i in self.items]\n  items.sort()\n  return items", True),
        ("heapq.heappush(self.items, key)", False),
        ("near = []\n  heapq.heappush(near, key)\n  return heapq.heappop(near)", True),
        ("near = [self.items]\n  heapq.heappush(near[0], key)", False),
        ("bisect.insort(self.items, key)", False),
        ("self.items.extendleft([key])", False),
        ("self.items.subtract([key])", False),
        ("self.items.move_to_end(key)", False),
        ("found = self.items\n  found += [key]", False),
        ("key += [1]", False),
        ("total = 0\n  for one in self.items: total += one\n  return total", True),
    ],
)
def test_readers(body: str, reads: bool) -> None:
    source = (
        f"class C:\n def tool(self, key):\n  {body}\n"
        " def helper(self):\n  self.count += 1\n def reader(self):\n  return 1\n"
    )
    assert ("tool" in readers([parsed(source, "it")])) is reads


# -- served like any other ---------------------------------------------------------------------------------------------


async def test_sessions_fork_reset_and_hash(runtime: Runtime, desk: Imported) -> None:
    async with await runtime.open(desk.bundle, state="multi_turn_base_0") as one:
        start = await one.state_hash()
        opened = await one.call("create_ticket", {"title": "Fan"})
        assert opened.value == {"number": 3, "opened": "2025-01-06", "greeting": "Thank you for your patience."}
        async with await runtime.fork(one) as other:
            await other.call("close_ticket", {"number": 3})
            assert (await one.call("list_tickets")).value == {
                "tickets": [
                    {"number": n, "title": t, "status": "open"} for n, t in enumerate(("Printer", "Screen", "Fan"), 1)
                ]
            }
            assert await one.state_hash() != await other.state_hash() != start
        await one.reset()
        assert await one.state_hash() == start and await one.changes() == []


async def test_one_object_stays_one_object_between_calls(runtime: Runtime, desk: Imported) -> None:
    async with await runtime.open(desk.bundle, state="multi_turn_base_0") as session:
        assert (await session.call("close_ticket", {"number": 2})).value == {"status": "closed"}


async def test_a_refusal_and_a_defect_are_told_apart_and_change_nothing(runtime: Runtime, desk: Imported) -> None:
    async with await runtime.open(desk.bundle, state="multi_turn_base_0") as session:
        refused = await session.call("close_ticket", {"number": 99})
        assert (refused.outcome, refused.error) == ("agent", "There is no ticket 99.")
        broken = await session.call("break_down")
        assert broken.outcome == "environment" and "TypeError" in str(broken.error)
        unfit = await session.call("close_ticket", {"number": "two"})
        assert unfit.outcome == "agent" and "expected an integer" in str(unfit.error)
        assert await session.changes() == []


async def test_chance_is_the_same_in_every_run(runtime: Runtime, desk: Imported) -> None:
    runs = []
    for _ in range(2):
        async with await runtime.open(desk.bundle, state="multi_turn_base_0") as session:
            runs.append([(await session.call("draw_ticket")).value for _ in range(12)])
    assert runs[0] == runs[1] and len({value["number"] for value in runs[0] if value}) == 2


async def test_a_session_survives_its_worker(runtime: Runtime, desk: Imported) -> None:
    async with await runtime.open(desk.bundle, state="multi_turn_base_0") as session:
        await session.call("create_ticket", {"title": "Fan"})
        before = await session.state_hash()
        looping = await session.call("wait_forever")
        assert looping.outcome == "environment" and "did not answer in time" in str(looping.error)
        assert await session.state_hash() == before


async def test_files_and_the_network_are_out_of_reach(runtime: Runtime, desk: Imported, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    async with await runtime.open(desk.bundle, state="multi_turn_base_0") as session:
        read = await session.call("read_file", {"path": str(tmp_path / "secret")})
        fetched = await session.call("fetch", {"url": "http://127.0.0.1:1/"})
        assert read.outcome == fetched.outcome == "environment"
        assert "open" in str(read.error) and "requests" in str(fetched.error)


# -- bad input ---------------------------------------------------------------------------------------------------------


async def test_a_folder_without_the_files_is_refused(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="BFCL_v4_multi_turn_base"):
        read(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        read(tmp_path / "nothing")
    (copy / CODE).unlink()
    with pytest.raises(UsageError, match=r"ticket_api\.py cannot be read: No such file"):
        read(copy)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "no JSON"),
        ("[]", "not of this form"),
        ('{"id": NaN}', "no JSON"),
        ("[" * 100_000 + "]" * 100_000, "no JSON"),
        ('{"id": "../../x", "question": [], "initial_config": {}, "involved_classes": []}', "not of this form: id"),
    ],
    ids=["cut off", "list", "NaN", "deep", "path as name"],
)
async def test_what_is_not_of_the_form_is_refused_with_its_place(copy: Path, text: str, told: str) -> None:
    (copy / QUESTIONS).write_text(text + "\n")
    with pytest.raises(UsageError, match=told) as refused:
        read(copy)
    assert "line 1" in str(refused.value)


async def test_another_version_is_refused(copy: Path) -> None:
    for path in copy.rglob("BFCL_v4*"):
        path.rename(path.with_name(path.name.replace("v4", "v9")))
    with pytest.raises(UsageError, match="version 3 or 4"):
        read(copy)


async def test_a_class_that_is_not_theirs_is_refused(copy: Path) -> None:
    edit(copy / QUESTIONS, lambda question: question["involved_classes"].append("../../../etc"))
    with pytest.raises(UsageError, match="none of BFCL's"):
        read(copy)


async def test_two_gigabytes_are_not_read(copy: Path) -> None:
    os.truncate(copy / QUESTIONS, 2 << 30)  # a hole: it takes no room on the disk
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        read(copy)


async def test_links_and_pipes_are_not_followed(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("secret = 1")
    (copy / CODE).unlink()
    (copy / CODE).symlink_to(tmp_path / "outside.py")
    with pytest.raises(UsageError, match=r"links are not followed"):
        read(copy)
    (copy / CODE).unlink()
    os.mkfifo(copy / CODE)
    with pytest.raises(UsageError, match="no regular file"):
        read(copy)


async def test_source_that_is_none_is_refused(copy: Path) -> None:
    for text in ("def (", "(" * 5_000 + ")" * 5_000, "x = 1\0"):
        (copy / CODE).write_text(text)
        with pytest.raises(UsageError, match="cannot be read: "):
            read(copy)
    (copy / CODE).write_text("#" * (reading.MOST_SOURCE_BYTES + 1))
    with pytest.raises(UsageError, match="larger than 1 MiB"):
        read(copy)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("while True: pass", "longer than"),
        ("open('/etc/passwd')", "NameError"),
        ("import socket; socket.socket()", "may not use socket"),
        ("import ctypes", "may not import 'ctypes'"),
        ("x = 'a' * (1 << 40)", "MemoryError"),
        ("raise SystemExit", "SystemExit"),
    ],
)
async def test_code_that_does_not_start_is_the_environments_fault(
    runtime: Runtime, copy: Path, line: str, told: str
) -> None:
    (copy / CODE).write_text(f"{(copy / CODE).read_text()}\n\n{line}\n")
    draft = read(copy)
    with pytest.raises(EnvironmentFault, match=told):
        await build(runtime, draft)


def test_a_line_ends_where_json_lines_end(copy: Path) -> None:
    questions = copy / QUESTIONS
    questions.write_text(questions.read_text().replace('"content": "', '"content": "Please.\u2028', 1))
    assert read(copy).tasks[0].text.startswith("Please.\u2028")


async def test_a_call_that_is_none_leaves_its_task_out(runtime: Runtime, copy: Path) -> None:
    answers = copy / "bfcl_eval/data/possible_answer/BFCL_v4_multi_turn_base.json"
    edit(answers, lambda answer: answer.update(ground_truth=[["__import__('os').system('true')"], ["rm(x=1)"]]))
    draft = read(copy)
    assert len(draft.left_out) == 4 and not draft.tasks


# -- our own form, and the home ----------------------------------------------------------------------------------------


async def test_a_bundle_is_checked_and_kept(runtime: Runtime, tmp_path: Path) -> None:
    huts = examples.load("alpine_huts")
    folder = huts.write(tmp_path / "huts")
    store = BundleStore(Home.resolve(str(tmp_path / "home")))
    assert keep(store, await read_bundle(runtime, folder)).endswith(huts.version[:16])
    assert store.load("alpine-huts") == huts
    (folder / "tools.py").write_text("def x(): pass")
    with pytest.raises(EnvironmentFault, match=r"tools\.py does not match"):
        await read_bundle(runtime, folder)
    with pytest.raises(UsageError, match="no folder"):
        await read_bundle(runtime, tmp_path / "nothing")


async def test_a_bundle_whose_tools_do_not_load_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    broken = replace(examples.load("alpine_huts"), tools_source="import os")
    with pytest.raises(EnvironmentFault, match="may not import 'os'"):
        await read_bundle(runtime, broken.write(tmp_path / "huts"))


async def test_a_published_module_with_another_name_is_no_bundle(desk: Imported, tmp_path: Path) -> None:
    folder = desk.bundle.write(tmp_path / "desk")
    manifest = json.loads((folder / MANIFEST).read_text())
    for name in ("published/../../x.py", "published/a..b.py", "published/.hidden.py", "published/a/b.py"):
        (folder / MANIFEST).write_text(json.dumps(manifest | {"files": manifest["files"] | {name: "0" * 64}}))
        with pytest.raises(EnvironmentFault, match="not the name of a file"):
            Bundle.read(folder)


async def test_what_was_built_here_is_left_alone(desk: Imported, tmp_path: Path) -> None:
    store = BundleStore(Home.resolve(str(tmp_path)))
    mine = replace(
        desk.bundle, theme=desk.bundle.theme.model_copy(update={"source": examples.load("alpine_huts").theme.source})
    )
    keep(store, mine)
    with pytest.raises(UsageError, match="left alone"):
        keep(store, desk.bundle)
    assert store.load(mine.key) == mine


async def test_what_comes_from_elsewhere_in_the_same_form_is_left_alone(desk: Imported, tmp_path: Path) -> None:
    store = BundleStore(Home.resolve(str(tmp_path)))
    theme = desk.bundle.theme
    other = theme.model_copy(update={"source": theme.source.model_copy(update={"reference": "bfcl: another list"})})
    keep(store, replace(desk.bundle, theme=other))
    with pytest.raises(UsageError, match=r"already \(bfcl: another list\), which is left alone"):
        keep(store, desk.bundle)
    newer = replace(desk.bundle, theme=other.model_copy(update={"description": "A newer one."}))
    keep(store, newer)
    assert store.load(theme.key) == newer


async def test_what_an_earlier_version_imported_can_be_imported_again(desk: Imported, tmp_path: Path) -> None:
    """Earlier versions wrote down the form alone."""
    store = BundleStore(Home.resolve(str(tmp_path)))
    theme = desk.bundle.theme
    old = theme.model_copy(update={"source": theme.source.model_copy(update={"reference": "bfcl"})})
    keep(store, replace(desk.bundle, theme=old, judge_source=""))
    keep(store, desk.bundle)
    assert store.load(theme.key) == desk.bundle


async def test_a_newer_edition_becomes_a_new_version(
    runtime: Runtime, desk: Imported, copy: Path, tmp_path: Path
) -> None:
    for place in ("", "possible_answer/"):
        data = copy / "bfcl_eval/data" / place
        (data / "BFCL_v4_multi_turn_base.json").rename(data / "BFCL_v3_multi_turn_base.json")
    (copy / CODE).write_text(f"{(copy / CODE).read_text()}\n# an older one\n")
    older = (await build(runtime, read(copy))).bundle
    store = BundleStore(Home.resolve(str(tmp_path / "home")))
    assert keep(store, older) != keep(store, desk.bundle)
    assert store.load(older.key) == desk.bundle


async def test_published_parameters_keep_their_names(runtime: Runtime, copy: Path, tmp_path: Path) -> None:
    """`from_` is not `from`, and `env` can be one too."""
    takes = ("from_", "class_", "env")
    names = ", ".join(takes)
    (copy / CODE).write_text(f"{(copy / CODE).read_text()}\n    def find(self, {names}):\n        return [{names}]\n")
    properties = {name: {"type": "string", "description": "One of three."} for name in takes}
    told = {"type": "dict", "properties": properties, "required": list(takes)}
    documents = copy / "bfcl_eval/data/multi_turn_func_doc/ticket_api.json"
    documented = json.dumps({"name": "find", "description": "Finds some.", "parameters": told})
    documents.write_text(f"{documents.read_text()}{documented}\n")
    bundle = (await build(runtime, read(copy))).bundle
    given = {"from_": "a", "class_": "b", "env": "c"}
    async with await runtime.open(bundle, state="multi_turn_base_0") as session:
        assert (await session.call("find", given)).value == {"result": ["a", "b", "c"]}


async def test_an_environment_says_what_it_is_made_of(runtime: Runtime, desk: Imported, copy: Path) -> None:
    assert desk.bundle.theme.source.reference == "bfcl: multi_turn_base"
    (copy / CODE).write_text(f"{(copy / CODE).read_text()}\n# a newer one\n")
    newer = (await build(runtime, read(copy))).bundle
    parents = [bundle.provenance.parents["published"] for bundle in (desk.bundle, newer)]
    assert parents[0] != parents[1]


async def test_no_task_begins_where_another_state_stands_in(runtime: Runtime, desk: Imported, copy: Path) -> None:
    """The initial state has no queue here, without which this code does not start."""
    code = (copy / CODE).read_text()
    (copy / CODE).write_text(code.replace('scenario.get("queue", start["queue"])', 'scenario["queue"]'))
    draft = read(copy)
    first, *others = draft.tasks
    made = await build(runtime, replace(draft, tasks=[replace(first, state="initial"), *others]))
    assert first.id not in {task.id for task in made.bundle.tasks}
    assert "KeyError" in made.left_out[first.id]
    assert made.left_out["initial"].endswith("stands in its place; no task begins there.")
    assert set(made.bundle.states) >= {task.state for task in made.bundle.tasks}


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path))
    runner = CliRunner()
    done = runner.invoke(app, ["import", str(PUBLISHED), "--from", "bfcl", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)["imported"]["bfcl-multi-turn"]
    assert (found["tools"], found["tasks"], found["calls"]) == (9, 4, 6)
    assert "bfcl-multi-turn" in runner.invoke(app, ["list"]).output
    for form, told in (("awm", "FastAPI"), ("nobodys", "no form 'nobodys'")):
        refused = runner.invoke(app, ["import", str(PUBLISHED), "--from", form])
        assert isinstance(refused.exception, UsageError) and told in str(refused.exception)
