"""Python modules that others published, executed with what they import: each other, parts of the standard library,
Pydantic, and stand-ins for what would reach out of the world.

Belongs here: what may be imported, the frozen clock and the repeatable randomness behind it. Does not: confining the
process (`lockdown`), and what the modules' objects become (`object_state`).
"""

import base64
import builtins
import datetime as real_datetime
import importlib
import random
import secrets as real_secrets
import sys
import time as real_time
import types
import uuid as real_uuid
import warnings
from collections.abc import Callable, Mapping
from types import CodeType, ModuleType
from typing import Any

PREFIX = "published."
"""Of the names that the modules have in `sys.modules`, so that none hides one of ours."""

IMPORTABLE = frozenset(
    (
        *("__future__", "abc", "array", "ast", "base64", "binascii", "bisect", "calendar", "cmath", "collections"),
        *("colorsys", "contextlib", "copy", "dataclasses", "decimal", "difflib", "enum", "fnmatch", "fractions"),
        *("functools", "hashlib", "heapq", "hmac", "html", "inspect", "io", "itertools", "json", "keyword", "locale"),
        *("logging", "math", "numbers", "operator", "posixpath", "pprint", "random", "re", "secrets", "shlex"),
        *("statistics", "string", "struct", "textwrap", "traceback", "types", "typing", "typing_extensions"),
        *("unicodedata", "urllib.parse", "warnings", "weakref", "zlib", "zoneinfo", "pydantic", "pydantic_core"),
        *("annotated_types", "copyreg", "builtins", "_strptime"),
    )
)
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime")
_HIDDEN = frozenset(("open", "input", "breakpoint", "help", "exit", "quit"))


def import_everything() -> None:
    """In the process that workers are forked from: a worker can read no file."""
    for name in sorted(IMPORTABLE):
        importlib.import_module(name)
    import pydantic

    with warnings.catch_warnings(action="ignore"):  # some of its names are there to say that they are going
        for name in pydantic.__all__:
            getattr(pydantic, name)
    text = pydantic.Field(default="", description="")
    pydantic.create_model("Warm", text=(str, text))(text="").model_dump()


class PublishedModules:
    """Loaded when they are asked for. `now` is a moment in ISO form: the clock stands still there."""

    def __init__(self, codes: Mapping[str, CodeType], now: Callable[[], str]) -> None:
        self._codes = codes
        self._now = now
        self._loaded: dict[str, ModuleType] = {}
        self._packages = {name.rsplit(".", n)[0] for name in codes for n in range(1, name.count(".") + 1)}
        self._stand_ins = {**_clock_modules(now), **_chance_modules(), **_reaching_out()}
        self._builtins = {name: value for name, value in vars(builtins).items() if name not in _HIDDEN}
        self._builtins["__import__"] = self._import
        self.begin("load")

    def load(self, name: str) -> ModuleType:
        if name in self._loaded:
            return self._loaded[name]
        module = ModuleType(PREFIX + name)
        module.__dict__["__builtins__"] = self._builtins
        module.__package__ = name if name in self._packages else name.rpartition(".")[0]
        if name in self._packages:
            module.__path__ = []
        self._loaded[name] = module
        sys.modules[PREFIX + name] = module
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(self.load(parent), last, module)
        if name in self._codes:
            exec(self._codes[name], module.__dict__)
        return module

    def begin(self, seed: str) -> None:
        """Before each call, so that what is drawn at random depends on the call and the state alone."""
        random.seed(seed)

    def name(self, value: Any) -> str:
        """`module:name` of a class or function that can be found again."""
        owner, qualified = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
        if not isinstance(owner, str) or not isinstance(qualified, str) or "<" in qualified:
            raise LookupError(f"a {type(value).__name__} without a name cannot be kept from call to call")
        name = f"{owner.removeprefix(PREFIX)}:{qualified}"
        if self.find(name) is not value:
            raise LookupError(f"{name} is not what its name says, and cannot be kept from call to call")
        return name

    def find(self, name: str) -> Any:
        owner, _, qualified = name.partition(":")
        found: Any = self._module(owner)
        for part in qualified.split("."):
            found = getattr(found, part, None)
        if found is None:
            raise LookupError(f"there is no {name}")
        return found

    def _module(self, name: str) -> ModuleType:
        if name in self._codes or name in self._packages:
            return self.load(name)
        if name in self._stand_ins:
            return self._stand_ins[name]
        if name in IMPORTABLE or any(name.startswith(f"{known}.") for known in IMPORTABLE):
            return importlib.import_module(name)
        raise ImportError(f"published code may not import {name!r} here")

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level:
            package = (globals or {}).get("__package__", "").split(".")
            base = package[: len(package) - level + 1]
            name = ".".join([*base, *([name] if name else [])])
        module = self._module(name)
        for part in fromlist or ():
            whole = f"{name}.{part}"
            if not hasattr(module, part) and (whole in self._codes or whole in self._stand_ins):
                setattr(module, part, self._module(whole))
        if fromlist or "." not in name:
            return module
        top, *rest = name.split(".")
        outer = whole_of = self._module(top)
        for part in rest:
            top = f"{top}.{part}"
            if not hasattr(whole_of, part):
                setattr(whole_of, part, self._module(top))
            whole_of = getattr(whole_of, part)
        return outer


# -- stand-ins ---------------------------------------------------------------------------------------------------------


def _module_of(name: str, like: ModuleType | None = None, **content: Any) -> ModuleType:
    module = ModuleType(name)
    if like is not None:
        module.__dict__.update({key: value for key, value in vars(like).items() if not key.startswith("__")})
    module.__dict__.update(content)
    return module


def _clock_modules(now: Callable[[], str]) -> dict[str, ModuleType]:
    """`datetime` and `time` with a clock that stands still."""

    def moment() -> real_datetime.datetime:
        return real_datetime.datetime.fromisoformat(now())

    def seconds() -> float:
        return moment().replace(tzinfo=real_datetime.UTC).timestamp()

    class FrozenDatetime(real_datetime.datetime):
        @classmethod
        def now(cls, tz: real_datetime.tzinfo | None = None) -> "FrozenDatetime":
            here = cls.fromisoformat(now())
            return here if tz is None else here.replace(tzinfo=real_datetime.UTC).astimezone(tz)

        @classmethod
        def utcnow(cls) -> "FrozenDatetime":
            return cls.fromisoformat(now())

        @classmethod
        def today(cls) -> "FrozenDatetime":
            return cls.fromisoformat(now())

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Callable[[Any], Any]) -> Any:
            from pydantic_core import core_schema

            return core_schema.no_info_after_validator_function(
                lambda value: cls.fromisoformat(value.isoformat()), handler(real_datetime.datetime)
            )

    class FrozenDate(real_datetime.date):
        @classmethod
        def today(cls) -> "FrozenDate":
            return cls.fromisoformat(now()[:10])

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Callable[[Any], Any]) -> Any:
            from pydantic_core import core_schema

            return core_schema.no_info_after_validator_function(
                lambda value: cls.fromisoformat(value.isoformat()), handler(real_datetime.date)
            )

    for kind, name in ((FrozenDatetime, "datetime"), (FrozenDate, "date")):
        kind.__module__, kind.__name__, kind.__qualname__ = "datetime", name, name

    def broken_down(given: float | None = None) -> real_time.struct_time:
        return real_time.gmtime(seconds() if given is None else given)

    return {
        "datetime": _module_of("datetime", real_datetime, datetime=FrozenDatetime, date=FrozenDate),
        "time": _module_of(
            "time",
            real_time,
            **{name: lambda *_: seconds() for name in _CLOCKS},
            **{f"{name}_ns": lambda *_: int(seconds() * 1e9) for name in _CLOCKS},
            sleep=lambda _: None,
            localtime=broken_down,
            gmtime=broken_down,
            strftime=lambda form, given=None: real_time.strftime(form, given or broken_down()),
            asctime=lambda given=None: real_time.asctime(given or broken_down()),
            ctime=lambda given=None: real_time.asctime(broken_down(given)),
        ),
    }


def _chance_modules() -> dict[str, ModuleType]:
    """`random`, `secrets` and `uuid`, all of which draw from the one generator that each call begins anew."""

    class RepeatableRandom(random.Random):
        def __init__(self, seed: Any = None) -> None:
            super().__init__(random.getrandbits(64) if seed is None else seed)

        def seed(self, a: Any = None, version: int = 2) -> None:
            super().seed(random.getrandbits(64) if a is None else a, version)

    class RepeatableSystemRandom(RepeatableRandom): ...

    for kind, name in ((RepeatableRandom, "Random"), (RepeatableSystemRandom, "SystemRandom")):
        kind.__module__, kind.__name__, kind.__qualname__ = "random", name, name

    def begun_anew(seed: Any = None, version: int = 2) -> None:
        random.seed(random.getrandbits(64) if seed is None else seed, version)

    def token(size: int | None = None) -> bytes:
        return random.randbytes(real_secrets.DEFAULT_ENTROPY if size is None else size)

    def drawn(version: int = 4) -> real_uuid.UUID:
        return real_uuid.UUID(int=random.getrandbits(128), version=version)

    return {
        "random": _module_of(
            "random", random, Random=RepeatableRandom, SystemRandom=RepeatableSystemRandom, seed=begun_anew
        ),
        "secrets": _module_of(
            "secrets",
            real_secrets,
            SystemRandom=RepeatableSystemRandom,
            choice=random.choice,
            randbelow=random.randrange,
            randbits=random.getrandbits,
            token_bytes=token,
            token_hex=lambda size=None: token(size).hex(),
            token_urlsafe=lambda size=None: base64.urlsafe_b64encode(token(size)).rstrip(b"=").decode(),
        ),
        "uuid": _module_of("uuid", real_uuid, uuid4=drawn, uuid1=lambda *_: drawn(1), getnode=lambda: 0),
    }


class _Server:
    """In the place of an MCP server: it keeps the functions that are its tools."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}

    def tool(self, name: Any = None, *_: Any, **__: Any) -> Any:
        if callable(name):
            self.functions[name.__name__] = name
            return name

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            self.functions[name or function.__name__] = function
            return function

        return keep

    def run(self, *_: Any, **__: Any) -> None: ...


class _Silent:
    """A logger that says nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def _reaching_out() -> dict[str, ModuleType]:
    """What is imported to serve, to log or to call others. Calling others fails when it is tried, not before."""
    fastmcp = _module_of("mcp.server.fastmcp", FastMCP=_Server)
    server = _module_of("mcp.server", fastmcp=fastmcp, FastMCP=_Server)
    found = {
        "mcp": _module_of("mcp", server=server),
        "mcp.server": server,
        "mcp.server.fastmcp": fastmcp,
        "fastmcp": _module_of("fastmcp", FastMCP=_Server),
        "loguru": _module_of("loguru", logger=_Silent()),
        "os": _module_of("os", path=importlib.import_module("posixpath"), environ={}, sep="/", linesep="\n"),
        "os.path": importlib.import_module("posixpath"),
        "platform": _module_of("platform", system=lambda: "Linux"),
        "tempfile": _module_of("tempfile", gettempdir=lambda: "/tmp"),
    }
    for name in ("subprocess", "socket", "requests", "httpx", "aiohttp", "glob", "shutil", "pathlib", "threading"):
        found[name] = _Absent(name)
    return found


class _Unusable(type):
    """Whatever is asked of it is as unusable as it is itself."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _unusable(f"{cls.__name__}.{name}")

    def __call__(cls, *_: Any, **__: Any) -> Any:
        raise ImportError(f"published code may not use {cls.__name__} here")


def _unusable(name: str) -> Any:
    """An exception class, so that it can stand in an `except`."""
    return _Unusable(name, (Exception,), {})


class _Absent(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _unusable(f"{self.__name__}.{name}")
