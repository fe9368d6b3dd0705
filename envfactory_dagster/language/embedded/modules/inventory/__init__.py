"""Inventory: what is kept where, how it is moved between places, and how new stock is ordered.

With the option `manifest` a transfer collects goods as a draft and is then submitted; without it a transfer is of one
good. Provides `thing` (a good), `place` (where stock is kept) and `record` (a transfer).
"""

from envfactory_dagster.language.embedded.kit import Module
from envfactory_dagster.language.embedded.modules.inventory.asks import ASKS
from envfactory_dagster.language.embedded.modules.inventory.moving import MOVING
from envfactory_dagster.language.embedded.modules.inventory.rows import ENTITIES, RULES, generate
from envfactory_dagster.language.embedded.modules.inventory.stock import STOCK

MODULE = Module(
    name="inventory",
    about="$Persons look after $Skus in every $Depot, ask for $Transfers and order $Supplys",
    roles={
        "source": ("wholesaler", "mill", "stock supplier"),
        "depot": ("warehouse", "storeroom", "stockroom", "goods store"),
        "sku": ("stock item", "material", "component", "spare part", "supply item"),
        "level": ("stock level", "stock position", "bin level"),
        "batch": ("batch", "lot", "production lot"),
        "transfer": ("stock transfer", "relocation", "stock move"),
        "piece": ("transfer line", "manifest line", "packing line"),
        "supply": ("replenishment", "restock", "supply order"),
        "tally": ("stock count", "stocktake", "cycle count"),
    },
    entities=ENTITIES,
    rules=RULES,
    tools=(*STOCK, *MOVING),
    asks=ASKS,
    generate=generate,
    provides={"thing": "sku", "place": "depot", "record": "transfer"},
    links=("staff",),
    options=("manifest", "sources", "batches", "counts"),
    keywords=("inventory", "stock", "warehouse", "storage", "replenish", "reorder", "restock", "material", "batch"),
)
