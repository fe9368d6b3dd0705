def solve(tools):
    enquiry = tools.save_enquiry(
        action="log", channel="letter", subject="family_history", enquirer={"name": "Walter Heffernan", "contact": "Boston"},
        text="Looking for the burial of his great-grandmother Annie Heffernan in Kilmeena in 1887.",
    )
    hits = tools.search_catalogue(text="Kilmeena burial register", year_from=1887, year_to=1887)["hits"]
    found = [hit for hit in hits if "Kilmeena burial register" in hit["title"]]
    if not found:
        return {"outcome": "done", "answers": {}, "reason": None, "message": "The enquiry is logged; there is no Kilmeena burial register for 1887."}
    piece = found[0]
    quote = tools.quote_copies(lines=[{"piece_ref": piece["piece_ref"], "product": "scan_pdf_page", "quantity": 4}])
    price = quote["total_cents"]
    tools.save_enquiry(
        action="add_note", enquiry_id=enquiry["enquiry_id"], piece_refs=[piece["piece_ref"]],
        text=f"The register is {piece['title']} ({piece['piece_ref']}); 4 pages of it as PDF scans would cost {price / 100:.2f} euro.",
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Walter Heffernan's letter is logged. We hold the {piece['title']}, and 4 pages as PDF scans would cost {price / 100:.2f} euro; both are noted on his enquiry.",
    }
