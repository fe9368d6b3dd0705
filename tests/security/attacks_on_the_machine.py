"""Attacks on files, the network, other processes, and the machine's time and memory. Nothing here could do damage if it
succeeded: signals are signal 0, loops end with their process, files are in a temporary folder."""

from tests.security.attack import (
    CLOSED,
    CONTAINED,
    EMPTY,
    FACADE,
    FORBIDDEN_CALL,
    LIMITS,
    PYTHON,
    REFUSED,
    SECCOMP,
    SECCOMP_KILLS,
    TOO_LATE,
    WATCHDOG,
    Attack,
)

FILES = [
    Attack("reads_a_file", 'return os.open("/etc/passwd", os.O_RDONLY)', SECCOMP, REFUSED),
    Attack("writes_a_file", 'return os.open(FOLDER + "/written", os.O_CREAT | os.O_WRONLY)', SECCOMP, REFUSED),
    Attack("deletes_a_file", 'return os.unlink(FOLDER + "/precious")', SECCOMP, REFUSED),
    Attack("renames_a_file", 'return os.rename(FOLDER + "/precious", FOLDER + "/gone")', SECCOMP, REFUSED),
    Attack("lists_a_folder", "return os.listdir(FOLDER)", SECCOMP, REFUSED),
    Attack("makes_a_folder", 'return os.mkdir(FOLDER + "/made")', SECCOMP, REFUSED),
    Attack("makes_a_symlink", 'return os.symlink("/etc/passwd", FOLDER + "/link")', SECCOMP, REFUSED),
    Attack("asks_whether_a_file_exists", 'return os.stat("/etc/passwd").st_size', SECCOMP, REFUSED),
    Attack("changes_directory", "return os.chdir(FOLDER)", SECCOMP, REFUSED),
    Attack("reads_the_zygotes_environment", 'return os.open(f"/proc/{ZYGOTE}/environ", 0)', SECCOMP, REFUSED),
    Attack("opens_the_supervisors_memory", 'return os.open(f"/proc/{SUPERVISOR}/mem", os.O_RDWR)', SECCOMP, REFUSED),
    Attack("opens_its_own_memory", 'return os.open("/proc/self/mem", os.O_RDWR)', SECCOMP, REFUSED),
    Attack("makes_a_memory_file", 'return os.memfd_create("x")', SECCOMP, REFUSED),
    Attack("makes_a_pipe", "return os.pipe()", SECCOMP, REFUSED),
    Attack(
        "looks_for_inherited_descriptors",
        """
found = []
for number in range(3, 4096):
    try:
        os.read(number, 0)
    except OSError:
        continue
    found.append(number)
if found == [channel().fileno()]:
    raise LookupError("only the channel is open")
return found
""",
        CLOSED,
        "only the channel is open",
    ),
    Attack(
        "duplicates_the_channel",
        "return os.dup(channel().fileno())",
        SECCOMP,
        REFUSED,
    ),
]

NETWORK = [
    Attack("connects_by_tcp", 'return socket.socket().connect(("127.0.0.1", PORT))', SECCOMP, REFUSED),
    Attack("listens_on_tcp", 'return socket.create_server(("127.0.0.1", 0))', SECCOMP, REFUSED),
    Attack(
        "sends_by_udp",
        'return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))',
        SECCOMP,
        REFUSED,
    ),
    Attack("opens_a_raw_socket", "return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", SECCOMP, REFUSED),
    Attack("asks_the_kernel_by_netlink", "return socket.socket(socket.AF_NETLINK)", SECCOMP, REFUSED),
    Attack(
        "connects_to_a_unix_socket", 'return socket.socket(socket.AF_UNIX).connect(FOLDER + "/unix")', SECCOMP, REFUSED
    ),
    Attack(
        "connects_to_an_abstract_socket", "return socket.socket(socket.AF_UNIX).connect(ABSTRACT)", SECCOMP, REFUSED
    ),
    Attack("makes_a_socket_pair", "return socket.socketpair()", SECCOMP, REFUSED),
    Attack("resolves_a_name", 'return socket.getaddrinfo(b"localhost", 80)', SECCOMP, "gaierror"),
    Attack("sends_the_channel_elsewhere", 'return channel().sendto(b"x", FOLDER + "/unix")', SECCOMP, REFUSED),
    Attack(
        "passes_a_descriptor_to_the_supervisor",
        'return socket.send_fds(channel(), [b"x"], [channel().fileno()])',
        SECCOMP,
        REFUSED,
    ),
]

PROCESSES = [
    Attack("forks", "return os.fork()", SECCOMP_KILLS, FORBIDDEN_CALL),
    Attack("becomes_a_program", 'return os.execv("/bin/true", ["true"])', SECCOMP_KILLS, FORBIDDEN_CALL),
    Attack("starts_a_program", 'return os.posix_spawn("/bin/true", ["true"], {})', SECCOMP_KILLS, FORBIDDEN_CALL),
    Attack(
        "starts_a_thread",
        'return MODULES["_thread"].start_new_thread(print, ())',
        SECCOMP,
        "can't start new thread",
    ),
    Attack("traces_the_zygote", "return system_call(101, 0x4206, ZYGOTE, 0, 0)", SECCOMP_KILLS, FORBIDDEN_CALL),
    Attack(
        "reads_the_supervisors_memory",
        "return system_call(310, SUPERVISOR, None, 0, None, 0, 0)",
        SECCOMP_KILLS,
        FORBIDDEN_CALL,
    ),
    Attack("takes_hold_of_the_supervisor", "return os.pidfd_open(SUPERVISOR)", SECCOMP, REFUSED),
    Attack("takes_a_descriptor", "return system_call(438, 3, 0, 0)", SECCOMP_KILLS, FORBIDDEN_CALL),
    Attack("signals_the_supervisor", "return os.kill(SUPERVISOR, 0)", SECCOMP, REFUSED),
    Attack("signals_the_zygote", "return os.kill(ZYGOTE, 0)", SECCOMP, REFUSED),
    Attack("signals_a_sibling", "return os.kill(SIBLING, 0)", SECCOMP, REFUSED),
    Attack("signals_everybody", "return os.kill(-1, 0)", SECCOMP, REFUSED),
    Attack("slows_the_zygote_down", "return os.setpriority(os.PRIO_PROCESS, ZYGOTE, 19)", SECCOMP, REFUSED),
    Attack(
        "limits_the_zygote",
        "return resource.prlimit(ZYGOTE, resource.RLIMIT_CORE, (0, 0))",
        SECCOMP,
        REFUSED,
    ),
    Attack(
        "raises_its_own_limits",
        "return resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))",
        SECCOMP,
        "not allowed to raise maximum limit",
    ),
    Attack("becomes_root", "return os.setresuid(0, 0, 0)", SECCOMP, REFUSED),
    Attack("leaves_its_namespaces", "return system_call(272, 0x10000000)", SECCOMP_KILLS, FORBIDDEN_CALL),
    Attack("outlives_its_parent", "return system_call(157, 1, 0, 0, 0, 0)", SECCOMP, REFUSED),
    Attack("maps_executable_memory", "return system_call(9, 0, 4096, 7, 0x22, -1, 0)", SECCOMP, REFUSED),
]

RESOURCES = [
    Attack("loops", "while True:\n    pass", WATCHDOG, TOO_LATE, slow=True),
    Attack("sleeps", "time.sleep(3600)", WATCHDOG, TOO_LATE, slow=True),
    Attack(
        "loops_and_catches_everything",
        """
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
""",
        WATCHDOG,
        TOO_LATE,
        slow=True,
    ),
    Attack("computes_inside_one_instruction", "return 7 ** (10 ** 9)", WATCHDOG, TOO_LATE, slow=True),
    Attack("matches_a_catastrophic_pattern", 're.match(r"(a+)+$", "a" * 60 + "b")', WATCHDOG, TOO_LATE, slow=True),
    Attack(
        "hangs_in_a_finalizer",
        """
class Endless:
    def __del__(self):
        while True:
            pass
Endless()
""",
        WATCHDOG,
        TOO_LATE,
        slow=True,
    ),
    Attack(
        "hangs_in_the_text_of_its_exception",
        """
class Endless(Exception):
    def __str__(self):
        while True:
            pass
raise Endless
""",
        WATCHDOG,
        TOO_LATE,
        slow=True,
    ),
    Attack("asks_for_ten_gigabytes", "return len(bytearray(10 << 30))", LIMITS, "MemoryError"),
    Attack("hoards_memory", "hoard = []\nwhile True:\n    hoard.append(bytes(1 << 20))", LIMITS, "MemoryError"),
    Attack(
        "maps_the_address_space",
        "return system_call(9, None, ctypes.c_size_t(1 << 40), 3, 0x22, -1, 0)",
        LIMITS,
        "Cannot allocate",
    ),
    Attack("recurses", "return _recurses(sees, query, connection)", PYTHON, "RecursionError"),
    Attack(
        "recurses_through_c",
        """
sys.setrecursionlimit(10 ** 9)
nested = []
for _ in range(10 ** 5):
    nested = [nested]
return json.dumps(nested, check_circular=False)
""",
        CONTAINED,
        "it was ended by SIGSEGV",
    ),
    Attack("reads_address_zero", "return ctypes.string_at(0)", CONTAINED, "it was ended by SIGSEGV"),
    Attack("ends_its_process", "os._exit(3)", CONTAINED, "it exited with code 3"),
    Attack("aborts", "os.abort()", CONTAINED, "it was ended by SIGSEGV"),
    Attack("exits", "raise SystemExit(0)", FACADE, "SystemExit"),
    Attack("sets_a_timer", "return signal.setitimer(signal.ITIMER_REAL, 0.001)", SECCOMP, REFUSED),
    Attack("prints_a_huge_integer", "return str(10 ** (10 ** 6))", PYTHON, "Exceeds the limit"),
    Attack(
        "returns_a_huge_text",
        'return "x" * 10_000_000',
        FACADE,
        {
            "tool": "bytes; at most 65536 are allowed",
            "verifier": "it broke the protocol",
            "program": "it broke the protocol",
        },
    ),
    Attack("fills_its_stack_of_frames", "return json.loads('[' * 200_000)", PYTHON, "RecursionError"),
]

SECRETS = [
    Attack("reads_a_key_from_the_environment", 'return os.environ["OPENAI_API_KEY"]', EMPTY, "KeyError"),
    Attack(
        "reads_the_c_environment",
        """
getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
return getenv(b"OPENAI_API_KEY").decode()
""",
        EMPTY,
        "AttributeError",
    ),
    Attack(
        "searches_memory_for_a_key",
        r"""
key, seen, waiting = re.compile(r"sk-a-secret-\w+"), set(), [sys.modules, sys._getframe()]
while waiting:
    found = waiting.pop()
    if isinstance(found, (str, bytes)) and key.search(found if isinstance(found, str) else found.decode("latin-1")):
        return found
    if id(found) not in seen:
        seen.add(id(found))
        waiting += gc.get_referents(found)
raise LookupError("no key in all of memory" if len(seen) > 20_000 else f"only {len(seen)} objects were found")
""",
        EMPTY,
        "no key in all of memory",
    ),
    Attack("asks_the_kernel_who_it_is", "return os.uname()", SECCOMP, REFUSED),
    Attack("asks_where_it_is", "return os.getcwd()", SECCOMP, REFUSED),
]

ATTACKS = FILES + NETWORK + PROCESSES + RESOURCES + SECRETS
