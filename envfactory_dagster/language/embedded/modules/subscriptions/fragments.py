"""Pieces that several tools of this module share: finding rows of a world, and fragments of code."""

from envfactory_dagster.language.embedded.kit import Row, integer, row_of, text
from envfactory_dagster.language.embedded.world import View

# User 1's contracts, as the generator makes them.
FREE, BOUND, CHANGED, PAUSED, ENDED = 1, 2, 3, 4, 5


def offered_besides(view: View, contract_id: int) -> list[Row]:
    """Plans on offer that a contract does not have, cheapest first."""
    current = view.row("contract", contract_id)["plan_id"]
    found = view.select("plan", lambda row: row["status"] == "offered" and row["id"] != current)
    return sorted(found, key=lambda row: row["monthly_cents"])


def label_of(view: View, contract_id: int) -> str:
    label: str = view.row("contract", contract_id)["label"]
    return label


SELECT_CONTRACTS = """
                "SELECT c.id, c.label, c.status, c.started_on, c.bound_until, c.renews, c.plan_since, c.$plan_id,"
                #: if full place
                " c.$place_id,"
                #: end
                " p.name AS $plan_name, p.monthly_cents FROM $contracts c JOIN $plans p ON p.id = c.$plan_id"
"""
FIND_MINE = (
    """
            contract = env.one("""
    + SELECT_CONTRACTS
    + """
                " WHERE c.id = ? AND c.$person_id = ?",
                [$contract_id, env.user_id],
            )
            if contract is None:
                raise env.Error(f"you have no $Contract {$contract_id}")
"""
)
NOT_ENDED = """
            if contract["status"] == "ended":
                raise env.Error("this $Contract has ended already")
"""
FIND_PLAN = """
            plan = env.one("SELECT monthly_cents, term_months, status FROM $plans WHERE id = ?", [$plan_id])
            if plan is None:
                raise env.Error(f"there is no $Plan {$plan_id}")
            #: if sub_retired_plan
            if plan["status"] == "retired":
                raise env.Error("this $Plan is retired and cannot be chosen any more")
            #: end
"""
MAY_CHANGE = """
            if $plan_id == contract["$plan_id"]:
                raise env.Error("this $Contract has that $Plan already")
            #: if sub_change_interval
            earliest = (datetime.fromisoformat(contract["plan_since"]) + timedelta(days=$changedays)).date().isoformat()
            if env.now[:10] < earliest:
                raise env.Error(f"the $Plan was changed less than $changedays days ago, wait until {earliest}")
            #: end
"""
CONTRACT = row_of(
    "contract",
    "id",
    "label",
    "status",
    "started_on",
    "bound_until",
    "renews",
    "plan_since",
    "plan_id",
    "place_id",
    **{"$plan_name": text(), "monthly_cents": integer()},
)
