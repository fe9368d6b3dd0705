import datetime


def solve(tools):
    first, last = "2026-09-14", "2027-02-28"
    home = next(a for a in tools.list_addresses(kind="home")["addresses"] if a["ends_on"] is None)
    days = (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1
    if days > 183:
        message = f"{days} days would count as moving house, so I left your address as it is."
    else:
        tools.file_temporary_address(
            street="Haifadreef",
            house_number="112",
            postcode="3561 KS",
            city=home["city"],
            starts_on=first,
            ends_on=last,
        )
        message = (
            f"Haifadreef 112 is down as your temporary address from {first} to {last}; your home stays"
            f" {home['street']} {home['house_number']}, so you keep the lower own risk."
        )
    return {"outcome": "done", "answers": {}, "reason": None, "message": message}
