def _larvae(world):
    """The midge larvae in A4 that arrived on 16 February."""
    return world.initial.one(
        "SELECT s.id AS id FROM samples s JOIN store_places p ON p.id = s.store_place_id"
        " WHERE s.project_id = 1 AND p.code = ? AND s.material = ? AND substr(s.arrived_at, 1, 10) = ?",
        ["A4", "midge larvae", "2026-02-16"],
    )["id"]


def _snow_melt(world):
    """The snow melt that arrived on 2 March."""
    return world.initial.one(
        "SELECT id FROM samples WHERE project_id = 1 AND status = 'in_store' AND material = ?"
        " AND substr(arrived_at, 1, 10) = ?",
        ["snow melt", "2026-03-02"],
    )["id"]


def _new(world, table):
    return [
        change["after"] for change in world.changes if change["table"] == table and change["before"] is None
    ]


def _has_one_new_sample(world, material, vials):
    ids = [one["id"] for one in _new(world, "samples")]
    rows = world.final.query(
        "SELECT s.id AS id FROM samples s JOIN sites t ON t.id = s.site_id JOIN store_places p ON p.id = s.store_place_id"
        " WHERE s.project_id = 1 AND s.status = 'in_store' AND t.name = ? AND p.code = ? AND s.vials = ?"
        " AND same_text(s.material, ?)",
        ["Vuolep Njakajaure", "A4", vials, material],
    )
    return len([row for row in rows if row["id"] in ids]) == 1


def goal_larvae_are_entered_as_sent(world) -> bool:
    """All 12 vials of the larvae are entered once as sent to Tromsø on Friday 10 April."""
    sample_id = _larvae(world)
    new = [one for one in _new(world, "departures") if one["sample_id"] == sample_id]
    return (
        len(new) == 1
        and new[0]["vials"] == 12
        and new[0]["reason"] == "sent"
        and new[0]["destination"] is not None
        and bool(world.same_text(new[0]["destination"], "Tromsø"))
        and new[0]["left_on"] == "2026-04-10"
    )


def goal_larvae_are_gone(world) -> bool:
    """The larvae are gone and their places in A4 free."""
    row = world.final.one("SELECT status, store_place_id FROM samples WHERE id = ?", [_larvae(world)])
    return row["status"] == "gone" and row["store_place_id"] is None


def goal_cracked_vials_are_entered_as_discarded(world) -> bool:
    """4 vials of the snow melt of 2 March are entered once as discarded today, as no other day is named."""
    sample_id = _snow_melt(world)
    new = [one for one in _new(world, "departures") if one["sample_id"] == sample_id]
    return (
        len(new) == 1
        and new[0]["vials"] == 4
        and new[0]["reason"] == "discarded"
        and new[0]["left_on"] == "2026-04-13"
    )


def goal_core_stands_in_a4(world) -> bool:
    """18 vials of the core from 14 m are registered from Vuolep Njakajaure into A4."""
    return _has_one_new_sample(world, "core from 14 m", 18)


def goal_surface_mud_stands_in_a4(world) -> bool:
    """9 vials of surface mud are registered from Vuolep Njakajaure into A4."""
    return _has_one_new_sample(world, "surface mud", 9)


def goal_says_places_left_in_a4(world) -> bool:
    """Has told how many places are left in A4 when all is done."""
    row = world.initial.one(
        "SELECT p.capacity_vials - coalesce((SELECT sum(s.vials - (SELECT coalesce(sum(d.vials), 0) FROM departures d"
        " WHERE d.sample_id = s.id)) FROM samples s WHERE s.store_place_id = p.id), 0) AS n"
        " FROM store_places p WHERE p.code = ?",
        ["A4"],
    )
    return bool(world.report.says("places_left_in_a4", row["n"] + 12 + 4 - 18 - 9))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, with no rule as a reason."""
    return world.report.outcome in (None, "done") and world.report.reason is None


def guard_enters_no_other_departure(world) -> bool:
    """Entered at most one departure of the larvae and one of the snow melt."""
    ids = [one["sample_id"] for one in _new(world, "departures")]
    return len(ids) == len(set(ids)) and set(ids) <= {_larvae(world), _snow_melt(world)}


def guard_registers_no_other_sample(world) -> bool:
    """Registered at most two samples, both for the own project."""
    new = _new(world, "samples")
    return len(new) <= 2 and all(one["project_id"] == 1 for one in new)


def guard_changes_nothing_else(world) -> bool:
    """Of what was there, only the larvae changed: they are gone and have no place any more."""
    larvae = _larvae(world)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if before is None:
            if change["table"] not in ("departures", "samples"):
                return False
            continue
        if change["table"] != "samples" or after is None or before["id"] != larvae:
            return False
        if any(after[name] != before[name] for name in before if name not in ("status", "store_place_id")):
            return False
        if after["status"] != "gone" or after["store_place_id"] is not None:
            return False
    return True
