"""Messaging: what people write to each other, what is announced to them, and what they have read of it.

With the option `groups` any number of people take part in a thread; without it a thread is between two. Provides
`record` (a thread).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.messaging.asks import ASKS
from envfactory_dagster.language.embedded.modules.messaging.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.messaging.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.messaging.writing import WRITING

MODULE = Module(
    name="messaging",
    about="$Persons write to each other in $Threads and are told what is new by $Notices and $Bulletins",
    roles={
        "thread": ("conversation", "message thread", "discussion"),
        "party": ("conversation member", "discussion member"),
        "message": ("message", "chat message"),
        "clip": ("attachment", "enclosure"),
        "bulletin": ("announcement", "bulletin", "circular"),
        "receipt": ("read receipt", "read confirmation"),
        "notice": ("notification", "alert"),
        "block": ("block", "contact block"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*WRITING, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"record": "thread"},
    links=("record", "place"),
    options=("groups", "receipts", "attachments", "blocks"),
    settings={"withdrawminutes": (15, 30, 60), "mostparties": (5, 6)},
    keywords=("message", "chat", "notify", "notification", "announce", "inbox", "conversation", "mail", "forum"),
)
