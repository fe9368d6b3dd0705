"""Depots, goods and levels: seeing them, and what goes straight to a level."""

from envfactory_dagster.language.embedded.kit import Tool, boolean, choice, ident, integer, many, optional, row_of, text
from envfactory_dagster.language.embedded.modules.inventory.fragments import FIND_LEVEL

_LOOKUPS = (
    Tool(
        name="list_$depots",
        about="List every $Depot, and whether it has a licence for controlled $Skus.",
        effect="read",
        params={},
        returns={"$depots": many(row_of("depot", "id", "name", "city", "licence"))},
        code="""
            rows = env.query("SELECT id, name, city, licence FROM $depots ORDER BY name", [])
            return {"$depots": rows}
        """,
        good=lambda view: {},
    ),
    Tool(
        name="get_$depot_keeper",
        about="Get the $Staff who looks after $aDepot.",
        effect="read",
        when="full staff",
        params={"$depot_id": ident("depot")},
        returns={"$staff": row_of("staff", "id", "name")},
        code="""
            row = env.one(
                "SELECT k.id, k.name FROM $depots d JOIN $staffs k ON k.id = d.$staff_id WHERE d.id = ?", [$depot_id]
            )
            if row is None:
                raise env.Error(f"there is no $Depot {$depot_id}")
            return {"$staff": row}
        """,
        good=lambda view: {"depot_id": 1},
        bad=lambda view: {"depot_id": view.missing("depot")},
    ),
    Tool(
        name="search_$skus",
        about="Find $Skus by words of their name or by code, optionally only those that are not controlled.",
        effect="read",
        params={
            "words": optional(text("Part of the name, in any case, or the code.", 60)),
            "free_only": {**boolean("Leave out what is controlled."), "default": False},
        },
        returns={
            "$skus": many(row_of("sku", "id", "code", "name", "unit", "unit_price_cents", "controlled", "status"))
        },
        code="""
            rows = env.query(
                "SELECT id, code, name, unit, unit_price_cents, controlled, status FROM $skus"
                " WHERE (:words IS NULL OR name LIKE '%' || :words || '%' OR code = :words)"
                " AND (:free = 0 OR controlled = 0) ORDER BY name",
                {"words": words, "free": int(free_only)},
            )
            return {"$skus": rows}
        """,
        good=lambda view: {"words": "e", "free_only": True},
    ),
    Tool(
        name="list_$levels_of_$sku",
        about="List how much of $aSku every $Depot has on hand and has reserved, the most on hand first.",
        effect="read",
        params={"$sku_id": ident("sku")},
        returns={
            "$levels": many(
                row_of("level", "id", "depot_id", "on_hand", "reserved", "reorder_point", **{"$depot_name": text()})
            ),
            "on_hand": integer(),
        },
        code="""
            if env.one("SELECT id FROM $skus WHERE id = ?", [$sku_id]) is None:
                raise env.Error(f"there is no $Sku {$sku_id}")
            rows = env.query(
                "SELECT l.id, l.$depot_id, d.name AS $depot_name, l.on_hand, l.reserved, l.reorder_point"
                " FROM $levels l JOIN $depots d ON d.id = l.$depot_id WHERE l.$sku_id = ?"
                " ORDER BY l.on_hand DESC, d.name",
                [$sku_id],
            )
            return {"$levels": rows, "on_hand": sum(row["on_hand"] for row in rows)}
        """,
        good=lambda view: {"sku_id": 1},
        bad=lambda view: {"sku_id": view.missing("sku")},
    ),
    Tool(
        name="list_short_$levels",
        about="List what $aDepot has less of than the reorder point, with the number of units it is short of.",
        effect="read",
        when="full",
        params={"$depot_id": ident("depot")},
        returns={
            "$levels": many(
                row_of("level", "id", "sku_id", "on_hand", "reorder_point", short=integer(), **{"$sku_name": text()})
            )
        },
        code="""
            if env.one("SELECT id FROM $depots WHERE id = ?", [$depot_id]) is None:
                raise env.Error(f"there is no $Depot {$depot_id}")
            rows = env.query(
                "SELECT l.id, l.$sku_id, s.name AS $sku_name, l.on_hand, l.reorder_point,"
                " l.reorder_point - l.on_hand AS short FROM $levels l JOIN $skus s ON s.id = l.$sku_id"
                " WHERE l.$depot_id = ? AND l.on_hand < l.reorder_point ORDER BY short DESC, s.name",
                [$depot_id],
            )
            return {"$levels": rows}
        """,
        good=lambda view: {"depot_id": 1},
        bad=lambda view: {"depot_id": view.missing("depot")},
    ),
    Tool(
        name="summarize_$depot_stock",
        about="Add up what $aDepot holds: how many $Skus, and what they are worth in cents.",
        effect="read",
        when="full",
        params={"$depot_id": ident("depot")},
        returns={"$skus": integer(), "worth_cents": integer()},
        code="""
            row = env.one(
                "SELECT count(*) AS n, coalesce(sum(l.on_hand * s.unit_price_cents), 0) AS worth_cents"
                " FROM $levels l JOIN $skus s ON s.id = l.$sku_id WHERE l.$depot_id = ? AND l.on_hand > 0",
                [$depot_id],
            )
            if row["n"] == 0:
                raise env.Error(f"nothing is kept in $aDepot {$depot_id}")
            return {"$skus": row["n"], "worth_cents": row["worth_cents"]}
        """,
        good=lambda view: {"depot_id": 1},
        bad=lambda view: {"depot_id": view.missing("depot")},
    ),
    Tool(
        name="get_$source_of_$sku",
        about="Get the $Source that delivers $aSku.",
        effect="read",
        when="full sources",
        params={"$sku_id": ident("sku")},
        returns={"$source": row_of("source", "id", "name", "city", "lead_days")},
        code="""
            row = env.one(
                "SELECT w.id, w.name, w.city, w.lead_days FROM $skus s JOIN $sources w ON w.id = s.$source_id"
                " WHERE s.id = ?",
                [$sku_id],
            )
            if row is None:
                raise env.Error(f"there is no $Sku {$sku_id}")
            return {"$source": row}
        """,
        good=lambda view: {"sku_id": 2},
        bad=lambda view: {"sku_id": view.missing("sku")},
    ),
    Tool(
        name="list_expiring_$batchs",
        about="List every $Batch of $aSku in all $Depots, the first to expire first.",
        effect="read",
        when="full batches",
        params={"$sku_id": ident("sku")},
        returns={
            "$batchs": many(
                row_of("batch", "id", "code", "quantity", "expires_on", "status", **{"$depot_name": text()})
            )
        },
        code="""
            rows = env.query(
                "SELECT b.id, b.code, b.quantity, b.expires_on, b.status, d.name AS $depot_name FROM $batchs b"
                " JOIN $levels l ON l.id = b.$level_id JOIN $depots d ON d.id = l.$depot_id"
                " WHERE l.$sku_id = ? ORDER BY b.expires_on, b.id",
                [$sku_id],
            )
            if not rows:
                raise env.Error(f"there is no $Batch of $Sku {$sku_id}")
            return {"$batchs": rows}
        """,
        good=lambda view: {"sku_id": view.row("level", view.rows("batch")[0]["level_id"])["sku_id"]},
        bad=lambda view: {"sku_id": view.missing("sku")},
    ),
)

_CHANGES = (
    Tool(
        name="set_reorder_point",
        about="Set below how many units $aSku is to be reordered for $aDepot.",
        effect="change",
        when="full",
        params={
            "$depot_id": ident("depot"),
            "$sku_id": ident("sku"),
            "units": integer("The new reorder point.", 0, 10_000),
        },
        returns={"$level_id": integer(), "reorder_point": integer()},
        code=FIND_LEVEL
        + """
            env.execute("UPDATE $levels SET reorder_point = ? WHERE id = ?", [units, level["id"]])
            return {"$level_id": level["id"], "reorder_point": units}
        """,
        good=lambda view: {"depot_id": 1, "sku_id": 1, "units": 37},
        bad=lambda view: {"depot_id": 1, "sku_id": view.missing("sku"), "units": 37},
    ),
    Tool(
        name="block_$batch",
        about="Block $aBatch, so that nothing of it is used.",
        effect="change",
        when="full batches",
        params={"code": text("The code on the $Batch.", 20)},
        returns={"$batch_id": integer(), "status": choice("", "blocked")},
        code="""
            batch = env.one("SELECT id, status FROM $batchs WHERE code = ?", [code])
            if batch is None:
                raise env.Error(f"there is no $Batch {code}")
            if batch["status"] == "blocked":
                raise env.Error("this $Batch is blocked already")
            env.execute("UPDATE $batchs SET status = 'blocked' WHERE id = ?", [batch["id"]])
            return {"$batch_id": batch["id"], "status": "blocked"}
        """,
        good=lambda view: {"code": view.rows("batch")[0]["code"]},
        bad=lambda view: {"code": "LOT-0"},
    ),
    Tool(
        name="record_$tally",
        about="Record what the signed-in $Person counted of $aSku in $aDepot, beside what was expected there.",
        effect="create",
        when="full counts",
        params={
            "$depot_id": ident("depot"),
            "$sku_id": ident("sku"),
            "counted": integer("How many units were found.", 0, 100_000),
        },
        returns={"$tally_id": integer(), "difference": integer()},
        code=FIND_LEVEL
        + """
            tally_id = env.insert(
                "INSERT INTO $tallys ($level_id, $person_id, expected, counted, counted_at) VALUES (?, ?, ?, ?, ?)",
                [level["id"], env.user_id, level["on_hand"], counted, env.now],
            )
            return {"$tally_id": tally_id, "difference": counted - level["on_hand"]}
        """,
        good=lambda view: {"depot_id": 1, "sku_id": 1, "counted": 60},
        bad=lambda view: {"depot_id": view.missing("depot"), "sku_id": 1, "counted": 60},
    ),
)

STOCK = (*_LOOKUPS, *_CHANGES)
