import re


def _register(world):
    return world.initial.one(
        "SELECT id, piece_ref FROM pieces WHERE title LIKE 'Kilmeena burial register%' AND first_year <= 1887 AND last_entry_on >= '1887-12-31'", []
    )


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _cents(world):
    row = world.initial.one("SELECT 4 * unit_cents AS cents FROM copy_prices WHERE product = 'pdf_scan_page'", [])
    return max(500, row["cents"])


def goal_logs_the_letter(world) -> bool:
    """Logged Walter Heffernan's letter about Annie Heffernan's burial in Kilmeena in 1887 as an open enquiry."""
    rows = _new(world, "enquiries")
    if len(rows) != 1:
        return False
    question = rows[0]["question"].lower()
    return (
        world.same_text(rows[0]["enquirer_name"], "Walter Heffernan")
        and rows[0]["channel"] == "letter"
        and rows[0]["status"] == "open"
        and rows[0]["received_on"] == "2026-10-02"
        and all(word in question for word in ("annie", "kilmeena", "1887"))
    )


def goal_prices_four_pages_as_scans(world) -> bool:
    """Worked out a price for 4 pages of the right register as PDF scans."""
    quotes, lines = _new(world, "copy_quotes"), _new(world, "copy_quote_lines")
    product = world.initial.one("SELECT id FROM copy_prices WHERE product = 'pdf_scan_page'", [])["id"]
    return (
        len(quotes) == 1
        and len(lines) == 1
        and lines[0]["copy_quote_id"] == quotes[0]["id"]
        and lines[0]["piece_id"] == _register(world)["id"]
        and lines[0]["copy_price_id"] == product
        and lines[0]["units"] == 4
        and lines[0]["barred_reason"] is None
    )


def goal_notes_register_and_price(world) -> bool:
    """Noted on his enquiry which register it is and what the scans would cost."""
    enquiries = _new(world, "enquiries")
    if len(enquiries) != 1:
        return False
    logged = "Source named when the enquiry was logged."
    notes = [n for n in _new(world, "enquiry_notes") if n["enquiry_id"] == enquiries[0]["id"] and n["note"] != logged]
    if len(notes) != 1:
        return False
    text = " ".join(n["note"] for n in notes).lower()
    register = _register(world)
    named = any(n["piece_id"] == register["id"] for n in notes) or register["piece_ref"].lower() in text or "1880" in text
    cents = _cents(world)
    euros = str(cents // 100)
    sums = {f"{cents / 100:.2f}", f"{cents / 100:.2f}".replace(".", ","), str(cents)}
    figures = set(re.findall(r"[0-9]+(?:[.,][0-9]{2})?", text))
    whole = cents % 100 == 0 and re.search(r"(€ ?" + euros + r"(?![0-9])|(?<![0-9])" + euros + r" ?(€|eur))", text) is not None
    return named and (bool(sums & figures) or whole)


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_enquiry_and_one_quote_only(world) -> bool:
    """Touched nothing but one new enquiry with its notes and one new quote with its line."""
    enquiries = _new(world, "enquiries")
    most = {"enquiries": 1, "enquiry_notes": 2, "copy_quotes": 1, "copy_quote_lines": 1}
    for change in world.changes:
        table, after = change["table"], change["after"]
        if table not in most or change["before"] is not None or after is None:
            return False
        if table == "enquiry_notes" and (not enquiries or after["enquiry_id"] != enquiries[0]["id"]):
            return False
        if table == "enquiry_notes" and after["piece_id"] not in (None, _register(world)["id"]):
            return False
        if table == "copy_quotes" and after["reader_id"] is not None:
            return False
    return all(sum(1 for c in world.changes if c["table"] == table) <= count for table, count in most.items())
