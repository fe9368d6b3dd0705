"""What passes between sessions of one environment: nothing at one session a worker, whatever its code tries; nothing by
accident where sessions share a worker."""

import os
import select
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.security.attack import prelude
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)

TEXTS = {"type": "array", "items": STRING}

SPY = tiny(
    "spy",
    source=prelude({})
    + r'''
def places(env):
    """Everything this process has that outlives a call and a session."""
    modules = [name for name in MODULES if name.startswith(("envfactory_dagster.", "builtins", "json", "apsw"))]
    found = {name: MODULES[name].__dict__ for name in modules}
    found["os.environ"] = os.environ
    found["sys.modules"] = MODULES
    found["what tools see of builtins"] = MODULES["envfactory_dagster.runtime.facade"].SAFE_BUILTINS
    found["this module"] = places.__globals__
    return found

def worker():
    """The object that holds the sessions of this process, from a frame below."""
    frame = sys._getframe()
    while "worker" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["worker"]

def leave_message(env, *, text: str) -> dict:
    """Write a message wherever it might stay."""
    for place in places(env).values():
        place["MESSAGE"] = text
    type(env).message = env.Error.message = text
    env.codes["MESSAGE"] = 1
    connection = env._database._connection
    connection.authorizer = None
    connection.execute("CREATE TEMP TABLE message AS SELECT ? AS text", (text,))
    connection.create_scalar_function("message", lambda: text)
    ctypes.CDLL(None).setenv(b"MESSAGE", text.encode(), 1)
    signal.signal(signal.SIGUSR1, lambda *_: text)
    worker().message = text
    return {}

def find_message(env) -> dict:
    """Where a message was found."""
    found = [name for name, place in places(env).items() if "MESSAGE" in place]
    found += [str(thing) for thing in (type(env), env.Error, worker()) if hasattr(thing, "message")]
    found += ["env.codes"] if "MESSAGE" in env.codes else []
    connection = env._database._connection
    connection.authorizer = None
    for sql in ("SELECT text FROM message", "SELECT message()"):
        try:
            found.append(str(connection.execute(sql).get))
        except apsw.SQLError:
            continue
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    found += ["the C environment"] if getenv(b"MESSAGE") else []
    found += ["a signal handler"] if callable(signal.getsignal(signal.SIGUSR1)) else []
    return {"found": found}

def keep_secret(env, *, text: str) -> dict:
    """A row that only its own session should see."""
    env.insert("INSERT INTO users (name) VALUES (?)", [text])
    return {}

def find_secrets(env) -> dict:
    """Look for the rows of others: in the worker's sessions, and in every object there is."""
    pages = [page for session in worker()._sessions.values() for page in session.pages.written.values()]
    key, seen, waiting = re.compile(rb"a-secret-of-[a-z]+"), set(), [MODULES, sys._getframe(), *pages]
    found = set()
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, (str, bytes)):
            found |= set(key.findall(thing.encode("utf-8", "replace") if isinstance(thing, str) else thing))
        if id(thing) not in seen:
            seen.add(id(thing))
            waiting += gc.get_referents(thing)
    if len(seen) < 20_000:
        raise LookupError(f"only {len(seen)} objects")
    return {"found": sorted(text.decode() for text in found)}
''',
    definitions=[
        tool("leave_message", schema({"text": STRING})),
        tool("find_message", result=schema({"found": TEXTS})),
        tool("keep_secret", schema({"text": STRING})),
        tool("find_secrets", result=schema({"found": TEXTS})),
    ],
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def isolated() -> AsyncIterator[Runtime]:
    async with Runtime(RuntimeSettings(sessions_per_worker=1)) as runtime:
        yield runtime


async def leave_message(session: Session) -> None:
    assert (await session.call("leave_message", {"text": "meet me"})).ok
    assert len(await found_by(session, "find_message")) > 15, "the message can be read where it was left"


async def found_by(session: Session, tool: str) -> list[str]:
    result = await session.call(tool)
    assert isinstance(result.value, dict), result.error
    assert isinstance(result.value["found"], list)
    return [str(place) for place in result.value["found"]]


async def test_no_message_reaches_a_session_that_lives_at_the_same_time(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as one, await isolated.open(SPY) as two:
        await leave_message(one)
        assert await found_by(two, "find_message") == []


async def test_no_message_reaches_the_next_session(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as one:
        await leave_message(one)
    async with await isolated.open(SPY) as two:
        assert await found_by(two, "find_message") == []


async def test_no_message_survives_a_reset(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as session:
        await leave_message(session)
        await session.reset()
        assert await found_by(session, "find_message") == []


async def test_a_message_goes_to_a_fork_only_in_its_database(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as session:
        await leave_message(session)
        async with await isolated.fork(session) as fork:
            assert await found_by(fork, "find_message") == ["env.codes"]


async def test_no_message_reaches_the_next_of_a_pool(isolated: Runtime) -> None:
    async with SessionPool(isolated) as pool:
        pool.prefetch(SPY, 2)
        for _ in range(3):
            async with pool.session(SPY) as session:
                assert await found_by(session, "find_message") == []
                await leave_message(session)


async def test_no_message_survives_the_death_of_its_process(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as one, await isolated.open(SPY) as two:
        await leave_message(one)
        worker = isolated.pids[-2]
        ended = os.pidfd_open(worker)
        os.kill(worker, signal.SIGKILL)
        assert select.select([ended], [], [], 10)[0]
        os.close(ended)
        assert await found_by(two, "find_message") == []
        # Its own process was made again by repeating its calls, so that it finds what these calls left.
        assert len(await found_by(one, "find_message")) > 15


async def test_no_row_of_another_session_can_be_found(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as victim, await isolated.open(SPY) as thief:
        assert (await victim.call("keep_secret", {"text": "a-secret-of-ann"})).ok
        assert await found_by(victim, "find_secrets") == ["a-secret-of-ann"], "the search finds what is there"
        assert await found_by(thief, "find_secrets") == []
        await victim.close()
        async with await isolated.open(SPY) as next_one:
            assert await found_by(next_one, "find_secrets") == []


async def test_no_row_of_the_last_episode_can_be_found(isolated: Runtime) -> None:
    async with await isolated.open(SPY) as session:
        assert (await session.call("keep_secret", {"text": "a-secret-of-ann"})).ok
        await session.reset()
        assert await found_by(session, "find_secrets") == []


async def test_environments_never_share_a_process(runtime: Runtime) -> None:
    async with await runtime.open(SPY) as one, await runtime.open(tiny("spy-too")) as two:
        assert one.host_identity != two.host_identity


CARELESS = tiny(
    "careless",
    source='''
import decimal
import functools

SEEN = []

def remembers(env, *, text: str, earlier=[]) -> dict:
    """Keeps state wherever Python programs keep it by mistake."""
    found = [*SEEN, *earlier, *getattr(remembers, "texts", ())]
    SEEN.append(text)
    earlier.append(text)
    remembers.texts = [*getattr(remembers, "texts", ()), text]
    return {"found": found}

@functools.cache
def _once(text):
    return [text]

def caches(env, *, text: str) -> dict:
    """Keeps state in a cache."""
    found = list(_once("x"))
    _once("x").append(text)
    return {"found": found[1:]}

def rounds(env, *, digits: int) -> dict:
    """Sets the precision of the whole process."""
    before = decimal.getcontext().prec
    decimal.getcontext().prec = digits
    return {"number": before}

def moves_the_clock(env) -> dict:
    """Overwrites what the session is given."""
    env.now = "1999-01-01T00:00:00"
    return {}

def tells_the_time(env) -> dict:
    """What the session is given."""
    return {"found": [env.now, str(env.user_id), env.new_id("ORD")]}

def updates_nothing(env) -> dict:
    """Asks how many rows changed where none did."""
    return {"number": env.execute("UPDATE items SET stock = 1 WHERE id = 999", [])}

def inserts_nothing(env) -> dict:
    """Asks for the id of a row that was not created."""
    return {"number": env.insert("INSERT OR IGNORE INTO items (id, name, price, stock) VALUES (1, 'x', 1.0, 1)", [])}

def asks_the_connection(env) -> dict:
    """Asks for what only the connection knows."""
    return {"number": env.one("SELECT last_insert_rowid() + changes() + total_changes() AS n")["n"]}

def leaves_a_table(env) -> dict:
    """Makes a temporary table."""
    env.execute("CREATE TEMP TABLE scratch (x)", [])
    return {}

def leaves_a_loop_open(env) -> dict:
    """Breaks off in the middle of a query."""
    for row in env.query("SELECT id FROM items ORDER BY id", []):
        return {"number": row["id"]}

def adds_a_user(env, *, text: str) -> dict:
    """Creates a row."""
    return {"number": env.insert("INSERT INTO users (name) VALUES (?)", [text])}

def lists_users(env) -> dict:
    """The same statement in every session."""
    return {"found": [row["name"] for row in env.query("SELECT name FROM users ORDER BY id")]}
''',
    definitions=[
        *(tool(name, schema({"text": STRING}), schema({"found": TEXTS})) for name in ("remembers", "caches")),
        *(tool(name, result=schema({"found": TEXTS})) for name in ("tells_the_time", "lists_users")),
        *(tool(name) for name in ("moves_the_clock", "leaves_a_table")),
        *(
            tool(name, result=schema({"number": INTEGER}))
            for name in ("updates_nothing", "inserts_nothing", "asks_the_connection", "leaves_a_loop_open")
        ),
        tool("rounds", schema({"digits": INTEGER}), schema({"number": INTEGER})),
        tool("adds_a_user", schema({"text": STRING}), schema({"number": INTEGER})),
    ],
)

EVERYTHING: list[tuple[str, dict[str, object]]] = [
    ("remembers", {"text": "one"}),
    ("caches", {"text": "one"}),
    ("rounds", {"digits": 3}),
    ("moves_the_clock", {}),
    ("tells_the_time", {}),
    ("updates_nothing", {}),
    ("inserts_nothing", {}),
    ("asks_the_connection", {}),
    ("leaves_a_table", {}),
    ("leaves_a_loop_open", {}),
    ("adds_a_user", {"text": "Cy"}),
    ("lists_users", {}),
    ("place_order", {"item_id": 1}),
]


async def test_careless_code_leaks_nothing_to_a_session_in_the_same_process(runtime: Runtime) -> None:
    async with await runtime.open(CARELESS) as alone:
        # What a session is told when nobody was there before it.
        expected = [await alone.call(name, arguments) for name, arguments in EVERYTHING]  # type: ignore[arg-type]
    refused = [name for (name, _), result in zip(EVERYTHING, expected, strict=True) if not result.ok]
    assert refused == ["moves_the_clock", "asks_the_connection", "leaves_a_table"]
    async with await runtime.open(CARELESS) as one, await runtime.open(CARELESS) as two:
        assert one.host_identity == two.host_identity
        for (name, arguments), once in zip(EVERYTHING, expected, strict=True):
            for session in (one, two):
                assert await session.call(name, arguments) == once, name  # type: ignore[arg-type]
        await one.reset()
        async with await runtime.fork(one) as fork:
            for session in (one, fork):
                told = [await session.call(name, arguments) for name, arguments in EVERYTHING]  # type: ignore[arg-type]
                assert told == expected
        assert await one.state_hash() == await two.state_hash()


async def test_what_one_call_sets_for_decimals_does_not_reach_the_next(runtime: Runtime) -> None:
    async with await runtime.open(CARELESS) as session:
        first, second = await session.call_many([("rounds", {"digits": 3}), ("rounds", {"digits": 4})])
        assert first.value == second.value == {"number": 28}
