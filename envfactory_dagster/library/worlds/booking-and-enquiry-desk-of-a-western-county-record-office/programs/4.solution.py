def solve(tools):
    found = tools.find_readers(surname="Lally")["readers"]
    reader = [r for r in found if r["town"] == "Oughterard"][0]
    ticket = reader["ticket_no"]
    hits = tools.search_catalogue(text="Kilmeena burial register", year_from=1887, year_to=1887)["hits"]
    piece = hits[0]["piece_ref"]
    quotes = {}
    for name, product in (("PDF scans", "scan_pdf_page"), ("A3 photocopies", "photocopy_a3")):
        quotes[name] = tools.quote_copies(ticket_no=ticket, lines=[{"piece_ref": piece, "product": product, "quantity": 12}])
    cheaper = min(quotes, key=lambda name: quotes[name]["total_cents"])
    ordered, rest = None, "Neither was ordered."
    if quotes[cheaper]["total_cents"] <= 1000 and not quotes[cheaper]["barred"]:
        order = tools.place_copy_order(quote_id=quotes[cheaper]["quote_id"], ticket_no=ticket, declaration_signed_on="2026-10-02", purpose="family_use", delivery="collect_at_desk")
        tools.update_copy_order(order_id=order["order_id"], step="payment", amount_cents=order["total_cents"], method="card_terminal")
        ordered, rest = cheaper, f"The {cheaper} are ordered and paid."
    scans, photocopies = quotes["PDF scans"]["total_cents"], quotes["A3 photocopies"]["total_cents"]
    return {
        "outcome": "done",
        "answers": {"scans_price": scans, "photocopies_price": photocopies, "ordered": ordered},
        "reason": None,
        "message": f"The scans come to {scans / 100:.2f} euro, the photocopies to {photocopies / 100:.2f} euro. {rest}",
    }
