def _figures(world):
    """What each of the three boats cost and how often she passed, by name."""
    figures = {}
    for name in ("Kiekendief", "Waterjuffer", "IJsvogel"):
        lic = world.initial.one(
            "SELECT COALESCE(SUM(l.price_cents), 0) AS n FROM licences l JOIN boats b ON b.id = l.boat_id"
            " WHERE b.boater_id = 1 AND b.name = ? AND substr(l.bought_at, 1, 4) = '2026'", [name])["n"]
        p = world.initial.one(
            "SELECT COALESCE(SUM(p.price_cents + p.seal_cents - p.credit_cents - p.refund_cents), 0) AS n,"
            " SUM(CASE WHEN p.status = 'passed' THEN 1 ELSE 0 END) AS k FROM passages p JOIN boats b ON b.id = p.boat_id"
            " JOIN convoys c ON c.id = p.convoy_id WHERE b.boater_id = 1 AND b.name = ? AND c.day BETWEEN '2026-01-01' AND '2026-10-19'", [name])
        figures[name] = (lic + p["n"], p["k"])
    return figures


def _worst(world):
    """The boat with the dearest passage."""
    figures = _figures(world)
    return max(figures, key=lambda n: figures[n][0] / figures[n][1])


def goal_names_the_boat_to_sell(world) -> bool:
    """Names the boat whose passages were the dearest."""
    return world.report.says("boat_to_sell", _worst(world))


def goal_says_what_a_passage_cost(world) -> bool:
    """Says what each of her passages cost."""
    spent, times = _figures(world)[_worst(world)]
    return world.report.says("cost_per_passage", round(spent / times))


def goal_says_how_often_she_passed(world) -> bool:
    """Says how often she passed."""
    return world.report.says("times_passed", _figures(world)[_worst(world)][1])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")

def guard_changes_nothing(world) -> bool:
    """Changed nothing."""
    return len(world.changes) == 0
