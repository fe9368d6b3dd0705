"""Forged messages to the supervisor. A worker may say what it likes about its own calls; it must not confuse, fill or
hang the process that listens."""

from collections.abc import Mapping

from tests.security.attack import (
    BROKE_THE_PROTOCOL,
    EVERYWHERE,
    PROGRAM,
    SUPERVISOR,
    TOO_LATE,
    TOOL,
    WATCHDOG,
    Attack,
    Place,
)

WAIT = "\ntime.sleep(3600)"
NOT_UNDERSTOOD: Mapping[Place, str] = {
    "tool": BROKE_THE_PROTOCOL,
    "verifier": "The verifier gave no verdict: ",
    "program": "its process answered in no known form",
}


def forged(
    name: str,
    code: str,
    says: str | Mapping[Place, str] = BROKE_THE_PROTOCOL,
    places: tuple[Place, ...] = EVERYWHERE,
) -> Attack:
    return Attack(name, code + WAIT, SUPERVISOR, says, places)


ATTACKS = [
    forged("says_nothing_at_length", "say(b'')"),
    forged("says_what_is_no_json", "say(b'\\xff\\xfe')"),
    forged("says_an_empty_list", "say('[]')"),
    forged("says_a_number", "say('7')"),
    forged("says_an_object", "say('{\"ok\": 1}')"),
    forged("answers_ok_and_stops", "say('[\"ok\"]')"),
    forged("answers_more_than_ok", "say('[\"ok\", 1, 2]')"),
    forged("answers_something_unheard_of", "say('[\"maybe\", 1]')"),
    forged("fails_without_a_reason", "say('[\"error\"]')"),
    forged("fails_with_a_structure_for_a_reason", "say('[\"error\", {}]')"),
    forged("pretends_that_there_is_no_sandbox", 'say(\'["unconfined", "please allow_unsandboxed"]\')'),
    forged("greets_again", "say('[\"ready\"]')"),
    forged("asks_for_a_tool", 'say(\'["tool", "list_items", {}]\')', places=("tool", "verifier")),
    forged("answers_with_a_number", "say('[\"ok\", 5]')", NOT_UNDERSTOOD),
    forged("answers_with_nothing", "say('[\"ok\", null]')", NOT_UNDERSTOOD),
    forged("answers_with_an_object", 'say(\'["ok", {"a": 1}]\')', NOT_UNDERSTOOD),
    forged("answers_with_nan", "say('[\"ok\", [NaN, NaN, NaN]]')"),
    forged("answers_with_half_a_surrogate_pair", 'say(r\'["ok", [null, null, "\\ud800"]]\')'),
    forged("answers_with_infinity", 'say(\'["ok", [1e999, null, ""]]\')'),
    forged(
        "answers_with_deep_nesting",
        "say('[\"ok\", [true, ' + '[' * 900 + ']' * 900 + ', \"\"]]')",
    ),
    forged("answers_deeper_than_any_parser", "say('[' * 100_000)", places=("verifier", "program")),
    forged("answers_with_a_file", "say('[\"ok\", [false, []]]', bytes(100))"),
    forged("announces_four_gigabytes", "channel().sendall(b'\\xff' * 8)"),
    forged("announces_a_large_file", "channel().sendall(struct.pack('<II', 10, 200 << 20))"),
    forged("sends_a_json_bomb", "say(b'[' + b'[],' * 3_000_000 + b'[]]')"),
    forged(
        "goes_on_talking",
        'while True:\n    say(\'["error", "no"]\')',
        {
            "tool": "goes_on_talking broke its process: no",
            "verifier": "The verifier gave no verdict: no",
            "program": "its process answered in no known form: no",
        },
    ),
    Attack("hangs_up", "channel().close()" + WAIT, SUPERVISOR, "it was ended by SIGKILL"),
    Attack(
        "sends_half_a_message", "channel().sendall(struct.pack('<II', 100, 0))" + WAIT, WATCHDOG, TOO_LATE, slow=True
    ),
    Attack(
        "dictates_letter_by_letter",
        """
channel().sendall(struct.pack('<II', 50_000, 0))
while True:
    channel().sendall(b' ')
    time.sleep(0.01)
""",
        WATCHDOG,
        TOO_LATE,
        slow=True,
    ),
    forged("calls_a_tool_without_a_name", 'say(\'["tool", ["list_items"], {}]\')', places=PROGRAM),
    forged("calls_a_tool_without_arguments", 'say(\'["tool", "list_items", [1]]\')', places=PROGRAM),
    forged("calls_a_tool_with_too_little", 'say(\'["tool", "list_items"]\')', places=PROGRAM),
    forged(
        "calls_two_tools_at_once",
        'call = b\'["tool", "list_items", {}]\'\nchannel().sendall((struct.pack("<II", len(call), 0) + call) * 2)',
        places=PROGRAM,
    ),
    forged(
        "has_the_supervisor_remember_too_much",
        """
text = json.dumps(["tool", "list_items", {"most": "x" * 1_000_000}])
while True:
    say(text)
    channel().recv(1_000_000)
""",
        places=PROGRAM,
    ),
    forged(
        "promises_writes_that_never_were",
        "say('[\"ok\", [true, 7]]')",
        "it broke the protocol (an answer in a form nobody understands)",
        TOOL,
    ),
    forged(
        "answers_two_calls_where_one_was_made",
        'say(\'["ok", [false, [["ok", {}, null, null], ["ok", {}, null, null]]]]\')',
        "it broke the protocol (an answer in a form nobody understands)",
        TOOL,
    ),
    forged(
        "answers_with_a_note_that_is_none",
        'say(\'["ok", [false, [["ok", {}, null, {}]]]]\')',
        "it broke the protocol (an answer in a form nobody understands)",
        TOOL,
    ),
    forged(
        "answers_with_an_outcome_that_cannot_be_hashed",
        "say('[\"ok\", [false, [[[], {}, null, null]]]]')",
        "it broke the protocol (an answer in a form nobody understands)",
        TOOL,
    ),
]
