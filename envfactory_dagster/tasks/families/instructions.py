"""The words in which a model is asked for task families.

Belongs here: the prompt. Does not: its context (`contracts.families`) and what families have to stand (`acceptance`).
"""

from envfactory_dagster.authoring.texts import FEWEST_WORDS, MOST_WORDS
from envfactory_dagster.contracts.tool_signatures import HOW_TO_READ

SCHEMA = "task_families"

INSTRUCTIONS = (
    """\
You write `count` task families for an assistant of the service that `theme` describes. A family is one kind of request
that user 1 brings again and again, each time with other things in it: other names, days, amounts, other circumstances.
You write it once; afterwards hundreds of tasks are drawn from it by code alone, in every state of the database, and
each has to be solvable, to have one right end, and to be judged rightly. `tables` and `tools` are all there is,
`states` the databases with their times, `sample_rows` the first rows of the first one.

What makes a good set of families
- Each is something a person would really ask here, with one purpose. They differ in what is wanted, in the tables and
  tools they take, and in what is hard about them: a rule with an exception, a deadline counted backwards, a choice
  among several that fit, a figure from several lists, something done to all that qualify and to no other, a thing that
  has to be declined. `tasks` and `taken` are what people ask for already: write others.
- Some families change rows, some only find things out, some meet a rule that forbids them in part of the cases. Take a
  family that branches over one that always goes the same way.
- Their solutions take at least 4 calls, most between 6 and 15, in loops over real lists: each thing of a list is
  looked at because what is wanted depends on it. A case that is refused may take fewer. One family in four has
  instances of 20 to 40 calls, over the long list that somebody there really has to go through; `given` brings its
  rows where the states have too few. Length comes from the matter, never from a second unrelated wish.

What gives a machine away, and stays out
- Rows that no ordinary week brings. Whoever asks holds a handful of things and not eighteen, is in one place at a
  time, and is not everything at once, customer, teacher and treasurer. What is booked fits where it is booked, most
  of what is offered is still to be had, amounts are those of the trade, and what belongs together is drawn together:
  no film for adults on a school morning, no guest of two at a wine tasting, no club evening on Christmas Eve.
- Wishes that are calculations. People ask which, when and how much they pay, not how many of something there would
  be; they choose "whichever is cheaper", not "the one with the lower fee". Conditions and limits are those they have
  a reason for, and the reason leads to what is asked. Days that are over are of no use to anybody.
- The language of forms: "inclusive", "up to and including", the year after every date, things called by a column of
  theirs, a question for a total at the end of every request. One wish can be read in one way only: "at most 600
  euros" says whether for each or for all.

The fields of a family: `name`, snake_case, at most 36 characters. `about`: what the person wants, in a sentence.
`hard`: what makes it hard. `kind`: `action` where rows change, `information` where only an answer is wanted, `refusal`
where a rule forbids it in every case, `unable` where no tool can do it. `rule`: the rule of a `refusal`, else null: a
family that branches names it in those instances that are refused. `entities`: the kinds of things it is about.

`wordings`: at least four ways in which different people say it, in their own voice: short and long, chatty and dry,
some with a reason. What changes stands in braces: `{hut}` for a text or a number, `{day:date}` for a day that is given
as `2026-03-06`, `{limit:money}` for an amount in cents (write the currency after it; no `:money` where the
currency has no cents), `{names:list}` for a list of
texts. Every wording has the same slots, so that none leaves out what another says; nothing else varies. A wording
names things as people know them: no numbers of rows, no names of tools, tables or fields, no passwords, no screens. It
says everything that the solution has to know and reads well with every value: mind singular and plural. A name or a
day is said once, and after that as people do: “she”, “it”, “that evening”. It is a request, not a word problem: no
definitions, no steps. \
"""
    f"With its slots filled it has {FEWEST_WORDS} to {MOST_WORDS} words.\n"
    '''
`answer_form`: what every task of the family asks to be told, one field for each thing; empty where it asks for
nothing. A field has a `name` in snake_case, a `description` in plain words, and a `type`: `integer`, `number`, `money`
(in cents, as `solve` and the checks give it, with the currency as `unit`), `date`, `time`, `duration` (with `minutes`,
`hours` or `days` as `unit`), `text`, `yes_no`, `choice` (with all `choices`); `many` for a list, `ordered` where its
order counts. The form is the same whether the task can be done or not, so it never tells the outcome.

`source` is one module:

    import datetime

    def instances(world, rng):
        """An open order of the user with more than one line, and a day on which the shop is open."""
        orders = world.query(
            "SELECT o.id, o.code, s.name AS shop FROM orders o JOIN shops s ON s.id = o.shop_id"
            " WHERE o.user_id = 1 AND o.status = 'open' ORDER BY o.id"
        )
        days = world.query("SELECT day FROM opening_days WHERE day > ? ORDER BY day", [world.clock[:10]])
        pairs = [(order, day["day"]) for order in orders for day in days]
        rng.shuffle(pairs)
        for order, day in pairs:
            yield {"p": {"shop": order["shop"], "day": day, "order": order["id"]}}

    def solve(tools, p):
        mine = tools.list_my_orders(status="open")["orders"]
        order = next(o for o in mine if o["shop"] == p["shop"])
        tools.request_pickup(order_id=order["order_id"], day=p["day"])
        return {
            "outcome": "done",
            "answers": {"pieces": order["pieces"]},
            "reason": None,
            "message": f"The pickup of your {order['pieces']} pieces is requested.",
        }

    def goal_has_one_pickup_on_that_day(world, p):
        """Has one pickup of this order on the day that was asked for."""
        rows = world.final.query("SELECT day FROM pickups WHERE order_id = ?", [p["order"]])
        return [row["day"] for row in rows] == [p["day"]]

    def goal_says_how_many_pieces(world, p):
        """Says how many pieces it is."""
        row = world.initial.one("SELECT sum(quantity) AS n FROM lines WHERE order_id = ?", [p["order"]])
        return world.report.says("pieces", row["n"])

    def guard_adds_one_pickup_only(world, p):
        """Changed nothing but one new pickup."""
        return len(world.changes) <= 1 and all(c["table"] == "pickups" and c["before"] is None for c in world.changes)

    def guard_reports_it_as_done(world, p):
        """Reports that it is done."""
        return world.report.outcome in (None, "done")

- `instances(world, rng)` yields instances, or returns a list of them. `world` is one state before anything happens:
  `world.query(sql, params)` gives a list of dicts, `world.one(sql, params)` a dict or None, `world.clock` the time,
  `world.state` its name; it can only be read. `rng` is a `random.Random`: all chance comes from it, so that a seed
  gives the same tasks again. Only instances that can be solved and have one right end: ties, things that are not
  there, days in the past, what a rule forbids by accident are left out here. It yields many different ones (a hundred
  and more where that is possible) and may go on for ever; it must never hang. Two families are the same one, and the
  later is refused, where all SELECT statements of `instances` and its helpers, taken together, are those of the other.
  Single statements may recur, as one for the highest id of a table.
- An instance is `{"p": {…}}`. `p` fills the slots, by name, and holds what the checks need besides (ids, amounts). A
  family may have both, cases that can be done and cases that a rule forbids: the latter are
  `{"p": {…}, "kind": "refusal", "rule": "the_rule"}`. Their goals are that this is reported
  (`world.report.outcome == "refused"` with the rule as `reason`) and that the fields of the form are left empty.
- `"given": {"table": [{"column": value, …}, …]}`: rows that are in this task's database beside those of the state, so
  that no task depends on the few rows there are. They obey every constraint, have ids above all there are, fit the
  clock and the other rows (a booking has its guests and its charge), and are what this service would have written.
- `solve(tools, p)` sees in `p` the slots of the wordings and nothing else: it knows what the text says, and finds
  every row through tools, called with keyword arguments. A tool that refuses raises `tools.Error`. No tool tells the
  time: whether a limit has passed shows in what the tools answer, so `solve` tries, and reports the refusal that
  comes. Tools whose `principal` is `user` are called in the same way where the person has to do a part. It does what
  is asked and no more, and returns the report: `outcome` (`done`; `refused` where a rule forbids it; `impossible`
  where no tool can do it), `answers` with every field of the form and None where nothing is due, `reason` (the id of
  the rule, else None), and `message`, what the person is told. A refused task changes nothing.
- `goal_…(world, p)` is what must have become true: false at the start. `guard_…(world, p)` is what must have stayed
  true: true at the start. Each has a docstring and returns True or False. The score is 0 unless every guard holds, and
  otherwise the share of goals that hold. `world.initial` and `world.final` are read-only databases as above,
  `world.changes` the rows that differ (`table`, `key`, `before`, `after`; `before` None for a new row, `after` None for
  one that is gone), `world.report.outcome` and `.reason` are None before there is a report, and
  `world.report.says(field, value)` tells whether the answer in this field is this value (None: that it was left empty).
  A check has no `world.clock`: put the time that it needs into `p`.
- The checks hold for every way to the goal and for nothing less: whose, which, how many, when, what state; every field
  of the form has a goal; outcome and reason are guards; the guards forbid every other row, column and table, and allow
  what the service writes as a consequence. They work out what is right from `world.initial` and `p`. Ids, codes and
  moments of new rows are not compared. Text that the person dictated is compared with `world.same_text(one, other)` or
  `same_text(column, ?)` in SQL.
- Allowed imports: datetime, math, json, re, collections, itertools, functools, statistics, decimal, string. At module
  level stand imports, constants (UPPER_CASE, of text, numbers and tuples) and functions; helpers begin with `_`. No
  clock but the `world.clock` of `instances`, no classes, no globals. SQL is a literal with bound values.

Thirty instances of every family, of all states, are run and judged like any task. `solve` runs twice, to the same end.
Then its calls are made once more with one mistake: a write is left out or made twice, another one is added, or one
argument of a write is another row, number, day or choice. Where that leaves other rows than `solve` did, ids, codes and
moments of new rows aside, the checks must refuse it, whatever the words would have allowed: so the words fix every
value that is written. The same end with equivalent calls and the same answers in other words must pass, wrong answers
must not. A family is taken when nine in ten stand it.
Leave `declined` empty.

''' + HOW_TO_READ
)
