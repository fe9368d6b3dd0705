"""Catalogue and orders: things on shelves, and what people order of them.

With the option `multiline` an order collects lines as a draft and is then submitted; without it an order is of one
item. Provides `thing` (an item), `record` and `charge` (an order).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.catalogue.asks import ASKS
from envfactory_dagster.language.embedded.modules.catalogue.extras import EXTRAS
from envfactory_dagster.language.embedded.modules.catalogue.ordering import ORDERING
from envfactory_dagster.language.embedded.modules.catalogue.rows import ENTITIES, RULES, generate

MODULE = Module(
    name="catalogue",
    about="$Persons order $Items from a catalogue of $Shelfs and follow their $Orders",
    roles={
        "shelf": ("category", "collection", "department", "product line"),
        "vendor": ("supplier", "producer", "maker", "publisher"),
        "item": ("product", "article", "good", "title", "part", "book", "dish", "kit"),
        "order": ("order", "purchase", "purchase order", "sale"),
        "line": ("order line", "basket line", "line item"),
        "wish": ("wish list entry", "favourite", "saved item"),
        "giveback": ("return request", "return case", "exchange request"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*ORDERING, *EXTRAS),
    asks=ASKS,
    generate=generate,
    provides={"thing": "item", "record": "order", "charge": "order"},
    links=("place",),
    options=("multiline", "vendors", "wishes", "givebacks"),
    settings={"mostunits": (3, 4, 5), "returndays": (14, 21, 30)},
    keywords=("shop", "store", "buy", "purchase", "sell", "catalog", "catalogue", "product", "basket", "cart", "menu"),
)
