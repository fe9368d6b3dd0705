import datetime

GAMES = (
    "Abbey Bells", "Chalk and Flint", "Dyke Wardens", "Grain Exchange", "Little Locksmith", "Mudlark", "Peppercorn",
    "The Ivory Ferry", "Weathercock",
)
JIGSAWS = (
    "Apple Harvest", "Canal in Frost", "Door of a Thousand Keys", "Harbour at Noon", "Poppy Field", "Seven Swans",
    "Toy Shop Window", "Under the Pier",
)
KINDS = ("board games", "jigsaws")


def _stock(db, p):
    """The titles of that kind and size with the number of their copies that can be borrowed at once."""
    kind = "jigsaw" if p["kind_name"] == "jigsaws" else "board_game"
    return db.query(
        "SELECT s.name, s.piece_count, (SELECT count(*) FROM copies z WHERE z.title_id = s.id AND z.status = 'lendable'"
        " AND NOT EXISTS (SELECT 1 FROM loans o WHERE o.copy_id = z.id AND o.status = 'out')"
        " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.copy_id = z.id AND h.status = 'ready')) AS free"
        " FROM titles s WHERE s.kind = ? AND s.piece_count BETWEEN ? AND ? ORDER BY s.piece_count, s.id",
        [kind, p["low"], p["high"]],
    )


def instances(world, rng):
    """Titles of one kind and size, some with copies to be borrowed at once and some without."""
    top = world.one(
        "SELECT (SELECT max(id) FROM loans) AS l, (SELECT max(id) FROM copies) AS c, (SELECT max(id) FROM titles) AS t,"
        " (SELECT max(id) FROM holds) AS h"
    )
    today = datetime.date.fromisoformat(world.clock[:10])
    kinds = world.query(
        "SELECT s.name, s.kind, s.piece_count, (SELECT count(*) FROM copies z WHERE z.title_id = s.id AND z.status = 'lendable'"
        " AND z.id NOT IN (SELECT o.copy_id FROM loans o WHERE o.status = 'out')"
        " AND z.id NOT IN (SELECT h.copy_id FROM holds h WHERE h.status = 'ready')) AS free FROM titles s ORDER BY s.id"
    )
    members = [row["id"] for row in world.query("SELECT j.id FROM members j WHERE j.id <> 1 ORDER BY j.id DESC")]
    for _ in range(600):
        word = rng.choice(KINDS)
        kind = "jigsaw" if word == "jigsaws" else "board_game"
        facts = [(r["name"], r["piece_count"], r["free"]) for r in kinds if r["kind"] == kind]
        titles, copies, loans, holds = [], [], [], []
        for name in rng.sample(JIGSAWS if kind == "jigsaw" else GAMES, rng.randint(3, 5)):
            count = 50 * rng.randint(6, 40) if kind == "jigsaw" else rng.randint(45, 260)
            titles.append({"id": top["t"] + 1 + len(titles), "name": name, "kind": kind, "piece_count": count})
            free = 0
            for n in range(rng.randint(1, 3)):
                number = top["c"] + 1 + len(copies)
                state = rng.choice(("shelf", "shelf", "out", "out", "kept", "withdrawn"))
                copies.append({
                    "id": number, "title_id": titles[-1]["id"], "label": f"S{len(titles)}{rng.randint(10, 99)}-{n + 1}",
                    "status": "withdrawn" if state == "withdrawn" else "lendable",
                })
                if state == "shelf":
                    free += 1
                if state == "out":
                    start = today - datetime.timedelta(days=rng.randint(2, 17))
                    loans.append({
                        "id": top["l"] + 1 + len(loans), "member_id": rng.choice(members), "copy_id": number, "status": "out",
                        "borrowed_at": start.isoformat() + f"T19:{rng.randint(10, 59)}:00",
                        "due_day": (start + datetime.timedelta(days=21)).isoformat(), "renewals": 0,
                        "returned_at": None, "returned_short": None,
                    })
                if state == "kept":
                    ready = today - datetime.timedelta(days=rng.randint(1, 5))
                    keeper = rng.choice(members)
                    if any(h["member_id"] == keeper and h["title_id"] == titles[-1]["id"] for h in holds):
                        free += 1
                        continue
                    holds.append({
                        "id": top["h"] + 1 + len(holds), "member_id": keeper, "title_id": titles[-1]["id"], "copy_id": number,
                        "status": "ready", "placed_at": (ready - datetime.timedelta(days=6)).isoformat() + "T12:10:00",
                        "ready_at": ready.isoformat() + f"T20:{rng.randint(10, 59)}:00", "collected_at": None,
                        "expired_at": None, "cancelled_at": None,
                    })
            facts.append((name, count, free))
        step = 100 if kind == "jigsaw" else 10
        low = step * rng.randint(3, 9) if kind == "jigsaw" else step * rng.randint(4, 12)
        high = low + step * rng.randint(4, 12)
        inside = [f for f in facts if low <= f[1] <= high]
        names = [f[0] for f in inside]
        free = sorted(((f[1], f[2]) for f in inside if f[2] > 0), reverse=True)
        if len(inside) < 3 or len(set(names)) < len(names) or not free or len(free) == len(inside):
            continue
        if len(free) > 1 and free[0][0] == free[1][0] or sum(f[1] for f in free) == len(free):
            continue
        given = {"titles": titles, "copies": copies}
        if loans:
            given["loans"] = loans
        if holds:
            given["holds"] = holds
        yield {"p": {"kind_name": word, "low": low, "high": high}, "given": given}


def solve(tools, p):
    kind = "jigsaw" if p["kind_name"] == "jigsaws" else "board_game"
    there, gone, copies, biggest = [], [], 0, None
    for title in tools.search_titles(kind=kind)["titles"]:
        if not p["low"] <= title["piece_count"] <= p["high"]:
            continue
        free = sum(
            1
            for copy in tools.get_title(title_id=title["id"])["copies"]
            if copy["status"] == "lendable" and not copy["is_out"] and not copy["is_kept_for_hold"]
        )
        copies += free
        (there if free else gone).append(title["name"])
        if free and (biggest is None or title["piece_count"] > biggest["piece_count"]):
            biggest = title
    return {
        "outcome": "done",
        "answers": {
            "titles_there": there, "copies_there": copies, "titles_not_there": gone, "most_pieces": biggest["name"],
        },
        "reason": None,
        "message": f"You could take home {', '.join(there)}, {copies} copies in all; {', '.join(gone)} can't be had now."
        f" Of those there, {biggest['name']} has the most pieces.",
    }


def goal_says_titles_there(world, p):
    """Names the titles of which a copy can be borrowed at once."""
    return world.report.says("titles_there", [row["name"] for row in _stock(world.initial, p) if row["free"]])


def goal_says_copies_there(world, p):
    """Says how many copies of them can be borrowed at once in all."""
    return world.report.says("copies_there", sum(row["free"] for row in _stock(world.initial, p)))


def goal_says_titles_not_there(world, p):
    """Names the titles of which no copy can be borrowed at once."""
    return world.report.says("titles_not_there", [row["name"] for row in _stock(world.initial, p) if not row["free"]])


def goal_says_most_pieces(world, p):
    """Names the title with the most pieces among those that can be borrowed at once."""
    there = [row for row in _stock(world.initial, p) if row["free"]]
    return world.report.says("most_pieces", there[-1]["name"])


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return len(world.changes) == 0


def guard_reports_it_as_done(world, p):
    """Reports that it is done, without a reason for declining."""
    return world.report.outcome in (None, "done") and world.report.reason is None
