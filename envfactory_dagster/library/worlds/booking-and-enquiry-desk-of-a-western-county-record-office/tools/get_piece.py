def _piece_format(kept: str) -> str:
    return {"volume": "volume", "bundle": "bundle", "map": "outsize_map", "unlisted_box": "box_unlisted", "microfilm": "microfilm", "glass_negatives": "photograph"}[kept]


def _piece(env, piece_ref: str) -> dict:
    row = env.one("SELECT p.*, c.collection_ref, c.title AS collection_title, c.record_class, c.closure_years, c.depositor_name, c.depositor_agent_name, c.credit_line FROM pieces p JOIN collections c ON c.id = p.collection_id WHERE upper(p.piece_ref) = ?", [piece_ref.upper()])
    if row is None:
        raise env.Error(f"There is no piece {piece_ref} in the catalogue.")
    return row


def _place(env, piece: dict) -> str:
    """Where a piece is, as the catalogue says it."""
    if piece["location"] in ("mill_strongroom", "van_shelf"):
        listed = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'listed' LIMIT 1", [piece["id"]])
        return "on_van_list" if listed else "strongroom"
    return {"hold_shelf": "hold_shelf", "open_access": "hold_shelf", "reader_table": "with_reader", "copy_bench": "copy_bench", "conservation": "conservation", "missing": "missing"}[piece["location"]]


def get_piece(env, *, piece_ref: str, include_queue: bool = False) -> dict:
    """Read one piece with its restrictions and copying rules."""
    piece = _piece(env, piece_ref)
    rows = env.query("SELECT * FROM restrictions WHERE piece_id = ? ORDER BY id", [piece["id"]])
    restrictions = []
    for row in rows:
        kind = {"depositor_consent": "depositor_consent", "fragile_original": "conservator_word"}.get(row["kind"])
        if kind is None:
            kind = "closure_30_years" if piece["closure_years"] <= 30 else "closure_75_years" if piece["closure_years"] <= 75 else "closure_100_years"
        entry = {"kind": kind, "note": row["reason"]}
        if row["lapses_on"]:
            entry["until"] = row["lapses_on"]
        restrictions.append(entry)
    first, last = piece["first_year"], int(piece["last_entry_on"][:4])
    consent = any(r["kind"] == "depositor_consent" and (r["lapses_on"] is None or r["lapses_on"] > env.now[:10]) for r in rows)
    allowed = (bool(piece["camera_allowed"]), bool(piece["staff_copy_allowed"]))
    copying = "none" if allowed == (False, False) else "depositor_consent" if consent else {(True, True): "allowed", (True, False): "camera_only", (False, True): "staff_copy_only"}[allowed]
    rights = "county_council" if piece["rights_holder"] is None else "depositor" if piece["rights_holder"] == piece["depositor_name"] else "third_party"
    hidden = piece["record_class"] == "hospital" and any(r["kind"] == "closure_period" and r["lapses_on"] > env.now[:10] for r in rows)
    answer = {"piece_ref": piece["piece_ref"].upper(), "title": "Personal records, title withheld while closed" if hidden else piece["title"], "dates": str(first) if first == last else f"{first}-{last}", "extent": piece["extent"], "format": _piece_format(piece["format"]), "location": _place(env, piece), "condition": "ABCD"[piece["condition_grade"] - 1], "restrictions": restrictions, "copying": copying, "rights_holder": rights, "depositor_named_publicly": False}
    if piece["condition_grade"] == 3:
        answer["handling_note"] = "On wedges, with gloves or weights."
    if piece["surrogate_piece_id"]:
        answer["surrogate_ref"] = env.one("SELECT upper(piece_ref) AS ref FROM pieces WHERE id = ?", [piece["surrogate_piece_id"]])["ref"]
    if include_queue:
        waiting = env.query("SELECT v.run_date FROM piece_requests q LEFT JOIN van_runs v ON v.id = q.van_run_id WHERE q.piece_id = ? AND q.status IN ('listed', 'queued') ORDER BY CASE q.status WHEN 'listed' THEN 0 ELSE 1 END, q.requested_at, q.id", [piece["id"]])
        answer["queue"] = [{"position": i, "run_date": r["run_date"]} if r["run_date"] else {"position": i} for i, r in enumerate(waiting, 1)]
    return answer
