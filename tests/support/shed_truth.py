"""The tasks of the shed: the programs that do them, and the checks by which one tells.

Belongs here: what its author answers about tasks. Does not: the world they are about (`shed_author`).
"""

from tests.support.alpine_author import Answer

_BORROW = """
def solve(tools):
    wanted = next(tool for tool in tools.find_tools(free_only=True)["tools"] if tool["name"] == "{name}")
    {first}
    loan = tools.borrow_tool(tool_id=wanted["id"], due_on="{due_on}")
    message = f"The {name} is yours until {{loan['due_on']}}."
    return {{"outcome": "done", "answers": {{}}, "reason": None, "message": message}}
"""

SOLUTIONS: dict[str, Answer] = {
    "dig_the_beds": {"source": _BORROW.format(name="Tiller", first="", due_on="2026-04-15")},
    "barrow_for_spade": {
        "source": _BORROW.format(
            name="Spade",
            first='mine = tools.list_my_loans(status="out")["loans"]\n'
            '    tools.return_tool(loan_id=next(loan["id"] for loan in mine if loan["tool_name"] == "Wheelbarrow"))',
            due_on="2026-04-14",
        )
    },
    "dearest_free_one": {
        "answer_form": [
            {
                "name": "name",
                "type": "choice",
                "choices": ["Spade", "Hedge trimmer, cordless", "Wheelbarrow", "Tiller", "Long ladder", "Lawn edger"],
                "description": "Which of the free ones has the highest deposit",
            },
            {"name": "deposit", "type": "money", "unit": "EUR", "description": "How much that deposit is"},
        ],
        "source": """
def solve(tools):
    dearest = max(tools.find_tools(free_only=True)["tools"], key=lambda tool: tool["deposit_cents"])
    answers = {"name": dearest["name"], "deposit": dearest["deposit_cents"]}
    message = f"The {dearest['name']} has the highest deposit: {dearest['deposit_cents'] / 100:.2f} euros."
    return {"outcome": "done", "answers": answers, "reason": None, "message": message}
""",
    },
    "closing_time": {
        "answer_form": [
            {"name": "back_by", "type": "time", "description": "By what time a tool has to be back on its last day"}
        ],
        "source": """
import re


def solve(tools):
    line = tools.search_documents(words="Bring a tool back")["lines"][0]
    back_by = re.search(r"[0-9]{2}:[0-9]{2}", tools.read_document(path=line["path"])["text"])[0]
    message = f"The house rules want it back by {back_by}."
    return {"outcome": "done", "answers": {"back_by": back_by}, "reason": None, "message": message}
""",
    },
    "whole_season": {
        "source": """
def solve(tools):
    spade = next(tool for tool in tools.find_tools()["tools"] if tool["name"] == "Spade")
    try:
        tools.borrow_tool(tool_id=spade["id"], due_on="2026-04-30")
    except tools.Error:
        message = "I cannot lend it until 30 April 2026: a tool is due at most 7 days after it is taken."
        return {"outcome": "refused", "answers": {}, "reason": "loan_length", "message": message}
    return {"outcome": "done", "answers": {}, "reason": None, "message": "The spade is yours until 30 April 2026."}
""",
    },
}

_DONE = '''
def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule against it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
'''
_NOTHING = '''
def guard_changes_nothing(world) -> bool:
    """Changed no row at all."""
    return world.changes == []
'''
_HAS = '''
def goal_has_it_until_then(world) -> bool:
    """The user has the {name} out, from today until {due_on}."""
    row = world.final.one(
        "SELECT count(*) AS n FROM loans l JOIN tools t ON t.id = l.tool_id WHERE l.member_id = 1 AND t.name = ?"
        " AND l.status = 'out' AND l.due_on = ? AND l.taken_on = ? AND l.returned_on IS NULL",
        ["{name}", "{due_on}", "2026-04-10"],
    )
    return row["n"] == 1
'''

VERIFIERS: dict[str, str] = {
    "dig_the_beds": _HAS.format(name="Tiller", due_on="2026-04-15")
    + _DONE
    + '''
def guard_changes_nothing_else(world) -> bool:
    """Touched no row but one new loan of the user."""
    return len(world.changes) <= 1 and all(
        change["table"] == "loans" and change["before"] is None and change["after"]["member_id"] == 1
        for change in world.changes
    )
''',
    "barrow_for_spade": _HAS.format(name="Spade", due_on="2026-04-14")
    + _DONE
    + '''
def goal_barrow_is_back(world) -> bool:
    """The wheelbarrow is written down as returned today."""
    row = world.final.one(
        "SELECT count(*) AS n FROM loans l JOIN tools t ON t.id = l.tool_id WHERE l.member_id = 1 AND t.name = ?"
        " AND l.status = 'returned' AND l.taken_on = ? AND l.due_on = ? AND l.returned_on = ?",
        ["Wheelbarrow", "2026-04-06", "2026-04-12", "2026-04-10"],
    )
    return row["n"] == 1


def guard_changes_nothing_else(world) -> bool:
    """Touched no row but the loan of the wheelbarrow and one new loan of the user."""
    new = [change for change in world.changes if change["before"] is None]
    old = [change for change in world.changes if change["before"] is not None]
    return (
        len(new) <= 1
        and len(old) <= 1
        and all(change["table"] == "loans" and change["after"] is not None for change in world.changes)
        and all(change["after"]["member_id"] == 1 for change in new)
        and all(
            change["before"]["id"] == 2
            and {name for name in change["before"] if change["before"][name] != change["after"][name]}
            <= {"status", "returned_on"}
            for change in old
        )
    )
''',
    "dearest_free_one": '''
def dearest(world):
    return world.initial.one(
        "SELECT name, deposit_cents FROM tools t WHERE NOT EXISTS (SELECT 1 FROM loans l WHERE l.tool_id = t.id AND"
        " l.status = 'out') ORDER BY deposit_cents DESC LIMIT 1"
    )


def goal_says_which(world) -> bool:
    """Has told which free tool has the highest deposit."""
    return world.report.says("name", dearest(world)["name"])


def goal_says_how_much(world) -> bool:
    """Has told how much that is."""
    return world.report.says("deposit", dearest(world)["deposit_cents"])
'''
    + _NOTHING
    + _DONE,
    "closing_time": '''
import re


def goal_says_the_time(world) -> bool:
    """Has told by when a tool has to be back."""
    text = world.initial.one("SELECT text FROM documents WHERE path = ?", ["docs/house_rules.md"])["text"]
    return world.report.says("back_by", re.search(r"[0-9]{2}:[0-9]{2}", text)[0])
'''
    + _NOTHING
    + _DONE,
    "whole_season": '''
def goal_refuses_by_the_rule(world) -> bool:
    """Refuses since a tool is lent for 7 days at most."""
    return world.report.outcome == "refused" and world.report.reason == "loan_length"
'''
    + _NOTHING,
}

FAMILY: Answer = {
    "name": "borrow_a_free_one",
    "about": "Borrows a tool of the shed until a day.",
    "hard": "Some days lie beyond what the rules allow, and the tool has to be told from others.",
    "kind": "action",
    "rule": None,
    "entities": ["Tool", "Loan"],
    "wordings": [
        "Please get me the {tool} from the shed until {due:date}, and tell me what deposit I leave for it.",
        "I could do with the {tool}. I'd bring it back on {due:date}. What is the deposit?",
        "My beds need the {tool} this week. Write it down for me until {due:date} and say how much deposit that is.",
        "Can I have the {tool} until {due:date}? If so, take it out for me and tell me the deposit.",
    ],
    "answer_form": [{"name": "deposit", "type": "money", "unit": "EUR", "description": "The deposit for it"}],
    "source": '''
import datetime

NAMES = ("Post hole digger", "Drum sieve", "Bulb planter", "Long rake", "Apple picker", "Compost fork", "Dibber")


def _day(clock, days):
    return (datetime.date.fromisoformat(clock[:10]) + datetime.timedelta(days=days)).isoformat()


def instances(world, rng):
    """A tool that nobody has out, of the shed or one that came in since, and a day that is or is not too late."""
    free = world.query(
        "SELECT name FROM tools t WHERE NOT EXISTS (SELECT 1 FROM loans l WHERE l.tool_id = t.id AND l.status = 'out')"
        " ORDER BY id"
    )
    new_id = world.one("SELECT max(id) + 1 AS id FROM tools")["id"]
    while True:
        days = rng.choice([1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 12])
        instance = {"p": {"tool": rng.choice([row["name"] for row in free]), "due": _day(world.clock, days)}}
        if rng.random() < 0.8:
            name = rng.choice(NAMES)
            instance["p"]["tool"] = name
            row = {"id": new_id, "name": name, "kind": "hand", "deposit_cents": rng.randrange(3, 40) * 100}
            instance["given"] = {"tools": [row | {"weight_kg": None}]}
        if days > 7:
            instance |= {"kind": "refusal", "rule": "loan_length"}
        yield instance


def solve(tools, p):
    mine = tools.get_my_membership()
    tools.list_my_loans(status="out")
    wanted = next(tool for tool in tools.find_tools(free_only=True)["tools"] if tool["name"] == p["tool"])
    try:
        tools.borrow_tool(tool_id=wanted["id"], due_on=p["due"])
    except tools.Error:
        message = f"Sorry, {mine['name']}: a tool is due at most 7 days after the day on which it is taken."
        return {"outcome": "refused", "answers": {"deposit": None}, "reason": "loan_length", "message": message}
    return {
        "outcome": "done",
        "answers": {"deposit": wanted["deposit_cents"]},
        "reason": None,
        "message": f"It is yours; the deposit is {wanted['deposit_cents'] / 100:.2f} euros.",
    }


def goal_has_it_or_is_told_why_not(world, p):
    """Has the tool until that day; or, where that is too late, it is refused by the rule."""
    if p["due"] > "2026-04-17":
        return world.report.outcome == "refused" and world.report.reason == "loan_length"
    row = world.final.one(
        "SELECT count(*) AS n FROM loans l JOIN tools t ON t.id = l.tool_id WHERE l.member_id = 1 AND t.name = ?"
        " AND l.status = 'out' AND l.due_on = ? AND l.taken_on = '2026-04-10' AND l.returned_on IS NULL",
        [p["tool"], p["due"]],
    )
    return row["n"] == 1


def goal_says_the_deposit(world, p):
    """Says the deposit where it is borrowed, and nothing where it is not."""
    if p["due"] > "2026-04-17":
        return world.report.outcome is not None and world.report.says("deposit", None)
    row = world.initial.one("SELECT deposit_cents FROM tools WHERE name = ?", [p["tool"]])
    return world.report.says("deposit", row["deposit_cents"])


def guard_adds_one_loan_of_the_user_only(world, p):
    """Touched no row but one new loan of the user, and none where it is too late."""
    most = 0 if p["due"] > "2026-04-17" else 1
    return len(world.changes) <= most and all(
        change["table"] == "loans" and change["before"] is None and change["after"]["member_id"] == 1
        for change in world.changes
    )


def guard_reports_what_came_of_it(world, p):
    """Reports that it is done; that it is refused, where it is too late."""
    if p["due"] > "2026-04-17":
        return (world.report.outcome, world.report.reason) in ((None, None), ("refused", "loan_length"))
    return world.report.outcome in (None, "done") and world.report.reason is None
''',
}
"""Most of its tasks bring a tool along that the file does not have."""
