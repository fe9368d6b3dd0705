"""Applications: what can be applied for, forms with their documents, review, decision, permits and their renewal.

With the option `checklist` what is applied for says which documents it needs; without it documents are of a few kinds.
With `rounds` people apply to a round with a deadline. Provides `thing` (a scheme), `record` and `charge` (an
application) and, with `steps`, `staff`.
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.applications.applying import APPLYING
from envfactory_dagster.language.embedded.modules.applications.asks import ASKS
from envfactory_dagster.language.embedded.modules.applications.lookups import LOOKUPS
from envfactory_dagster.language.embedded.modules.applications.procedure import PROCEDURE
from envfactory_dagster.language.embedded.modules.applications.questions import QUESTIONS
from envfactory_dagster.language.embedded.modules.applications.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="applications",
    about="$Persons file $aApplication with its $Documents and follow its review",
    roles={
        "scheme": ("permit type", "licence type", "grant programme", "certificate type"),
        "requirement": ("requirement", "checklist point", "mandatory form"),
        "round": ("application round", "intake", "call for applications|calls for applications"),
        "application": ("application", "permit application", "formal request"),
        "document": ("document", "attachment", "enclosure"),
        "reviewer": ("case officer", "reviewer", "clerk"),
        "review": ("review step", "examination step", "approval step"),
        "inspection": ("site inspection", "interview", "hearing"),
        "permit": ("permit", "licence", "certificate"),
        "renewal": ("renewal request", "extension request"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*LOOKUPS, *APPLYING, *PROCEDURE),
    asks=(*ASKS, *QUESTIONS),
    generate=generate,
    provides={"thing": "scheme", "record": "application", "charge": "application", "staff": "reviewer"},
    options=("checklist", "rounds", "steps", "permits", "inspections"),
    settings={"renewdays": (30, 45, 60)},
    keywords=(
        "application",
        "apply",
        "permit",
        "licence",
        "license",
        "grant",
        "certificate",
        "registration",
        "approval",
        "visa",
        "renewal",
        "admission",
    ),
)
