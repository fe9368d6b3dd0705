"""Runs every attack through a real runtime, as whoever started it, and prints what became of each as JSON.

    python -m tests.security.runner

It is a process of its own so that the suite can run as root and as an ordinary user, and because what it watches is
itself: its memory, its descriptors, its children. Belongs here: how attacks are run and what is looked at afterwards.
Does not: what is expected (`test_attacks`).
"""

import asyncio
import contextlib
import dataclasses
import json
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.security import attacks_on_python, attacks_on_sqlite, attacks_on_the_channel, attacks_on_the_machine
from tests.security.attack import Attack, Place, program_source, tool_source, verifier_source
from tests.support.tiny import STRING, schema, tiny, tool

TABLES = [
    attacks_on_the_machine.ATTACKS,
    attacks_on_python.ATTACKS,
    attacks_on_sqlite.ATTACKS,
    attacks_on_the_channel.ATTACKS,
]
ATTACKS = [attack for table in TABLES for attack in table]
PATIENT = RuntimeSettings(
    sessions_per_worker=1,
    call_seconds=30.0,
    program_seconds=30.0,
    program_calls=50,
    worker_memory_bytes=256 << 20,
)
STRICT = dataclasses.replace(PATIENT, call_seconds=1.5, program_seconds=1.5)
"""For attacks that end only when their deadline passes."""
SECRET = "sk-a-secret-of-whoever-runs-this"
Verdict = dict[str, Any]


class Arena:
    """A runtime, the victims in it, and what there would be to steal."""

    def __init__(self, runtime: Runtime, bystander: Session, here: dict[str, Any]) -> None:
        self.runtime = runtime
        self.bystander = bystander
        self.here = here
        self.hostile: dict[str, Bundle] = {}
        """The environment with the tool that makes the attack of that name."""
        for number, table in enumerate(TABLES):
            tools = [attack for attack in table if "tool" in attack.places]
            definitions = [tool(attack.name, result=schema({"loot": STRING})) for attack in tools]
            bundle = tiny(f"hostile-{number}", source=tool_source(tools, here), definitions=definitions)
            self.hostile |= dict.fromkeys((attack.name for attack in tools), bundle)
        self.harmless = tiny("harmless")

    async def judged(self, attacks: list[tuple[Attack, Place]]) -> dict[str, Verdict]:
        """What becomes of these attacks when they are made at the same time."""
        bundles = [self.hostile[attack.name] if place == "tool" else self.harmless for attack, place in attacks]
        sessions = [await self.runtime.open(bundle) for bundle in bundles]
        said = await asyncio.gather(*map(self.attacked, attacks, sessions))
        verdicts = {
            f"{attack.name} as {place}": await self.verdict(words, session)
            for (attack, place), words, session in zip(attacks, said, sessions, strict=True)
        }
        for session in sessions:
            await session.close()
        return verdicts

    async def attacked(self, one: tuple[Attack, Place], session: Session) -> str:
        """How the attack is described to whoever ran it."""
        attack, place = one
        if place == "tool":
            result = await session.call(attack.name)
            return result.error or f"it returned {result.value!r:.200}"
        if place == "program":
            program = await self.runtime.run_program(session, program_source(attack, self.here))
            return program.error or f"it returned {program.answer!r:.200}"
        image = self.harmless.states["initial"].image
        source = verifier_source(attack, self.here)
        try:
            (signal,) = await self.runtime.run_verifier(source, initial=image, final=image)
        except EnvironmentFault as fault:
            return str(fault)
        return signal.error or f"it returned {signal.value!r:.200}"

    async def verdict(self, said: str, session: Session) -> Verdict:
        """What was said, and whether the next call of the same session and one of another work as ever."""
        again = await session.call("list_items", {"most": 12})
        other = await self.bystander.call("place_order", {"item_id": 1})
        return {"said": said, "recovered": again.ok, "unchanged": await session.changes() == [], "bystander": other.ok}


@contextlib.contextmanager
def surroundings() -> Iterator[dict[str, Any]]:
    """A folder, sockets and a secret that only the sandbox stands before."""
    abstract = f"\0security-{os.getpid()}"
    with (
        tempfile.TemporaryDirectory() as name,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as nameless,
        patch.dict(os.environ, {"OPENAI_API_KEY": SECRET}),
    ):
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "precious").write_text("a file")
        (folder / "precious").chmod(0o666)
        unix.bind(str(folder / "unix"))
        (folder / "unix").chmod(0o777)
        unix.listen()
        nameless.bind(abstract)
        nameless.listen()
        yield {"FOLDER": name, "PORT": server.getsockname()[1], "ABSTRACT": abstract, "SUPERVISOR": os.getpid()}


async def processes_of(runtime: Runtime) -> list[int]:
    """The zygote and the one worker, as soon as whoever compiled the tools has gone."""
    async with asyncio.timeout(60):
        while len(runtime.pids) > 2:  # noqa: ASYNC110 - no event tells that a process has ended
            await asyncio.sleep(0.01)
    return runtime.pids


async def report() -> dict[str, Any]:
    with surroundings() as here:
        async with Runtime(PATIENT) as patient, Runtime(STRICT) as strict:
            bystander = await patient.open(tiny("bystander"))
            zygote, sibling = await processes_of(patient)
            here |= {"ZYGOTE": zygote, "SIBLING": sibling}
            descriptors = len(os.listdir("/proc/self/fd"))
            everything = [(attack, place) for attack in ATTACKS for place in attack.places]
            quickly = Arena(patient, bystander, here)
            verdicts = [await quickly.judged([one]) for one in everything if not one[0].slow]
            verdicts.append(await Arena(strict, bystander, here).judged([one for one in everything if one[0].slow]))
            survivors = {"zygote": zygote in patient.pids, "bystander": sibling in patient.pids}
            orders = len([change for change in await bystander.changes() if change.table == "orders"])
            kept = len(os.listdir("/proc/self/fd")) - descriptors
        files = sorted(path.name for path in Path(here["FOLDER"]).iterdir())
    return {
        "user": os.getuid(),
        "verdicts": {name: verdict for some in verdicts for name, verdict in some.items()},
        "survivors": survivors,
        "orders": orders,
        "descriptors_kept": kept,
        "files": files,
        "peak_mb": peak_mb(),
        "children": children(),
    }


def peak_mb() -> int:
    """The most memory this process has held. Not by getrusage, which counts what it was forked from as well."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def children() -> list[str]:
    """The processes of this process; every one of them an orphan by now."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


if __name__ == "__main__":
    print(json.dumps(asyncio.run(report())))
