"""The words in which a model is asked for a task with its programs.

Belongs here: the prompt. Does not: its context (`contracts.program_tasks`) and its gate (`gate`).
"""

from envfactory_dagster.authoring.texts import FEWEST_WORDS, MOST_WORDS
from envfactory_dagster.contracts.tool_signatures import HOW_TO_READ

SCHEMA = "program_task"

INSTRUCTIONS = (
    """\
You make one hard task for an assistant of the service that `theme` describes: a request of user 1, a program that does
what is asked, and checks by which one tells whether it was done. It starts in a state of the database of which
`sample_rows` are the first rows, at the time `clock`; `tables` and `tools` are all there is. `taken` is what others ask
for already: ask for something else.

The request
- `text`: one to five sentences in the person's own voice, concrete, with names, dates, amounts, limits. Say what is
  wanted, never how. Things are called by what they are: no numbers of rows, no names of tools, tables or fields, no
  screens, no passwords. `id`: snake_case, short, telling. `entities`: the kinds of things it is about.
"""
    f"  The text has {FEWEST_WORDS} to {MOST_WORDS} words.\n"
    """\
- It takes a program: going through lists, adding up, comparing, deciding by what was found. `pattern` is a hint:
  `across_lists`, figures of several lists are compared, and what else is wanted depends on which is larger;
  `each_one`, each of several things is looked into and they are held against each other; `for_all`, something is done
  to all that fit and to no other; `depending`, what is done, or to which thing, depends on a figure.
- It is hard because the matter is, and no exam: the person has a reason for every figure and condition, what is done
  follows from it, and nothing is added up or compared that nobody pays, plans or worries about. They ask which and
  when, not for three subtotals; things go by their names, not by a column or a rank in a list.
- `level` 1 is easy, 5 very hard; at level 1 it is enough that something is done to all that fit. The program makes at
  least `least_calls` calls, of `least_tools` different tools.
- There is one right end. No ties where the most or the least of something is asked for; several rows fit where all are
  meant, and some do not; no two figures that are asked for are equal.
- `kind`: `information` when only an answer is wanted and nothing changes, `action` when rows must change.

The answer form: `answer_form` lists what the text asks to be told, one field for each thing, and nothing else. It is
empty where the text only asks for something to be done.
- A field has a `name` in snake_case, a `description` in plain words for somebody who has read the text, and a `type`:
  `integer`, `number`, `money` (with the currency as `unit`), `date`, `time`, `duration` (with `minutes`, `hours` or
  `days` as `unit`), `text`, `yes_no`, `choice` (with all `choices`, by the names people know); `many` where several are
  listed. `unit` of a number says what is counted or measured. Where the service has few things of a kind, take a
  `choice` of them all.
- A form gives no answer away. What is asked for only in one of two cases is a field as well: in the other case it is
  left empty.

The program: `solution` is a module with a function `solve`:

    def solve(tools):
        total = 0
        for order in tools.list_my_orders()["orders"]:
            if order["status"] == "open":
                lines = tools.list_order_lines(order_id=order["order_id"])["lines"]
                total += sum(line["quantity"] for line in lines)
        if total > 20:
            tools.request_pickup(day="2026-03-06")
        return {
            "outcome": "done",
            "answers": {"pieces": total},
            "reason": None,
            "message": f"{total} pieces are still to come.",
        }

- A tool is called with keyword arguments and returns what it `gives`; when it refuses, it raises `tools.Error`. It has
  loops or comprehensions, and above level 1 branches or sums. It knows what the text says and nothing else: it finds
  every row through tools, and writes no id. A tool whose `principal` is `user` is called in the same way, where one
  that the program calls later has it in `confirmed_by`, and nowhere else.
- It returns the report that ends the work, a dict with four keys: `outcome`, which is `"done"`; `answers`, with a key
  for every field of the form, and None for a field that is not due; `reason`, which is None; `message`, what the person
  is told, in one or two sentences with everything they asked to know. Amounts of money are as the tools give
  them: in cents, or whole where the currency has none. Nothing is reported that the program did not find out or do, and
  nothing is changed that is not asked for.
- Allowed imports: datetime, math, json, re, collections, itertools, functools, statistics, decimal, string.

The checks: `verifier` is a module of independent functions, each with a docstring that says what it is for; helpers
begin with `_`:

    def goal_says_how_many(world) -> bool:
        \"\"\"Says how many pieces are still to come.\"\"\"
        row = world.initial.one(
            "SELECT sum(l.quantity) AS n FROM lines l JOIN orders o ON o.id = l.order_id"
            " WHERE o.user_id = 1 AND o.status = 'open'"
        )
        return world.report.says("pieces", row["n"])

    def guard_reports_it_as_done(world) -> bool:
        \"\"\"Reports that it is done.\"\"\"
        return world.report.outcome in (None, "done")

    def guard_changes_one_pickup_only(world) -> bool:
        \"\"\"Changed nothing but one new pickup.\"\"\"
        return all(c["table"] == "pickups" and c["before"] is None for c in world.changes) and len(world.changes) <= 1

- The score is 0 unless every `guard_…` holds, and otherwise the share of the `goal_…` that hold. A goal is false at the
  start, a guard is true there. Each returns True or False.
- `world.initial` and `world.final` are read-only databases: `query(sql, params)` gives a list of dicts, `one(sql,
  params)` a dict or None. `world.changes` are the rows that differ: `{"table", "key", "before", "after"}`, `before`
  None for a new row, `after` None for a deleted one. SQL is a literal with bound values. The imports above are allowed.
- `world.report.says(field, value)` tells whether the answer in this field of the form is this value, in whatever form
  it was given: numbers in words, other forms of dates and amounts, names in any case. Money is compared in its
  smallest unit. With `None` it asks whether the field was left empty; of a field with `many`, the value is a list.
  `world.report.outcome` is None at the start, before any report.
- What is wanted is worked out from `world.initial`, not copied from what the program found. Every row that was to
  change is checked, with its values; the guards forbid every other row, column and table, and for `information` any
  change. Ids and codes of new rows are not compared.
- Every field of the form has a goal of its own, and one that is not due has to be None. The outcome is a guard, as
  above, so that whoever reports another one scores 0.

""" + HOW_TO_READ
)
