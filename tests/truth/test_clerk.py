"""Calls that tools accept and a careful clerk might not: they are found, put before the author, and mended."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.domain import Rule, Theme, ThemeSource
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.language.built_in.conversation import ParsedQuestion
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.inspection import doubtful
from envfactory_dagster.truth.inspection.exploration import explore
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.inspector import InspectionSettings, inspect_bundle
from tests.support.judges import judge, judged_by
from tests.support.tiny import INTEGER, STRING, schema, tool

SCHEMA = """\
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE licences (
    id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (id), valid_until TEXT NOT NULL
) STRICT;
CREATE TABLE trips (
    id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (id), day TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('planned', 'driven', 'cancelled'))
) STRICT;
"""
ROWS = """\
INSERT INTO members VALUES (1, 'Ann'), (2, 'Bo');
INSERT INTO licences VALUES (1, 1, '2027-01-31'), (2, 2, '2026-01-31');
INSERT INTO trips VALUES
    (1, 1, '2026-03-09', 'planned'), (2, 1, '2026-03-12', 'planned'), (3, 2, '2026-03-12', 'planned'),
    (4, 1, '2026-02-02', 'planned'), (5, 1, '2026-03-11', 'driven'), (6, 1, '2026-03-15', 'cancelled');
"""
LAX = '''
def list_trips(env) -> dict:
    """List your trips."""
    return {"trips": env.query("SELECT id, day, status FROM trips WHERE member_id = ? ORDER BY id", [env.user_id])}


def get_licence(env) -> dict:
    """Look up your licence."""
    row = env.one(
        "SELECT m.name, l.valid_until FROM members AS m JOIN licences AS l ON l.member_id = m.id WHERE m.id = ?",
        [env.user_id],
    )
    if row is None:
        raise env.Error("you have no licence")
    return row


def move_trip(env, *, trip_id: int, day: str) -> dict:
    """Move one of your trips, for which a licence is needed, to another day."""
    row = env.one("SELECT day, status FROM trips WHERE id = ? GUARD", {"trip": trip_id, "me": env.user_id})
    if row is None:
        raise env.Error(f"there is no trip {trip_id}")
    CHECKS
    env.execute("UPDATE trips SET day = ? WHERE id = ?", [day, trip_id])
    return {"trip_id": trip_id, "day": day}
'''
CAREFUL = {
    "owner": "",
    "status": "if row['status'] != 'planned':\n        raise env.Error('it is driven or cancelled')",
    "day": "if row['day'] < env.now[:10]:\n        raise env.Error('that day is over')",
    "asked": "if day < env.now[:10]:\n        raise env.Error('nobody travels into the past')",
    "licence": "held = env.one('SELECT valid_until FROM licences WHERE member_id = ?', [env.user_id])\n"
    "    if held is None or held['valid_until'] < env.now[:10]:\n        raise env.Error('the licence has run out')",
}


def source(*checks: str) -> str:
    guard = ":trip AND member_id = :me" if "owner" in checks else ":trip"
    lines = [CAREFUL[check] for check in checks if CAREFUL[check]] or ["pass"]
    text = LAX.replace("? GUARD", guard).replace("CHECKS", "\n    ".join(lines))
    return text if "owner" in checks else text.replace(', "me": env.user_id', "")


def pool(*checks: str) -> Bundle:
    """A pool of cars with one command, which checks so much."""
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA page_size = 1024")
    connection.execute(SCHEMA + ROWS)
    trip = schema({"id": INTEGER, "day": STRING, "status": STRING})
    day = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}
    return Bundle(
        theme=Theme(
            key="car-pool",
            name="Car pool",
            category="travel",
            description="Members share cars.",
            entities=["trip"],
            rules=[Rule(id="licence", text="Nobody drives without a licence.")],
            source=ThemeSource(kind="hand"),
        ),
        tasks=[],
        schema_sql=SCHEMA,
        seed_sql="",
        states={"initial": State(connection.serialize("main"), "2026-03-02T09:00:00")},
        tools=[
            tool("list_trips", schema(), schema({"trips": {"type": "array", "items": trip}}), read_only=True),
            tool("get_licence", schema(), schema({"name": STRING, "valid_until": STRING}), read_only=True),
            tool("move_trip", schema({"trip_id": INTEGER, "day": day}), schema({"trip_id": INTEGER, "day": STRING})),
        ],
        tools_source=source(*checks),
        server_source="",
    )


async def kinds(runtime: Runtime, bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.setattr(doubtful, "MOST_OF_A_COMMAND", 12)
    inspected = await Inspected.of(runtime, bundle)
    found = await doubtful.accepted(inspected, await explore(inspected, []))
    assert all(one.changes and one.rows for one in found)
    return {one.doubt.kind for one in found}


async def test_a_lax_command_is_doubted_in_every_way(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    found = await kinds(runtime, pool(), monkeypatch)
    assert found == {"somebody_elses", "decided", "over", "papers", "past_argument", "later"}


async def test_what_the_person_wrote_down_for_others_is_no_paper_of_theirs(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a desk the person is one of the staff, who are on every row as those who recorded it."""
    bundle = pool()
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", bundle.states["initial"].image)
    connection.execute("ALTER TABLE licences RENAME COLUMN member_id TO recorded_by")
    staffed = replace(
        bundle,
        schema_sql=SCHEMA.replace("member_id", "recorded_by", 1),
        states={"initial": replace(bundle.states["initial"], image=connection.serialize("main"))},
        tools_source=bundle.tools_source.replace("l.member_id", "l.recorded_by"),
    )
    assert "papers" not in await kinds(runtime, staffed, monkeypatch)


async def test_a_clerk_sees_who_is_served_and_what_joins_them_to_a_row(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bo drives the trip, and Ann rides along."""
    bundle = pool()
    riders = (
        "CREATE TABLE riders (id INTEGER PRIMARY KEY, trip_id INTEGER NOT NULL REFERENCES trips (id), "
        "member_id INTEGER NOT NULL REFERENCES members (id)) STRICT;\n"
    )
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA page_size = 1024")
    connection.execute(SCHEMA + riders + ROWS + "INSERT INTO riders VALUES (1, 3, 1), (2, 3, 2);")
    state = State(connection.serialize("main"), bundle.states["initial"].clock)
    with_riders = replace(bundle, schema_sql=SCHEMA + riders, states={"initial": state})
    monkeypatch.setattr(doubtful, "MOST_OF_A_COMMAND", 12)
    inspected = await Inspected.of(runtime, with_riders)
    of_bo = [
        one
        for one in await doubtful.accepted(inspected, await explore(inspected, []))
        if one.step.arguments["trip_id"] == 3
    ]
    assert of_bo
    assert all(
        one.of_the_person
        == [("members", {"id": 1, "name": "Ann"}), ("riders", {"id": 1, "trip_id": 3, "member_id": 1})]
        for one in of_bo
    )


async def test_papers_that_run_out_are_not_shown_as_valid_besides(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The licence is for one trip, and so it joins the person to it."""
    bundle = pool()
    for_a_trip = SCHEMA.replace("valid_until TEXT", "trip_id INTEGER REFERENCES trips (id), valid_until TEXT")
    rows = ROWS.replace(
        "(1, 1, '2027-01-31'), (2, 2, '2026-01-31')", "(1, 1, 1, '2027-01-31'), (2, 2, 3, '2026-01-31')"
    )
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA page_size = 1024")
    connection.execute(for_a_trip + rows)
    state = State(connection.serialize("main"), bundle.states["initial"].clock)
    with_licence = replace(bundle, schema_sql=for_a_trip, states={"initial": state})
    monkeypatch.setattr(doubtful, "MOST_OF_A_COMMAND", 12)
    inspected = await Inspected.of(runtime, with_licence)
    found = await doubtful.accepted(inspected, await explore(inspected, []))
    [papers] = [one for one in found if one.doubt.kind == "papers"]
    assert papers.step.arguments["trip_id"] == 1
    assert papers.rows[0] == ("licences", {"id": 1, "member_id": 1, "trip_id": 1, "valid_until": "2026-03-01"})
    assert [table for table, _ in papers.of_the_person] == ["members"]


@pytest.mark.parametrize(
    ("check", "cured"),
    [
        ("owner", {"somebody_elses"}),
        ("status", {"decided"}),
        ("day", {"over", "later"}),
        ("asked", {"past_argument", "later"}),
        ("licence", {"papers", "later"}),
    ],
)
async def test_a_command_that_checks_is_not_doubted(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, check: str, cured: set[str]
) -> None:
    found = await kinds(runtime, pool(check), monkeypatch)
    assert found == {"somebody_elses", "decided", "over", "papers", "past_argument", "later"} - cured


async def test_a_careful_command_is_not_doubted_at_all(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await kinds(runtime, pool(*CAREFUL), monkeypatch) == set()


CHOICE = '''

def choose_seat(env, *, trip_id: int, seat: str) -> dict:
    """Sit somewhere else on one of your trips."""
    if not env.execute("UPDATE trips SET seat = ? WHERE id = ? AND member_id = ?", [seat, trip_id, env.user_id]):
        raise env.Error(f"you have no trip {trip_id}")
    return {"trip_id": trip_id, "seat": seat}
'''


async def test_what_a_person_chooses_decides_nothing(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubtful, "MOST_OF_A_COMMAND", 12)
    seats = " seat TEXT NOT NULL DEFAULT 'front' CHECK (seat IN ('front', 'back')),"
    tables = SCHEMA.replace("day TEXT NOT NULL,", f"day TEXT NOT NULL,{seats}")
    rows = ROWS.replace("INTO trips VALUES", "INTO trips (id, member_id, day, status) VALUES")
    connection = apsw.Connection(":memory:")
    connection.execute("PRAGMA page_size = 1024")
    connection.execute(f"{tables}{rows}UPDATE trips SET seat = 'back' WHERE id IN (2, 5);")
    seat = {"type": "string", "enum": ["front", "back"]}
    bundle = pool()
    bundle = replace(
        bundle,
        schema_sql=tables,
        states={"initial": replace(bundle.states["initial"], image=connection.serialize("main"))},
        tools=[
            *bundle.tools,
            tool(
                "choose_seat", schema({"trip_id": INTEGER, "seat": seat}), schema({"trip_id": INTEGER, "seat": STRING})
            ),
        ],
        tools_source=bundle.tools_source + CHOICE,
    )
    inspected = await Inspected.of(runtime, bundle)
    found = {one.doubt.about for one in await doubtful.accepted(inspected, await explore(inspected, []))}
    assert "trips.status" in found and "trips.seat" not in found


async def test_of_a_large_environment_few_calls_are_asked_about(runtime: Runtime, huts: Bundle) -> None:
    inspected = await Inspected.of(runtime, huts)
    found = await doubtful.accepted(inspected, await explore(inspected, []))
    commands = [one.step.tool for one in found]
    assert 0 < len(found) <= doubtful.MOST and max(map(commands.count, commands)) <= doubtful.MOST_OF_A_COMMAND


def clerk(verdict: str, asked: list[dict[str, Any]]) -> Any:
    """Whoever wrote the pool: a clerk with one answer to everything, who can mend the command when told."""

    def spoil(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        if question.schema == "clerk_review":
            asked.append(question.context)
            why = "It has to check the status." if verdict == "refuse" else ""
            numbers = [one["number"] for one in question.context["calls"]]
            return {"calls": [{"number": n, "verdict": verdict, "why": why} for n in numbers]}
        if question.schema == "inspection_revision":
            said = " ".join(finding["message"] for finding in question.context["report"])
            if "careful clerk" in said and "It has to check the status." in said:
                mended = source(*CAREFUL).partition("def move_trip")[2]
                return {"tools": [{"tool": "move_trip", "source": f"def move_trip{mended}"}]}
        return answer

    return spoil


async def inspected(
    runtime: Runtime, folder: Path, bundle: Bundle, verdict: str, revisions: int
) -> tuple[Inspection, list[dict[str, Any]]]:
    asked: list[dict[str, Any]] = []
    settings = InspectionSettings(rounds=1, revisions=revisions)
    async with judged_by(judge(clerk(verdict, asked)), folder) as gateway:
        return (await inspect_bundle(gateway, runtime, bundle, settings)).report, asked


SOUND_BUT_FOR_THE_STATUS = [check for check in CAREFUL if check != "status"]


async def test_what_a_clerk_would_refuse_is_mended(runtime: Runtime, tmp_path: Path) -> None:
    found, asked = await inspected(runtime, tmp_path, pool(*SOUND_BUT_FOR_THE_STATUS), "refuse", revisions=1)
    (context,) = asked
    assert {call["tool"] for call in context["calls"]} == {"move_trip"}
    assert {call["rows"][0]["row"]["status"] for call in context["calls"]} == {"driven", "cancelled"}
    assert found.revisions[-1].kept and "it is driven or cancelled" in (found.revised_source or "")
    assert found.failures == [] and found.dropped_tools == []


async def test_what_a_clerk_would_refuse_and_nobody_mends_is_dropped(runtime: Runtime, tmp_path: Path) -> None:
    found, _ = await inspected(runtime, tmp_path, pool(*SOUND_BUT_FOR_THE_STATUS), "refuse", revisions=0)
    said = {(one.tool, one.message.partition(". ")[2]) for one in found.findings if one.severity == "fail"}
    assert said == {("move_trip", "It has to check the status.")}
    assert found.dropped_tools == ["move_trip"]


async def test_what_a_clerk_finds_fine_stays(runtime: Runtime, tmp_path: Path) -> None:
    found, asked = await inspected(runtime, tmp_path, pool(*SOUND_BUT_FOR_THE_STATUS), "fine", revisions=1)
    assert len(asked) == 1
    assert found.failures == [] and found.revised_source is None


async def test_an_answer_of_the_clerk_that_leaves_calls_out_is_asked_for_again(
    runtime: Runtime, tmp_path: Path
) -> None:
    def spoil(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        return {"calls": [{"number": 7, "verdict": "refuse", "why": "So."}]} if "calls" in answer else answer

    async with judged_by(judge(spoil), tmp_path) as gateway:
        settings = InspectionSettings(rounds=1, revisions=1)
        made = await inspect_bundle(gateway, runtime, pool(*SOUND_BUT_FOR_THE_STATUS), settings)
    problems = {problem.message for attempt in made.attempts for problem in attempt.problems}
    assert problems >= {"There is no verdict on the call 1.", "There is no call 7."}
    assert made.report.failures == [], "nobody said anything of the call"


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ([{"number": 2, "verdict": "refuse", "why": "It has to check the status."}], 1),
        ([{"number": 2, "verdict": "refuse", "why": "  "}], 0),
        ([{"number": 2, "verdict": "refuse", "why": "So."}, {"number": 2, "verdict": "fine"}], 0),
        ([{"number": 2, "verdict": "perhaps"}], 0),
        ([], 0),
    ],
    ids=["one alone", "without a reason", "two verdicts", "a verdict that is none", "nothing"],
)
async def test_of_an_answer_with_mistakes_the_sound_verdicts_count(
    runtime: Runtime, tmp_path: Path, said: list[dict[str, Any]], refused: int
) -> None:
    def spoil(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        return {"calls": said} if question.schema == "clerk_review" else answer

    async with judged_by(judge(spoil), tmp_path) as gateway:
        settings = InspectionSettings(rounds=1, revisions=0)
        found = (await inspect_bundle(gateway, runtime, pool(*SOUND_BUT_FOR_THE_STATUS), settings)).report
    assert found.dropped_tools == ["move_trip"] * refused


async def test_nobody_is_asked_where_nothing_is_doubtful(runtime: Runtime, tmp_path: Path) -> None:
    found, asked = await inspected(runtime, tmp_path, pool(*CAREFUL), "refuse", revisions=1)
    assert asked == [] and found.failures == []


def test_the_pool_is_written_as_its_checks_say() -> None:
    assert "member_id = :me" in pool("owner").tools_source and "member_id = :me" not in pool().tools_source
    assert replace(pool()).tools_source == pool().tools_source
