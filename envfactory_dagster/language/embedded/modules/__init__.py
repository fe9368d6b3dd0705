"""The capability modules, and how to write one.

A module is a folder `modules/<name>/` whose `__init__.py` has `MODULE: Module`; every folder here is found by
itself. It holds `rows.py` (entities, rules, `generate`), one or more files of tools, `asks.py`; no file over 450
lines. Read `bookings` first. Import only `kit`, `vocabulary`, `world.View`, your own files. While writing, run

    python -m tests.language.embedded.check module <name>     # six themes around it: options both ways, both sizes
    python -m tests.language.embedded.check text "A lending library of garden tools"

**Roles and nouns.** A module never knows its theme's words. It names *roles* (`roles={"slot": ("session",
"lesson")}`, with default nouns, which are also the words by which free text is recognised) and writes templates in
which, for a role `slot`:

    $slot  $slots       identifiers: wall_session, wall_sessions      $slot_id, list_my_$slots, FROM $slots
    $Slot  $Slots       words: wall session, wall sessions             "there is no $Slot {x}"
    $aSlot              with its article: a wall session               (sentences get their capital by themselves)

A role is one lower-case word whose placeholder plural is `role` + `s`, always (`$entrys` reads as the theme's
plural). `$person` is there in every module. A number of `settings={"notice": (12, 24)}` is a placeholder too:
`$notice`.

**Flags.** `#: if FLAG FLAG !FLAG` … `#: end`, each on a line of its own, keep or leave out the lines between, in
columns, code (also inside a call, between pieces of SQL), goals and programs; `when="full waitlist !scheduled"` does
it for a whole entity, tool, rule or ask. Flags are: your `options` (drawn per theme), your rules' ids (a theme has
only some of the rules), `small` or `full`, names of the modules in the plan, and the capabilities you link to, when
provided. Two tools of one name with opposite `when` are fine. *Small* themes have people and the heart only: about
three entities, four tools, two rules without `full`. Options must change the foreign keys: themes of one kind must
not share a schema. Two options or more.

**Names in Python drop the `$`.** In `generate`, calls and asks a column `$slot_id` is `"slot_id"`, a parameter
`$slot_id` is `"slot_id"`, a role is `"slot"`. Columns an option left out are dropped by `view.add`, unknown ones
raise.

**Links.** `provides={"charge": "booking"}` offers a role to others, `links=("charge",)` makes `$charge`, `$charges`,
`$Charge` and `view.rows("charge")` available, and the flag `charge`, if some module of the plan provides it. What a
provider promises:

    person  id, name, email, phone, status (active…); id 1 is signed in, others never are      (always there)
    place   id, name, city: a branch or site
    thing   id, name, status: something that is offered, used, rated, lent, watched
    record  id, $person_id, status: something a person did or has
    charge  a record with total_cents; not payable when its status is 'cancelled' or 'draft'
    staff   id, name: somebody who works here

Refer to linked tables by foreign key and read them; never change them. Guard everything linked with the capability's
flag.

**Entities.** One column or constraint per line, STRICT types INTEGER, TEXT, REAL; `id INTEGER PRIMARY KEY
AUTOINCREMENT` first; NOT NULL, CHECK, UNIQUE and REFERENCES wherever the domain has them; enums as `CHECK (status IN
('a', 'b'))` (result schemas read them), dates TEXT as `2026-03-02`, times `2026-03-02T09:00:00`, money INTEGER
`…_cents`. Parents before children. A table is named by its role's plural. Index of foreign keys are made for you.
Every table is read by a tool; no authentication.

**Rows.** `generate(view)` fills your tables through `view.add(role, column=…)`; `view.rows`, `.select`, `.mine`,
`.pick`, `.size(small, full)`, `.moment(days, hour)`, `.day(days)`, `.names(role, n)`, `.rng`. About seven rows per
table in full, consistent with the life cycle and the clock (past bookings are not open). Guarantee, by construction,
in *every* state a row for every good call, and rows of other people for bad ones. `vocabulary` has people, places,
prices; your own vocabulary stays with you.

**Tools.** Six to nine: lookups, a filtered search, creation, state changes, an aggregate; `principal="user"` for
what the person does alone (confirm, check in; asks do not use these). The signature and docstring come from `params`
and `about`; `code` is the body, as `docs/tool-code.md` says: literal SQL with bound values, no clock or date
functions in SQL, `env.Error` for refusals, modules via `imports`. Read and change only rows of `env.user_id` where
rows belong to people. A command changes few rows, those its arguments name. `good` succeeds on the rows of the state
`initial`; `bad` is refused (an id from `view.missing`, another's row). Parameters have descriptions and limits;
`optional(...)` may be left out. Results are written with `row_of`, `many`.

**Rules.** One to three; id unique among all modules; enforced between `#: if <id>` and `#: end`.

**Asks.** What people want: `make(view)` returns a `Step` (words, program, checks of the same `values`) or None. Have
an ask for nearly every tool: changes with `goals` and `allows`, questions with `facts`, refusals (`rule=…`,
`attempt(...)`), and a choice, where any of several ends will do and the goal says only what was wished; its
`otherwise` says what to write in the program instead to get to another end. A
program looks things up as an agent must (by name or date, not by id the words do not say), two to four calls. Words
are an imperative clause that fits "please …, and then …". A goal must not hold in the initial state; name the rows
that may change in `allows`; ask for one thing exactly. Several steps of different modules make one task, so a step
must not rest on what another module's step may change.
"""

import importlib
import pkgutil
from functools import cache

from envfactory_dagster.language.embedded.kit import Module


@cache
def all_modules() -> dict[str, Module]:
    """Every module by name."""
    files = sorted(info.name for info in pkgutil.iter_modules(__path__))
    found = [importlib.import_module(f"{__name__}.{name}").MODULE for name in files]
    return {module.name: module for module in found}
