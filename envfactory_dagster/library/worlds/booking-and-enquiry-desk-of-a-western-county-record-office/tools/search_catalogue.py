import re


ACCENTED = "áéíóúàèöüżł"
PLAIN = "aeiouaeouzl"


def _fold(text: str) -> str:
    """Small letters without accents."""
    return text.lower().translate(str.maketrans(ACCENTED, PLAIN))


def _place(env, piece: dict) -> str:
    """Where a piece is, as the catalogue says it."""
    if piece["location"] in ("mill_strongroom", "van_shelf"):
        listed = env.one("SELECT id FROM piece_requests WHERE piece_id = ? AND status = 'listed' LIMIT 1", [piece["id"]])
        return "on_van_list" if listed else "strongroom"
    return {"hold_shelf": "hold_shelf", "open_access": "hold_shelf", "reader_table": "with_reader", "copy_bench": "copy_bench", "conservation": "conservation", "missing": "missing"}[piece["location"]]


def _search_catalogue_types(row: dict) -> list:
    """The record types of the catalogue that a piece comes under."""
    kind, title = row["record_class"], row["collection_title"]
    types = {"council": "county_council", "coroner": "court_and_coroner", "hospital": "county_council", "workhouse": "board_of_guardians", "estate": "estate_papers", "parish": "church_copy", "photographs": "photographs", "private": "business_and_society"}
    first = "rural_district_council" if "Rural District" in title else "grand_jury" if "Grand jury" in title else types[kind]
    extra = ["maps_and_plans"] if row["format"] == "map" else []
    return [first] + extra + (["private_papers"] if kind == "private" else [])


def search_catalogue(env, *, text: str = None, collection: str = None, record_type: str = None, place: str = None, year_from: int = None, year_to: int = None, access: str = None, limit: int = 25, offset: int = 0) -> dict:
    """Search the catalogue."""
    if year_from is not None and year_to is not None and year_from > year_to:
        raise env.Error("The first year must not lie after the last.")
    today = env.now[:10]
    rows = env.query("SELECT p.*, c.collection_ref, c.title AS collection_title, c.record_class FROM pieces p JOIN collections c ON c.id = p.collection_id WHERE (:collection IS NULL OR c.collection_ref = :collection) AND (:year_to IS NULL OR p.first_year <= :year_to) AND (:year_from IS NULL OR CAST(substr(p.last_entry_on, 1, 4) AS INTEGER) >= :year_from) ORDER BY p.piece_ref", {"collection": collection, "year_from": year_from, "year_to": year_to})
    in_force = {}
    for row in env.query("SELECT piece_id, kind FROM restrictions WHERE lapses_on IS NULL OR lapses_on > ? ORDER BY id", [today]):
        in_force.setdefault(row["piece_id"], []).append(row["kind"])
    words = [w for w in re.split(r"[^a-z0-9]+", _fold(text or "")) if w]
    hits = []
    for row in rows:
        kinds = in_force.get(row["id"], [])
        state = "closed" if "closure_period" in kinds else "depositor_consent" if "depositor_consent" in kinds else "surrogate_only" if row["surrogate_piece_id"] else "conservator_word" if "fragile_original" in kinds else "open"
        names = _fold(" ".join(n for n in (row["place"], row["place_irish"], row["place_survey"]) if n))
        masked = state == "closed" and row["record_class"] == "hospital"
        haystack = _fold(row["collection_title"] if masked else " ".join([row["title"], row["description"], row["collection_title"], names]))
        if any(w not in haystack for w in words):
            continue
        if place and _fold(place.strip()) not in names:
            continue
        if access and access != state:
            continue
        if record_type and record_type not in _search_catalogue_types(row):
            continue
        first, last = row["first_year"], int(row["last_entry_on"][:4])
        hits.append({"piece_ref": row["piece_ref"].upper(), "title": "Personal records, title withheld while closed" if masked else row["title"], "dates": str(first) if first == last else f"{first}-{last}", "access": state, "location": _place(env, row), "surrogate_in_room": row["surrogate_piece_id"] is not None})
    return {"total": len(hits), "hits": hits[offset:offset + limit]}
