FINDING = (
    "SELECT f.id FROM findings f JOIN commissions c ON c.id = f.commission_id"
    " WHERE c.client_id = ? AND c.surname = ? AND f.status = 'open' AND f.statement = ?"
)
WHICH = [1, "Novotny", "Josef Novotny was born in Pilsen in 1881"]


def goal_finding_is_disputed(world) -> bool:
    """The finding that Josef Novotny was born in Pilsen is disputed."""
    finding = world.initial.one(FINDING, WHICH)
    row = world.final.one(
        "SELECT count(*) AS n FROM findings WHERE id = ? AND status = 'disputed'", [finding["id"]]
    )
    return row["n"] == 1


def goal_reason_is_the_certificate(world) -> bool:
    """The reason given is the aunt's baptism certificate from Tabor, dated 14 October 1881."""
    finding = world.initial.one(FINDING, WHICH)
    reason = world.final.one("SELECT dispute_reason FROM findings WHERE id = ?", [finding["id"]])["dispute_reason"]
    if reason is None:
        return False
    whose = ("his", "Josef's", "Josef Novotny's", "my great-grandfather's", "my great-grandfather Josef Novotny's")
    return any(
        world.same_text(reason, f"My aunt has {person} baptism certificate from Tabor{comma} dated 14 October 1881")
        for person in whose
        for comma in (",", "")
    )


def guard_changes_nothing_else(world) -> bool:
    """Touched nothing but the dispute of this one finding."""
    finding = world.initial.one(FINDING, WHICH)
    for change in world.changes:
        before, after = change["before"], change["after"]
        if change["table"] != "findings" or before is None or after is None or before["id"] != finding["id"]:
            return False
        if not {c for c in after if after[c] != before[c]} <= {"status", "disputed_at", "dispute_reason"}:
            return False
    return True


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done, without a rule that forbids it."""
    return world.report.outcome in (None, "done") and world.report.reason is None
