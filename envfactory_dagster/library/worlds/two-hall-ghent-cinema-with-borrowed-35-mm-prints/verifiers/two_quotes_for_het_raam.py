def _quotes(world):
    """The open quotes of Het Raam, the cheaper one first."""
    return world.initial.query(
        "SELECT r.id, r.club_id, r.quoted_copy_id, r.quoted_hall_id, r.quoted_start_at, r.carrier, r.quote_loan_fee_cents FROM programming_requests r"
        " JOIN clubs b ON b.id = r.club_id WHERE b.name = 'Het Raam' AND r.status = 'quoted' AND r.quote_valid_until >= '2026-03-18T11:00:00'"
        " ORDER BY r.quote_hall_cents + r.quote_loan_fee_cents + r.quote_35mm_cents, r.id", [])


def _loan(world):
    return world.initial.one(
        "SELECT l.id FROM loan_agreements l JOIN clubs b ON b.id = l.club_id JOIN copies c ON c.id = l.copy_id JOIN titles t ON t.id = c.title_id"
        " WHERE b.name = 'Het Raam' AND t.name = 'De stille dijk' AND l.status = 'signed'")


def goal_cheaper_quote_is_accepted(world) -> bool:
    """The quote that comes out cheaper in all is accepted."""
    return world.final.one("SELECT status FROM programming_requests WHERE id = ?", [_quotes(world)[0]["id"]])["status"] == "accepted"


def goal_dearer_quote_is_turned_down(world) -> bool:
    """The other quote is turned down."""
    return world.final.one("SELECT status FROM programming_requests WHERE id = ?", [_quotes(world)[1]["id"]])["status"] == "refused"


def goal_lender_is_asked(world) -> bool:
    """The lender of De stille dijk is asked for a return by 17 April."""
    row = world.final.one("SELECT extension_kind, extension_leave_by, extension_status FROM loan_agreements WHERE id = ?", [_loan(world)["id"]])
    return row["extension_kind"] == "later_return" and row["extension_leave_by"] == "2026-04-17" and row["extension_status"] == "asked"


def guard_changes_nothing_else(world) -> bool:
    """Touched only the two requests, the loan and showing that the accepted one starts, and the question to that lender."""
    cheaper, dearer = _quotes(world)[0], _quotes(world)[1]
    new = [c["table"] for c in world.changes if c["before"] is None]
    if new.count("loan_agreements") > 1 or new.count("screenings") > 1:
        return False
    for c in world.changes:
        before, after = c["before"], c["after"]
        if after is None:
            return False
        if c["table"] == "programming_requests" and before is not None:
            if before["id"] not in (cheaper["id"], dearer["id"]) or any(before[f] != after[f] for f in before if f not in ("status", "closed_at")):
                return False
        elif c["table"] == "loan_agreements" and before is None:
            if after["programming_request_id"] != cheaper["id"] or after["copy_id"] != cheaper["quoted_copy_id"] or after["showings_allowed"] != 1:
                return False
        elif c["table"] == "screenings" and before is None:
            if (after["club_id"], after["copy_id"], after["hall_id"], after["starts_at"]) != (
                    cheaper["club_id"], cheaper["quoted_copy_id"], cheaper["quoted_hall_id"], cheaper["quoted_start_at"]):
                return False
        elif c["table"] == "loan_agreements":
            if before["id"] != _loan(world)["id"] or any(
                    before[f] != after[f] for f in before if f not in ("extension_kind", "extension_leave_by", "extension_asked_at", "extension_status")):
                return False
        else:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
