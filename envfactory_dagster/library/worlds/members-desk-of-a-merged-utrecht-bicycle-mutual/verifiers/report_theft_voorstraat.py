import datetime


def _sparta(world):
    """The Sparta bought on 14 June 2023, its cover and its Abus chain lock."""
    return world.initial.one(
        "SELECT b.id, b.first_sold_on, c.id AS cover_id, l.id AS lock_id FROM bicycles b"
        " JOIN policies p ON p.id = b.policy_id"
        " JOIN covers c ON c.bicycle_id = b.id AND c.kind <> 'battery' AND c.ends_on IS NULL"
        " JOIN locks l ON l.bicycle_id = b.id AND l.make = 'Abus' AND l.kind = 'chain'"
        " WHERE p.member_id = 1 AND b.make = 'Sparta' AND b.acquired_on = '2023-06-14'"
    )


def _own_risk_cents(world):
    sold = datetime.date.fromisoformat(_sparta(world)["first_sold_on"])
    loss = datetime.date(2026, 6, 13)
    age = loss.year - sold.year - ((loss.month, loss.day) < (sold.month, sold.day))
    return 3500 if age < 3 else 6000


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def _claims(world):
    """The new claims that report this theft as the person told it."""
    return [
        claim
        for claim in _new(world, "claims")
        if claim["member_id"] == 1
        and claim["cover_id"] == _sparta(world)["cover_id"]
        and claim["kind"] == "theft"
        and claim["status"] == "reported"
        and claim["happened_at"] == "2026-06-13T21:10:00"
        and claim["discovered_at"] == "2026-06-14T00:45:00"
        and "voorstraat" in claim["place"].lower()
        and claim["description"].strip() != ""
        and claim["police_number"] is None
        and claim["own_risk_cents"] == _own_risk_cents(world)
    ]


def goal_theft_is_reported(world) -> bool:
    """The theft of the Sparta from the Voorstraat is reported, as one claim without a police number."""
    return len(_claims(world)) == 1 and len(_new(world, "claims")) == 1


def goal_both_original_keys_are_down(world) -> bool:
    """Two original keys of the Abus chain lock are handed in for that claim."""
    claims = _new(world, "claims")
    keys = _new(world, "handed_in_keys")
    return (
        len(claims) == 1
        and len(keys) == 2
        and all(
            key["claim_id"] == claims[0]["id"]
            and key["lock_id"] == _sparta(world)["lock_id"]
            and key["quality"] == "original"
            and key["way"] in ("counter", "post")
            for key in keys
        )
    )


def goal_says_the_own_risk(world) -> bool:
    """Says which own risk it is."""
    return world.report.says("own_risk", _own_risk_cents(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_claim_and_its_keys_only(world) -> bool:
    """Changed nothing but one new theft claim under that cover and at most two keys for it."""
    claims, keys = _new(world, "claims"), _new(world, "handed_in_keys")
    if len(claims) > 1 or len(keys) > 2 or len(claims) + len(keys) != len(world.changes):
        return False
    ids = [claim["id"] for claim in claims]
    return all(
        claim["member_id"] == 1 and claim["cover_id"] == _sparta(world)["cover_id"] and claim["kind"] == "theft"
        for claim in claims
    ) and all(key["claim_id"] in ids for key in keys)
