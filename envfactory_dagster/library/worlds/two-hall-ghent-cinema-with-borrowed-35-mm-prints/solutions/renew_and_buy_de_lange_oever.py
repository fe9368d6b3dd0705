def solve(tools):
    membership = next(m for m in tools.get_my_account()["memberships"] if m["ends_on"] == "2026-03-24")
    renewed = tools.renew_membership(kind=membership["kind"], payment_method="bancontact")
    shows = tools.search_screenings(first_day="2026-03-28", last_day="2026-03-28", title_contains="De lange oever", kind="public")["screenings"]
    show = next(s for s in shows if s["starts_at"][11:16] == "20:00")
    vouchers = tools.list_my_passes_and_vouchers()["vouchers"]
    voucher = next(v for v in vouchers if v["origin"] == "refund" and v["usable"])
    bought = tools.buy_tickets(
        screening_id=show["id"],
        seats=[{"tariff": "member"}, {"tariff": "member"}],
        voucher_id=voucher["id"],
        payment_method="bancontact",
    )
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": f"Your membership now runs until {renewed['ends_on']}, and you have two seats for De lange oever on 28 March at 20:00: {bought['voucher_cents'] / 100:.2f} euros came off the voucher and {bought['money_cents'] / 100:.2f} euros were paid by Bancontact.",
    }
