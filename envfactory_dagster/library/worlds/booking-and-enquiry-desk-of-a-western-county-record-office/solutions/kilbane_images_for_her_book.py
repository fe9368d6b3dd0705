import re


def solve(tools):
    readers = tools.find_readers(surname="Kilbane", forename="Deirdre")["readers"]
    ticket = readers[0]["ticket_no"]
    quotes = tools.get_reader(ticket_no=ticket, include=["copy_orders"])["copy_orders"]
    quote = next(q for q in quotes if q["quoted_on"] == "2026-09-18" and q["order_id"] is None)
    order = tools.place_copy_order(quote_id=quote["quote_id"], ticket_no=ticket, declaration_signed_on="2026-10-02", purpose="publication", delivery="collect_at_desk")
    tools.update_copy_order(order_id=order["order_id"], step="payment", amount_cents=order["total_cents"], method="card_terminal")
    images = []
    for line in quote["lines"]:
        plates = re.findall(r"[0-9]+", line["folios"] or "")
        for number in range(line["quantity"]):
            image = {"piece_ref": line["piece_ref"]}
            if len(plates) == line["quantity"]:
                image["folio"] = "plate " + plates[number]
            images.append(image)
    licence = tools.issue_publication_licence(
        ticket_no=ticket, licensee="Deirdre Kilbane", order_id=order["order_id"], images=images, use="book_or_journal",
        title="Slate and Salt", publication_date="2027-03-20",
    )
    total = order["total_cents"] + licence["fee_cents"]
    return {
        "outcome": "done",
        "answers": {"total": total},
        "reason": None,
        "message": f"The order is placed and {order['total_cents'] / 100:.2f} euro are paid by card; the licence for {len(images)} images costs {licence['fee_cents'] / 100:.2f} euro. It all comes to {total / 100:.2f} euro.",
    }
