"""The gate of the database schema, on the alpine huts: it takes them as they are, and names every defect."""

import re
from collections.abc import Callable

import pytest

from envfactory_dagster.authoring.database_schema import problems_of
from envfactory_dagster.contracts.database import Table
from envfactory_dagster.runtime.runtime import Runtime
from tests.support.alpine_author import huts, tables

Tables = list[Table]
Spoil = Callable[[Tables], Tables]


def replaced(name: str, old: str, new: str) -> Spoil:
    def spoil(tables: Tables) -> Tables:
        changed = next(table for table in tables if table.name == name)
        assert old in changed.ddl
        spoiled = changed.model_copy(update={"ddl": changed.ddl.replace(old, new, 1)})
        return [spoiled if table.name == name else table for table in tables]

    return spoil


def indexed(statement: str) -> Spoil:
    return lambda tables: [tables[0].model_copy(update={"indexes": [statement]}), *tables[1:]]


def alone(name: str) -> Table:
    return Table(name=name, ddl=f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT")


DEFECTS: dict[str, tuple[Spoil, str]] = {
    "not strict": (replaced("meals", ") STRICT", ")"), "meals is not STRICT"),
    "no primary key": (replaced("meals", "id INTEGER PRIMARY KEY", "id INTEGER"), "meals has no primary key"),
    "a syntax error": (replaced("meals", "name TEXT NOT NULL,", "name TEXT NOT NULL"), "meals"),
    "two statements": (
        replaced("guides", ") STRICT", ") STRICT; DROP TABLE huts"),
        "guides: expected exactly one CREATE",
    ),
    "not a table": (replaced("guides", "CREATE TABLE guides (", "CREATE VIEW guides AS SELECT ("), "guides"),
    "another table's name": (
        replaced("guides", "TABLE guides", "TABLE leaders"),
        "The CREATE TABLE of guides is about",
    ),
    "filled while created": (
        replaced("guides", "TABLE guides (", 'TABLE "guides" ('),
        "guides: write names without quotes",
    ),
    "an unknown parent": (replaced("meals", "REFERENCES huts", "REFERENCES lodges"), "meals names the table lodges"),
    "an unknown parent column": (replaced("meals", "REFERENCES huts (id)", "REFERENCES huts (ref_no)"), "meals"),
    "a reference to no key": (replaced("meals", "huts (id)", "huts (altitude_m)"), r"meals \(hut_id\) refers to huts"),
    "a reference of another type": (replaced("meals", "hut_id INTEGER", "hut_id TEXT"), "of different types"),
    "a clock as a default": (
        replaced("payments", "confirmed_at TEXT", "confirmed_at TEXT DEFAULT CURRENT_TIMESTAMP"),
        "clock",
    ),
    "chance as a default": (
        replaced("meals", "name TEXT NOT NULL", "name TEXT DEFAULT (random())"),
        "no default from a clock or",
    ),
    "a password": (replaced("people", "phone TEXT", "phone TEXT, password TEXT"), "leave out 'password'"),
    "a table of logins": (lambda t: [*t, alone("logins")], "leave out 'logins'"),
    "an unknown type": (replaced("guides", "full_name TEXT", "full_name BLOB"), "guides.full_name is BLOB"),
    "a generated column": (replaced("guides", "full_name TEXT NOT NULL", "full_name TEXT AS ('x')"), "is generated"),
    "a name in capitals": (replaced("guides", "full_name", "fullName"), "column names are snake_case"),
    "a child before its parent": (lambda t: [t[0], t[-1], *t[1:-1]], "which comes later: put parents first"),
    "people in another place": (lambda t: [t[-1], *t[:-1]], "The first table, warden_messages, must hold the people"),
    "tables that stand alone": (lambda t: [*t, alone("notes"), alone("facts")], "from another: notes, facts"),
    "an entity without a table": (
        lambda t: [x for x in t if "weather" not in x.name],
        "No table keeps 'weather reports'",
    ),
    "a table twice": (lambda t: [*t, t[-1]], "Two tables are called warden_messages"),
    "too few tables": (lambda t: t[:3], "There are 3 tables; give 12 to"),
    "nothing at all": (lambda t: [], "There are 0 tables"),
    "an index on another table": (indexed("CREATE INDEX x ON huts (name)"), "The CREATE INDEX of people is about huts"),
    "an index on nothing": (indexed("CREATE INDEX x ON people (shoe_size)"), "SQLite does not create people"),
    "a trigger for an index": (indexed("CREATE TRIGGER x AFTER INSERT ON people BEGIN SELECT 1; END"), "people"),
}


async def test_the_huts_are_accepted(runtime: Runtime) -> None:
    assert await problems_of(runtime, tables(), huts().tasks, 12) == []


@pytest.mark.parametrize("defect", DEFECTS)
async def test_a_defect_is_named(defect: str, runtime: Runtime) -> None:
    spoil, message = DEFECTS[defect]
    problems = await problems_of(runtime, spoil(list(tables())), huts().tasks, 12)
    assert {problem.fault for problem in problems} == {"schema"}
    assert any(re.search(message, problem.message) for problem in problems), [p.message for p in problems]


async def test_one_report_names_every_table_that_cannot_be_built(runtime: Runtime) -> None:
    spoiled = replaced("meals", "REAL" if "REAL" in tables()[-1].ddl else "TEXT", "TXT")(list(tables()))
    spoiled = replaced("guides", "TEXT", "TXT")(spoiled)
    problems = await problems_of(runtime, spoiled, huts().tasks, 12)
    assert {problem.message.split()[4].strip(":") for problem in problems} == {
        "meals",
        "guides",
    }


async def test_people_may_refer_to_a_table_that_comes_later(runtime: Runtime) -> None:
    spoiled = replaced("people", "email TEXT,", "email TEXT, home_region_id INTEGER REFERENCES regions (id),")(
        list(tables())
    )
    assert await problems_of(runtime, spoiled, huts().tasks, 12) == []


def checked(condition: str) -> str:
    return f"CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, CHECK ({condition})) STRICT"


HOSTILE = {
    "a condition of many levels": Table(name="people", ddl=checked("(" * 3_900 + "1" + ")" * 3_900)),
    "a condition of 60 levels that is none": Table(name="people", ddl=checked("(" * 60 + "age age" + ")" * 60)),
    "a word that parsers read in two ways": Table(name="people", ddl=checked("STRUCT(" * 40 + "1" + ")" * 40)),
    "nothing but brackets": Table(name="people", ddl="CREATE TABLE people (" + "[" * 7_900),
    "many indexes": Table(
        name="people", ddl=checked("age > 0"), indexes=[f"CREATE INDEX i{n} ON people (age)" for n in range(40_000)]
    ),
    "a query behind it": Table(name="people", ddl="CREATE TABLE people AS WITH x AS (SELECT 1) SELECT * FROM x"),
}


@pytest.mark.parametrize("what", HOSTILE)
async def test_definitions_that_take_parsers_apart_are_refused_as_the_authors_mistake(
    what: str, runtime: Runtime
) -> None:
    problems = await problems_of(runtime, [HOSTILE[what], *tables()[1:]], huts().tasks, 12)
    assert {problem.fault for problem in problems} == {"schema"}
    assert any("people" in problem.message for problem in problems)


async def test_far_too_many_tables_are_counted_and_not_looked_at(runtime: Runtime) -> None:
    many = [Table(name=f"t{n}", ddl="CREATE TABLE t (") for n in range(20_000)]
    problems = await problems_of(runtime, many, [], 12)
    assert [problem.message for problem in problems] == ["There are 20000 tables; give 12 to 60."]


async def test_definitions_may_be_written_in_every_way_that_sqlite_reads(runtime: Runtime) -> None:
    first = tables()[0]
    commented = f"/* who; what */ {first.ddl.replace('CREATE TABLE', 'create table if not exists', 1)} -- all;\n;\n"
    assert (
        await problems_of(runtime, [first.model_copy(update={"ddl": commented}), *tables()[1:]], huts().tasks, 12) == []
    )
