"""What an attack is, and how its code is put where hostile code can be: in a tool, a verifier, a solution program.

Belongs here: the form of the tables in `attacks_on_*`, the modules made from them. Does not: running them (`runner`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any, Literal

Place = Literal["tool", "verifier", "program"]

EVERYWHERE: tuple[Place, ...] = ("tool", "verifier", "program")
WITH_A_DATABASE: tuple[Place, ...] = ("tool", "verifier")
TOOL: tuple[Place, ...] = ("tool",)
PROGRAM: tuple[Place, ...] = ("program",)

SECCOMP = "seccomp refuses the system call"
SECCOMP_KILLS = "seccomp ends the process"
CLOSED = "descriptors were closed before the first untrusted byte"
EMPTY = "the process was started with an empty environment and has seen no other"
LIMITS = "the kernel limits the process"
WATCHDOG = "the supervisor ends what takes too long"
CONTAINED = "only the worker dies; the supervisor replaces it"
PYTHON = "the interpreter defends itself"
FACADE = "the façade: hygiene, for code that has not broken out of it"
AUTHORIZER = "SQLite's authorizer and limits: hygiene, for code that has not broken out of the façade"
SUPERVISOR = "the supervisor believes nothing that it did not ask for"

REFUSED = "Operation not permitted"
FORBIDDEN_CALL = "the sandbox ended it for a forbidden system call"
BROKE_THE_PROTOCOL = "it broke the protocol"
TOO_LATE: Mapping[Place, str] = {
    "tool": "did not answer in time and was stopped",
    "verifier": "it ran longer than",
    "program": "it ran longer than",
}


@dataclass(frozen=True, slots=True)
class Attack:
    """The body of a function `(sees, query, connection)`: what the code was given (`env`, `world` or `tools`), a way to
    run SQL, an SQLite connection. An attack that returns has succeeded; what it returns is its loot."""

    name: str
    code: str
    layer: str
    """What denies it, or what bears it."""
    says: str | Mapping[Place, str]
    """How the failure is described to whoever ran the code; by place where that differs."""
    places: tuple[Place, ...] = EVERYWHERE
    slow: bool = False
    """Ends only when its deadline passes."""

    def expected(self, place: Place) -> str:
        return self.says if isinstance(self.says, str) else self.says[place]

    @property
    def function(self) -> str:
        return f"def _{self.name}(sees, query, connection):\n{indent(self.code.strip(), '    ')}\n"


PRELUDE = '''
import collections, json, re, statistics, string

MODULES = collections._sys.modules  # one attribute away from every module the process has loaded: Python is no boundary
os, sys, time, socket, signal, struct, ctypes, marshal, gc, importlib, apsw, resource = (
    MODULES[name]
    for name in "os sys time socket signal struct ctypes marshal gc importlib apsw resource".split()
)

def channel():
    """The socket to the supervisor, from a frame far below."""
    frame = sys._getframe()
    while "channel" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["channel"]._connection

def say(text, blob=b""):
    """Forge a message."""
    data = text.encode() if isinstance(text, str) else text
    channel().sendall(struct.pack("<II", len(data), len(blob)) + data + blob)

def system_call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

'''


def prelude(here: dict[str, Any]) -> str:
    """The beginning of every hostile module; `here` tells it what there would be to get."""
    return PRELUDE + "".join(f"{name} = {value!r}\n" for name, value in here.items())


def tool_source(attacks: list[Attack], here: dict[str, Any]) -> str:
    """One module with a tool for each attack."""
    calls = [
        f"def {attack.name}(env) -> dict:\n"
        f"    return {{'loot': str(_{attack.name}(env, env.query, env._database._connection))}}\n"
        for attack in attacks
    ]
    return "\n".join([prelude(here), *(attack.function for attack in attacks), *calls])


def verifier_source(attack: Attack, here: dict[str, Any]) -> str:
    call = (
        f"def goal_{attack.name}(world) -> bool:\n"
        f"    return str(_{attack.name}(world, world.final.query, world.final._connection))\n"
    )
    return "\n".join([prelude(here), attack.function, call])


def program_source(attack: Attack, here: dict[str, Any]) -> str:
    call = f"def solve(tools):\n    return str(_{attack.name}(tools, None, apsw.Connection(':memory:')))\n"
    return "\n".join([prelude(here), attack.function, call])
