"""Published code draws, and looks at the clock, and yet does the same in every run."""

import pytest

from envfactory_dagster.runtime.published_modules import PublishedModules

DRAWS = {
    "secrets": "import secrets\nfound = [secrets.token_hex(4), secrets.token_urlsafe(), secrets.choice('abcdefgh'), "
    "secrets.randbelow(10 ** 9), secrets.token_bytes(), secrets.randbits(60), secrets.SystemRandom().random()]",
    "random": "import random\nrandom.seed()\nfound = [random.random(), random.Random().random(), "
    "random.SystemRandom().random()]\none = random.Random(7)\none.seed()\nfound.append(one.random())",
    "uuid": "import uuid\nfound = [uuid.uuid4(), uuid.uuid1(), uuid.getnode()]",
    "time": "import time\nfound = [time.time(), time.monotonic(), time.perf_counter_ns(), time.process_time(), "
    "time.ctime(), time.asctime(), time.clock_gettime(time.CLOCK_REALTIME)]",
    "datetime": "import datetime\nfound = [datetime.datetime.now(), datetime.datetime.now(datetime.UTC), "
    "datetime.date.today(), datetime.datetime.utcnow()]",
}


def found(source: str, clock: str = "2026-03-02T09:00:00", seed: str = "a call") -> list[object]:
    modules = PublishedModules({"it": compile(source, "it", "exec")}, lambda: clock)
    modules.begin(seed)
    drawn: list[object] = modules.load("it").found
    return drawn


@pytest.mark.parametrize("module", DRAWS)
def test_the_same_in_every_run(module: str) -> None:
    first = found(DRAWS[module])
    assert found(DRAWS[module]) == first
    is_clock = module in ("time", "datetime")
    other = found(DRAWS[module], clock="2026-03-03T10:00:00") if is_clock else found(DRAWS[module], seed="another")
    constant = 1 if module == "uuid" else 0  # a machine has one node
    assert sum(one == two for one, two in zip(first, other, strict=True)) == constant


def test_a_generator_with_a_seed_is_pythons() -> None:
    assert found("import random\nfound = [random.Random(7).random()]") == [0.32383276483316237]


def test_what_a_module_draws_while_it_is_loaded_is_the_same_in_every_run() -> None:
    code = compile("import random, uuid\nfound = [random.random(), uuid.uuid4()]", "it", "exec")
    first, second = (PublishedModules({"it": code}, lambda: "").load("it").found for _ in range(2))
    assert first == second


def test_a_generator_is_kept_from_call_to_call() -> None:
    modules = PublishedModules({"it": compile("import random\none = random.Random(7)", "it", "exec")}, lambda: "")
    kind = type(modules.load("it").one)
    assert modules.find(modules.name(kind)) is kind
