"""A shed of shared tools, whose state is files: the answers of an author who wrote it, question by question.

Belongs here: the answers up to the tools, and a model that gives all of them. Does not: solutions and checks
(`shed_truth`), and what is asked of the line.
"""

from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from envfactory_dagster.language.built_in.conversation import read_question
from envfactory_dagster.language.built_in.skills import CannotAnswer
from envfactory_dagster.language.built_in.skills import answer as built_in_answer
from envfactory_dagster.language.wire import NO_OTHER_ANSWER
from tests.support.alpine_author import Answer, Asked
from tests.support.shed_truth import FAMILY, SOLUTIONS, VERIFIERS

KEY = "shared-tool-shed"
CLOCK = "2026-04-10T09:00:00"

THEME: Answer = {
    "name": "Shared tool shed",
    "category": "Neighbourhood",
    "description": (
        "The members of an allotment association share the tools in one shed. The service keeps a list of members with "
        "their plots, an inventory of the tools with the deposit of each, and a log of loans: who took which tool, "
        "when it is due and when it came back. A member asks what is free, borrows, extends and brings back."
    ),
    "entities": ["Member", "Tool", "Loan"],
    "rules": [
        {"id": "loan_limit", "text": "A member has at most 2 tools out at any time."},
        {"id": "loan_length", "text": "A tool is due at most 7 days after the day on which it is taken."},
        {"id": "one_at_a_time", "text": "A tool that is out cannot be lent to anybody else before it is returned."},
    ],
}


def _task(task: str, kind: str, text: str, rule: str | None = None) -> Answer:
    return {"id": task, "text": text, "kind": kind, "state": "initial", "entities": ["Tool", "Loan"], "rule": rule}


TASKS: list[Answer] = [
    _task(
        "dig_the_beds",
        "action",
        "I want to dig over my beds this weekend. Please borrow the tiller for me until Wednesday 15 April 2026.",
    ),
    _task(
        "barrow_for_spade",
        "action",
        "I have just put the wheelbarrow back into the shed, so write it down as returned. Then take out the spade for "
        "me, due on 14 April 2026.",
    ),
    _task(
        "dearest_free_one",
        "information",
        "Of all things that nobody has out right now, which one has the highest deposit, and how much is it?",
    ),
    _task(
        "closing_time",
        "information",
        "By what time in the evening do the house rules want a borrowed tool to be back in the shed on its last day?",
    ),
    _task(
        "whole_season",
        "refusal",
        "I need the spade for the whole of the digging season. Please lend it to me until 30 April 2026.",
        "loan_length",
    ),
]

TABLES: list[Answer] = [
    {
        "name": "members",
        "file": "data/members.json",
        "ddl": "CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT NOT NULL, plot TEXT NOT NULL UNIQUE, note TEXT)"
        " STRICT",
        "indexes": [],
        "purpose": "A member of the association and the plot they work.",
    },
    {
        "name": "tools",
        "file": "data/inventory.csv",
        "ddl": "CREATE TABLE tools (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ("
        "'hand', 'power')), deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0), weight_kg REAL) STRICT",
        "indexes": [],
        "purpose": "A tool in the shed.",
    },
    {
        "name": "loans",
        "file": "log/loans.jsonl",
        "ddl": "CREATE TABLE loans (id INTEGER PRIMARY KEY AUTOINCREMENT, member_id INTEGER NOT NULL REFERENCES members"
        " (id), tool_id INTEGER NOT NULL REFERENCES tools (id), taken_on TEXT NOT NULL, due_on TEXT NOT NULL,"
        " returned_on TEXT, status TEXT NOT NULL CHECK (status IN ('out', 'returned')), CHECK (due_on >= taken_on))"
        " STRICT",
        "indexes": ["CREATE UNIQUE INDEX one_loan_at_a_time ON loans (tool_id) WHERE status = 'out'"],
        "purpose": "A loan of a tool to a member.",
    },
]
DOCUMENTS: list[Answer] = [
    {"path": "docs/house_rules.md", "purpose": "The house rules of the shed"},
    {"path": "docs/notice.txt", "purpose": "A notice about the opening of the season"},
]

HOUSE_RULES = """\
# House rules of the shed

Two tools at most are out with one member at any time, and each of them for seven days at most.

- Bring a tool back clean, by **19:00** on the day on which it is due.
- What is out with somebody else is not lent again before it hangs in its place.
"""
NOTICE = "The season is open. Zoë and Tom look after the power tools, Petra after all else.\n"

ROWS: Answer = {
    "clock": CLOCK,
    "tables": [
        {
            "table": "members",
            "columns": ["id", "name", "plot", "note"],
            "rows": [
                [1, "Inês Carvalho", "A3", None],
                [2, "Tom Reed", "A7", "has a key"],
                [3, "Petra Lang", "B1", ""],
                [4, "João Pires", "B4", 'says: "after six, please"'],
                [5, "Zoë Sato", "C2", "has a key,\nand the second one"],
            ],
        },
        {
            "table": "tools",
            "columns": ["id", "name", "kind", "deposit_cents", "weight_kg"],
            "rows": [
                [1, "Spade", "hand", 500, 1.8],
                [2, "Hedge trimmer, cordless", "power", 3000, 3.25],
                [3, "Wheelbarrow", "hand", 1000, 11],
                [4, "Tiller", "power", 5000, 32.5],
                [5, "Long ladder", "hand", 1500, None],
                [6, "Lawn edger", "hand", 700, 2.0],
            ],
        },
        {
            "table": "loans",
            "columns": ["id", "member_id", "tool_id", "taken_on", "due_on", "returned_on", "status"],
            "rows": [
                [1, 1, 1, "2026-03-02", "2026-03-07", "2026-03-06", "returned"],
                [2, 1, 3, "2026-04-06", "2026-04-12", None, "out"],
                [3, 2, 2, "2026-04-04", "2026-04-11", None, "out"],
                [4, 2, 6, "2026-04-08", "2026-04-14", None, "out"],
                [5, 3, 5, "2026-03-28", "2026-04-03", None, "out"],
                [6, 4, 1, "2026-04-01", "2026-04-05", "2026-04-05", "returned"],
                [7, 5, 2, "2026-03-10", "2026-03-15", "2026-03-14", "returned"],
                [8, 1, 2, "2026-03-20", "2026-03-25", "2026-03-25", "returned"],
            ],
        },
        {
            "table": "documents",
            "columns": ["path", "text"],
            "rows": [["docs/house_rules.md", HOUSE_RULES], ["docs/notice.txt", NOTICE]],
        },
    ],
}

_INTEGER: Answer = {"type": "integer"}
_STRING: Answer = {"type": "string"}
_DAY: Answer = {"type": "string", "format": "date"}
_STATUS: Answer = {"type": "string", "enum": ["out", "returned"], "description": "Whether the tool is still out."}


def _object(**fields: Answer) -> Answer:
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


def _tool(name: str, description: str, takes: Answer, optional: Answer, gives: Answer, *, reads: bool) -> Answer:
    inputs = _object(**takes, **optional) | {"required": [*takes]}
    hints = {"readOnlyHint": reads}
    return {
        "name": name, "description": description, "inputSchema": inputs, "outputSchema": gives, "annotations": hints,
        "principal": "assistant",
    }  # fmt: skip


def _listed(rows: str, **fields: Answer) -> Answer:
    return _object(**{rows: {"type": "array", "items": _object(**fields)}})


_TOOL_ID: Answer = {"type": "integer", "description": "The id of a tool."}
_LOAN_ID: Answer = {"type": "integer", "description": "The id of one of the user's loans."}
_DUE: Answer = _DAY | {"description": "The last day of the loan, included."}
_KIND: Answer = {"type": "string", "enum": ["hand", "power"], "description": "Only tools of this kind."}

TOOLS: list[Answer] = [
    _tool(
        "get_my_membership", "Shows the user's entry in the list of members, and how many tools they have out.", {}, {},
        _object(name=_STRING, plot=_STRING, note={"type": ["string", "null"]}, loans_out=_INTEGER), reads=True,
    ),
    _tool(
        "find_tools", "Lists the tools of the shed and whether each is free.", {},
        {
            "kind": _KIND,
            "free_only": {"type": "boolean", "default": False, "description": "Leave out tools that are out."},
        },
        _listed(
            "tools", id=_INTEGER, name=_STRING, kind=_STRING, deposit_cents=_INTEGER,
            weight_kg={"type": ["number", "null"]}, is_free={"type": "boolean"},
        ),
        reads=True,
    ),
    _tool(
        "list_my_loans", "Lists the user's own loans, the earliest first.", {}, {"status": _STATUS},
        _listed(
            "loans", id=_INTEGER, tool_id=_INTEGER, tool_name=_STRING, taken_on=_DAY, due_on=_DAY,
            returned_on={"type": ["string", "null"]}, status=_STRING,
        ),
        reads=True,
    ),
    _tool(
        "search_documents", "Finds the lines of documents, such as the house rules, that have these words in them.",
        {"words": {"type": "string", "minLength": 2, "description": "What to look for, in any case."}}, {},
        _listed("lines", path=_STRING, line=_INTEGER, text=_STRING), reads=True,
    ),
    _tool(
        "read_document", "Shows the text of a document.",
        {"path": {"type": "string", "description": "Its path, as a search for documents shows it."}}, {},
        _object(path=_STRING, text=_STRING), reads=True,
    ),
    _tool(
        "borrow_tool",
        "Lends a free tool to the user from today on. Refuses a third tool, and a day that is more than 7 days away.",
        {"tool_id": _TOOL_ID, "due_on": _DUE}, {},
        _object(id=_INTEGER, tool_id=_INTEGER, due_on=_DAY, status=_STRING), reads=False,
    ),
    _tool(
        "extend_loan",
        "Sets a later day on which a loan of the user is due, at most 7 days after it was taken.",
        {"loan_id": _LOAN_ID, "due_on": _DUE}, {}, _object(id=_INTEGER, due_on=_DAY), reads=False,
    ),
    _tool(
        "return_tool", "Writes down that a tool of the user's is back in the shed today.", {"loan_id": _LOAN_ID}, {},
        _object(id=_INTEGER, status=_STRING, returned_on=_DAY), reads=False,
    ),
]  # fmt: skip

_LAST_DAY = """
def _last_day(taken_on: str) -> str:
    return (datetime.date.fromisoformat(taken_on) + datetime.timedelta(days=MOST_DAYS)).isoformat()
"""

FUNCTIONS: list[dict[str, Any]] = [
    {
        "name": "get_my_membership",
        "source": '''
def get_my_membership(env) -> dict:
    """The user's entry, and how many tools they have out."""
    mine = env.files.get("data/members.json", env.user_id)
    return {
        "name": mine["name"],
        "plot": mine["plot"],
        "note": mine["note"],
        "loans_out": env.files.count("log/loans.jsonl", {"member_id": env.user_id, "status": "out"}),
    }
''',
        "good_call": {},
        "good_result": {"name": "Inês Carvalho", "plot": "A3", "note": None, "loans_out": 1},
        "bad_call": {},
    },
    {
        "name": "find_tools",
        "source": '''
def find_tools(env, *, kind: str | None = None, free_only: bool = False) -> dict:
    """The tools of the shed, and whether each is free."""
    out = {loan["tool_id"] for loan in env.files.records("log/loans.jsonl", {"status": "out"})}
    found = [
        {
            "id": tool["id"],
            "name": tool["name"],
            "kind": tool["kind"],
            "deposit_cents": tool["deposit_cents"],
            "weight_kg": tool["weight_kg"],
            "is_free": tool["id"] not in out,
        }
        for tool in env.files.records("data/inventory.csv")
        if (kind is None or tool["kind"] == kind) and not (free_only and tool["id"] in out)
    ]
    return {"tools": sorted(found, key=lambda tool: tool["id"])}
''',
        "good_call": {"kind": "power", "free_only": True},
        "good_result": {"tools": [{"id": 4, "name": "Tiller", "weight_kg": 32.5, "is_free": True}]},
        "bad_call": {"kind": "power", "free_only": True},
    },
    {
        "name": "list_my_loans",
        "source": '''
def list_my_loans(env, *, status: str | None = None) -> dict:
    """The user's own loans, the earliest first."""
    names = {tool["id"]: tool["name"] for tool in env.files.records("data/inventory.csv")}
    mine = env.files.records("log/loans.jsonl", {"member_id": env.user_id})
    found = [
        {
            "id": loan["id"],
            "tool_id": loan["tool_id"],
            "tool_name": names[loan["tool_id"]],
            "taken_on": loan["taken_on"],
            "due_on": loan["due_on"],
            "returned_on": loan["returned_on"],
            "status": loan["status"],
        }
        for loan in mine
        if status is None or loan["status"] == status
    ]
    return {"loans": sorted(found, key=lambda loan: (loan["taken_on"], loan["id"]))}
''',
        "good_call": {"status": "out"},
        "good_result": {"loans": [{"id": 2, "tool_name": "Wheelbarrow", "returned_on": None}]},
        "bad_call": {"status": "out"},
    },
    {
        "name": "search_documents",
        "source": '''
def search_documents(env, *, words: str) -> dict:
    """The lines of documents that have these words in them."""
    return {"lines": env.files.search(words)}
''',
        "good_call": {"words": "season"},
        "good_result": {"lines": [{"path": "docs/notice.txt", "line": 1, "text": NOTICE.strip()}]},
        "bad_call": {"words": "season"},
    },
    {
        "name": "read_document",
        "source": '''
def read_document(env, *, path: str) -> dict:
    """The text of a document."""
    if path not in env.files.paths("docs/*"):
        raise env.Error(f"There is no document {path}.")
    return {"path": path, "text": env.files.read_text(path)}
''',
        "good_call": {"path": "docs/notice.txt"},
        "good_result": {"path": "docs/notice.txt", "text": NOTICE},
        "bad_call": {"path": "docs/prices.txt"},
    },
    {
        "name": "borrow_tool",
        "source": f'''
import datetime

MOST_DAYS = 7
BORROW_TOOL_MOST_OUT = 2

{_LAST_DAY}

def borrow_tool(env, *, tool_id: int, due_on: str) -> dict:
    """Lend a free tool to the user."""
    today = env.now[:10]
    if env.files.get("data/inventory.csv", tool_id) is None:
        raise env.Error(f"There is no tool {{tool_id}}.")
    if env.files.count("log/loans.jsonl", {{"tool_id": tool_id, "status": "out"}}):
        raise env.Error("Somebody else has that tool out.")
    if env.files.count("log/loans.jsonl", {{"member_id": env.user_id, "status": "out"}}) >= BORROW_TOOL_MOST_OUT:
        raise env.Error("You have two tools out already.")
    if not today <= due_on <= _last_day(today):
        raise env.Error("A tool is lent from today on, and for 7 days at most.")
    number = env.files.append(
        "log/loans.jsonl",
        {{
            "member_id": env.user_id,
            "tool_id": tool_id,
            "taken_on": today,
            "due_on": due_on,
            "returned_on": None,
            "status": "out",
        }},
    )
    return {{"id": number, "tool_id": tool_id, "due_on": due_on, "status": "out"}}
''',
        "good_call": {"tool_id": 4, "due_on": "2026-04-17"},
        "good_result": {"tool_id": 4, "due_on": "2026-04-17", "status": "out"},
        "good_changes": ["loans"],
        "bad_call": {"tool_id": 4, "due_on": "2026-04-18"},
        "edges": [
            {
                "before": [{"tool": "borrow_tool", "arguments": {"tool_id": 1, "due_on": "2026-04-12"}}],
                "arguments": {"tool_id": 4, "due_on": "2026-04-12"},
                "refused": True,
            },
            {"arguments": {"tool_id": 5, "due_on": "2026-04-12"}, "refused": True},
            {
                "given": [{"table": "loans", "id": 5, "values": {"status": "returned", "returned_on": "2026-04-09"}}],
                "arguments": {"tool_id": 5, "due_on": "2026-04-12"},
                "refused": False,
            },
        ],
    },
    {
        "name": "extend_loan",
        "source": f'''
import datetime

MOST_DAYS = 7

{_LAST_DAY}

def extend_loan(env, *, loan_id: int, due_on: str) -> dict:
    """Set a later day on which a loan is due."""
    loan = env.files.get("log/loans.jsonl", loan_id)
    if loan is None or loan["member_id"] != env.user_id:
        raise env.Error(f"You have no loan {{loan_id}}.")
    if loan["status"] != "out":
        raise env.Error("That tool is back already.")
    if not loan["due_on"] < due_on <= _last_day(loan["taken_on"]):
        raise env.Error("A loan ends later than before, and 7 days after the tool was taken at most.")
    env.files.update("log/loans.jsonl", loan_id, {{"due_on": due_on}})
    return {{"id": loan_id, "due_on": due_on}}
''',
        "good_call": {"loan_id": 2, "due_on": "2026-04-13"},
        "good_result": {"id": 2, "due_on": "2026-04-13"},
        "good_changes": ["loans"],
        "bad_call": {"loan_id": 2, "due_on": "2026-04-14"},
    },
    {
        "name": "return_tool",
        "source": '''
def return_tool(env, *, loan_id: int) -> dict:
    """Write down that a tool is back."""
    loan = env.files.get("log/loans.jsonl", loan_id)
    if loan is None or loan["member_id"] != env.user_id:
        raise env.Error(f"You have no loan {loan_id}.")
    if loan["status"] != "out":
        raise env.Error("That tool is back already.")
    env.files.update("log/loans.jsonl", loan_id, {"status": "returned", "returned_on": env.now[:10]})
    return {"id": loan_id, "status": "returned", "returned_on": env.now[:10]}
''',
        "good_call": {"loan_id": 2},
        "good_result": {"id": 2, "status": "returned", "returned_on": "2026-04-10"},
        "good_changes": ["loans"],
        "bad_call": {"loan_id": 1},
    },
]


def shed_answer(asked: Asked) -> Answer | None:
    """What the author of the shed says."""
    match asked.schema:
        case "theme":
            return THEME
        case "task_set":
            return {"tasks": TASKS}
        case "database_schema":
            return {"tables": TABLES, "documents": DOCUMENTS}
        case "seed_rows":
            return ROWS
        case "tool_spec":
            return {"tools": TOOLS}
        case "server_code":
            return {"functions": [one for one in FUNCTIONS if one["name"] in asked.context["wanted"]]}
        case "reference_solutions":
            return {"solutions": [{"task": task["id"]} | SOLUTIONS[task["id"]] for task in asked.context["tasks"]]}
        case "verifiers":
            tasks = [one["task"]["id"] for one in asked.context["tasks"]]
            return {"verifiers": [{"task": task, "source": VERIFIERS[task]} for task in tasks]}
        case "task_families":
            return {"families": [FAMILY]}
    return None


def shed_author() -> FastAPI:
    """An OpenAI-compatible app. `app.state.asked` holds every question. What its author was not asked is answered by
    the built-in model, where that can."""
    app = FastAPI(title="shed author")
    app.state.asked = []

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        messages = (await request.json())["messages"]
        question = read_question(messages)
        asked = Asked(question.schema, question.context, [m["content"] for m in messages[2:] if m["role"] == "user"])
        app.state.asked.append(asked)
        try:
            text = orjson.dumps(_answer(asked)).decode()
        except CannotAnswer:
            error = {"message": "nobody wrote this for the shed", "code": NO_OTHER_ANSWER}
            return Response(orjson.dumps({"error": error}), status_code=422, media_type="application/json")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "shed", "usage": usage}
        return Response(orjson.dumps(completion | {"choices": [choice]}), media_type="application/json")

    return app


def _answer(asked: Asked) -> Answer:
    if (given := shed_answer(asked)) is not None:
        return given
    return built_in_answer(asked.schema, asked.context).model_dump(mode="json")
