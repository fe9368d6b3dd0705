import datetime


def _gazelle(world):
    """The Gazelle bought in April 2022 with its cover."""
    return world.initial.one(
        "SELECT b.id, b.first_sold_on, c.id AS cover_id FROM bicycles b JOIN policies p ON p.id = b.policy_id"
        " JOIN covers c ON c.bicycle_id = b.id AND c.kind <> 'battery' AND c.ends_on IS NULL"
        " WHERE p.member_id = 1 AND b.make = 'Gazelle' AND substr(b.acquired_on, 1, 7) = '2022-04'"
    )


def _shop(world):
    return world.initial.one("SELECT id, has_agreement FROM repair_shops WHERE street LIKE 'Croeselaan %'")


def _own_risk_cents(world):
    sold = datetime.date.fromisoformat(_gazelle(world)["first_sold_on"])
    loss = datetime.date(2026, 6, 12)
    age = loss.year - sold.year - ((loss.month, loss.day) < (sold.month, sold.day))
    if age < 3:
        return 3500
    if age < 5:
        return 6000
    return 8500


def _new(world, table):
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_damage_is_reported_and_submitted(world) -> bool:
    """The damage of 12 June is reported with shop and amount, as one claim that is submitted."""
    claims = _new(world, "claims")
    if len(claims) != 1:
        return False
    claim = claims[0]
    return (
        claim["member_id"] == 1
        and claim["cover_id"] == _gazelle(world)["cover_id"]
        and claim["kind"] == "damage"
        and claim["status"] == "submitted"
        and claim["submitted_at"] is not None
        and claim["happened_at"][:10] == "2026-06-12"
        and "vaartsche rijn" in claim["place"].lower()
        and claim["description"].strip() != ""
        and claim["repair_shop_id"] == _shop(world)["id"]
        and claim["repair_amount_cents"] == 21200
        and claim["brought_in_on"] in (None, "2026-06-12")
        and claim["repair_ready_on"] in (None, "2026-06-12")
        and claim["own_risk_cents"] == _own_risk_cents(world)
    )


def _has_one_paper(world, kind):
    claims = _new(world, "claims")
    papers = [paper for paper in _new(world, "claim_papers") if paper["kind"] == kind]
    return len(claims) == 1 and len(papers) == 1 and papers[0]["claim_id"] == claims[0]["id"]


def goal_receipt_is_added(world) -> bool:
    """The receipt is with the claim."""
    return _has_one_paper(world, "receipt")


def goal_photographs_are_added(world) -> bool:
    """The photographs are with the claim."""
    return _has_one_paper(world, "photographs")


def goal_says_how_much_counts(world) -> bool:
    """Says how much of the 212 euros counts without an approved estimate."""
    return world.report.says("amount_that_counts", 21200 if _shop(world)["has_agreement"] else 15000)


def goal_says_the_own_risk(world) -> bool:
    """Says which own risk goes off it."""
    return world.report.says("own_risk", _own_risk_cents(world))


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_adds_one_claim_and_its_papers_only(world) -> bool:
    """Changed nothing but one new damage claim under that cover and at most two papers for it."""
    claims, papers = _new(world, "claims"), _new(world, "claim_papers")
    if len(claims) > 1 or len(papers) > 2 or len(claims) + len(papers) != len(world.changes):
        return False
    ids = [claim["id"] for claim in claims]
    return all(
        claim["member_id"] == 1 and claim["cover_id"] == _gazelle(world)["cover_id"] and claim["kind"] == "damage"
        for claim in claims
    ) and all(paper["claim_id"] in ids and paper["kind"] in ("receipt", "photographs") for paper in papers)
