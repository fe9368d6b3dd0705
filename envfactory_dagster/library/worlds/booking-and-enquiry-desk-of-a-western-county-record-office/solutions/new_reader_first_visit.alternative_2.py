def _order(pieces):
    return [pieces[2], pieces[0], pieces[1]]


def solve(tools):
    pieces = []
    for year in (1911, 1912, 1913):
        hits = tools.search_catalogue(text="Westport Rural District Council minute book", year_from=year, year_to=year)["hits"]
        pieces.append(next(hit["piece_ref"] for hit in hits if "Rural District" in hit["title"] and str(year) in hit["title"]))
    reader = tools.register_reader(
        surname="Ní Mháille", forenames="Nóra", date_of_birth="1971-06-14",
        address={"line1": "8 Peter Street", "town": "Westport", "eircode_or_postcode": "F28 X4K2", "country": "IE"},
        identity_seen="passport", address_proof_seen="utility_bill", address_proof_date="2026-01-12", rules_signed_on="2026-03-02",
    )
    ticket = reader["ticket_no"]
    earliest = tools.get_earliest_production(piece_refs=pieces, ticket_no=ticket)["pieces"]
    day = max(piece["producible_from"][:10] for piece in earliest)
    booking, kind = None, None
    for kind in ("reading_table", "map_table"):
        try:
            booking = tools.book_seat(ticket_no=ticket, date=day, sitting="full_day", seat_kind=kind)
            break
        except tools.Error:
            continue
    asked = tools.request_pieces(ticket_no=ticket, booking_id=booking["booking_id"], piece_refs=_order(pieces))
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Nóra Ní Mháille has ticket {ticket}, good until {reader['expires_on']}. She has seat {booking['seat']}, a {kind.replace('_', ' ')}, for the whole of {day}, and {len(asked['placed'])} minute books are asked for.",
    }
