"""Attacks on the interpreter and the façade: ways out to `os`, and ways to spoil what runs in the same process.

A way out that works ends at the kernel: each tries to open a file with what it found. That it gets so far is expected.
"""

from tests.security.attack import (
    CONTAINED,
    FACADE,
    FORBIDDEN_CALL,
    PROGRAM,
    REFUSED,
    SECCOMP,
    SECCOMP_KILLS,
    SUPERVISOR,
    TOO_LATE,
    TOOL,
    WATCHDOG,
    WITH_A_DATABASE,
    Attack,
)

HYGIENE = [
    Attack("opens_a_file_as_usual", 'return open("/etc/passwd").read()', FACADE, "name 'open' is not defined"),
    Attack("evaluates_text", "return eval(\"__import__('os')\")", FACADE, "name 'eval' is not defined"),
    Attack("imports_os", "import os as stolen\nreturn stolen.listdir('/')", FACADE, "may not import 'os'"),
    Attack("imports_the_clock", "import time as clock\nreturn clock.time()", FACADE, "may not import 'time'"),
    Attack("imports_by_name", "return __import__('subprocess')", FACADE, "may not import 'subprocess'"),
    Attack("imports_a_part_of_a_package", "import json.decoder", FACADE, "may not import 'json.decoder'"),
    Attack(
        "loads_a_module_from_disk",
        "return importlib.import_module('wave')",
        SECCOMP,
        "No module named 'wave'",
    ),
]

WAYS_OUT = [
    Attack(
        "walks_from_a_tuple_to_os",
        """
wrapper = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "_wrap_close"][0]
return wrapper.__init__.__globals__["open"]("/etc/passwd", 0)
""",
        SECCOMP,
        REFUSED,
    ),
    Attack(
        "walks_up_the_frames",
        """
try:
    1 / 0
except ZeroDivisionError as error:
    frame = error.__traceback__.tb_frame
while "open" not in frame.f_builtins:
    frame = frame.f_back
return frame.f_builtins["open"]("/etc/passwd").read()
""",
        SECCOMP,
        REFUSED,
    ),
    Attack(
        "walks_up_from_a_generator",
        """
def looking():
    yield walking.gi_frame.f_back.f_back.f_back.f_back.f_builtins["open"]
walking = looking()
return next(walking)("/etc/passwd").read()
""",
        SECCOMP,
        REFUSED,
    ),
    Attack(
        "finds_open_by_the_garbage_collector",
        """
seen, waiting = set(), [type(sees)]
while waiting:
    found = waiting.pop()
    if isinstance(found, dict) and "open" in found and "TextIOWrapper" in found:
        return found["open"]("/etc/passwd").read()
    if id(found) not in seen:
        seen.add(id(found))
        waiting += gc.get_referents(found)
""",
        SECCOMP,
        REFUSED,
    ),
    Attack(
        "leaves_through_the_globals_of_a_function",
        'return type(sees).__init__.__globals__["__builtins__"]["open"]("/etc/passwd").read()',
        SECCOMP,
        REFUSED,
    ),
    Attack("leaves_through_json", 'return json.codecs.open("/etc/passwd").read()', SECCOMP, REFUSED),
    Attack("leaves_through_re", 'return re.enum.sys.modules["os"].listdir("/")', SECCOMP, REFUSED),
    Attack("leaves_through_statistics", 'return statistics.random._os.listdir("/")', SECCOMP, REFUSED),
    Attack("leaves_through_collections", 'return collections._sys.modules["io"].open("/etc/passwd")', SECCOMP, REFUSED),
    Attack(
        "leaves_through_ctypes",
        """
libc = ctypes.CDLL(None, use_errno=True)
if libc.open(b"/etc/passwd", 0) == -1:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
return "open"
""",
        SECCOMP,
        REFUSED,
    ),
    Attack(
        "runs_a_shell",
        'return ctypes.CDLL(None).system(b"touch " + FOLDER.encode() + b"/touched")',
        SECCOMP_KILLS,
        FORBIDDEN_CALL,
    ),
    Attack(
        "writes_machine_code",
        """
libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.create_string_buffer(8192)
address = ctypes.addressof(page) + 4095 & ~4095
if libc.mprotect(ctypes.c_void_p(address), 4096, 7) == -1:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
return "executable"
""",
        SECCOMP,
        REFUSED,
    ),
]

SPOILING = [
    Attack(
        "spoils_the_builtins",
        """
real = MODULES["builtins"]
real.len = real.isinstance = real.dict = real.type = None
return open
""",
        CONTAINED,
        "it exited with code 70",
    ),
    Attack(
        "replaces_the_encoder",
        """
MODULES["envfactory_dagster.runtime.frames"].encode = lambda *_: b"\\xff" * 64
raise ValueError
""",
        SUPERVISOR,
        "it broke the protocol",
    ),
    Attack(
        "raises_what_cannot_be_described",
        """
class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit
class Unspeakable(BaseException, metaclass=Meta):
    def __str__(self):
        raise self
raise Unspeakable
""",
        FACADE,
        "Unspeakable: an error whose text raised Unspeakable",
    ),
    Attack(
        "raises_with_a_treacherous_text",
        """
class Text(str):
    def encode(self, *_):
        while True:
            pass
class Failure(Exception):
    def __str__(self):
        return Text("treacherous")
raise Failure
""",
        FACADE,
        "Failure: treacherous",
    ),
    Attack(
        "raises_a_group_of_many",
        "raise BaseExceptionGroup('x' * 10_000, [KeyError(n) for n in range(10_000)])",
        FACADE,
        "ExceptionGroup: xxx",
    ),
    Attack(
        "returns_a_class_that_lies",
        """
class Liar(dict):
    @property
    def __class__(self):
        return dict
    def __eq__(self, other):
        return True
    def items(self):
        while True:
            pass
class Loot(str):
    def __str__(self):
        return Liar()
return Loot()
""",
        FACADE,
        "__str__ returned non-string",
    ),
    Attack(
        "replaces_its_codes",
        "sees.codes = 5\nreturn sees.new_id('X')",
        FACADE,
        "AttributeError: 'int' object has no attribute 'get'",
        TOOL,
    ),
    Attack(
        "swallows_the_limit_on_statements",
        """
while True:
    try:
        query("SELECT 1", ())
    except BaseException:
        continue
""",
        WATCHDOG,
        TOO_LATE,
        WITH_A_DATABASE,
        slow=True,
    ),
    Attack(
        "replaces_the_check_of_results",
        """
facade = MODULES["envfactory_dagster.runtime.facade"]
facade.FacadeTool.check_result = lambda *_: None
facade.MAX_RESULT_BYTES = 10 ** 9
facade._cut.__globals__["MAX_RESULT_BYTES"] = 10 ** 9
return "x" * 10_000_000
""",
        SUPERVISOR,
        "it broke the protocol (a frame of 10",
        TOOL,
    ),
    Attack(
        "calls_too_many_tools", "while True:\n    sees.list_items()", SUPERVISOR, "more than 50 tool calls", PROGRAM
    ),
    Attack(
        "ignores_that_it_called_too_many_tools",
        """
while True:
    try:
        sees.list_items()
    except BaseException:
        continue
""",
        WATCHDOG,
        TOO_LATE,
        PROGRAM,
        slow=True,
    ),
]

ATTACKS = HYGIENE + WAYS_OUT + SPOILING
