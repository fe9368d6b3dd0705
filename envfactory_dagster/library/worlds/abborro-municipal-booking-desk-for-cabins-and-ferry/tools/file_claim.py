import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
FILE_CLAIM_DAYS = 14
FILE_CLAIM_DESK_CENTS = 25000
FILE_CLAIM_MEAL_CENTS = 1200

def _get_night_quota_days(first, last):
    """The nights from one day up to, but without, another, as days."""
    start = datetime.date.fromisoformat(first)
    count = (datetime.date.fromisoformat(last) - start).days
    return [(start + datetime.timedelta(days=n)).isoformat() for n in range(count)]


def _get_night_quota_is_high(night):
    """Whether a night lies between 15 June and 9 August."""
    return GET_NIGHT_QUOTA_HIGH_FIRST <= night[5:10] <= GET_NIGHT_QUOTA_HIGH_LAST


def _get_stay_row(env, stay_id):
    """A stay of the household as the tools show it."""
    row = env.one(
        "SELECT s.id AS stay_id, s.code, s.cabin_id, c.name AS cabin_name, c.island_id, s.arrives_on, s.leaves_on,"
        " s.adults, s.children, s.infants, s.own_boat, s.price_cents, s.status, s.booked_at, s.cancelled_at,"
        " s.cancelled_by, s.split_from_stay_id FROM stays s JOIN cabins c ON c.id = s.cabin_id"
        " WHERE s.id = ? AND s.household_id = ?", [stay_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no stay {stay_id}.")
    return row


def _search_cabins_price(tariff, nights):
    """The price of some nights in a cabin."""
    return sum(tariff["cabin_high_cents"] if _get_night_quota_is_high(night) else tariff["cabin_other_cents"]
               for night in nights)


def _lengthen_stay_tariff(env, stay_id):
    """The price list at which a stay was sold."""
    return env.one("SELECT t.* FROM stays s JOIN tariffs t ON t.id = s.tariff_id WHERE s.id = ?", [stay_id])


def _book_crossing_row(env, crossing_id):
    """A crossing of the household as the tools show it."""
    row = env.one(
        "SELECT c.id AS crossing_id, c.code, c.departure_id, d.leaves_at, d.direction, d.status AS departure_status,"
        " c.island_id, c.stay_id, c.vehicle_id, c.adults, c.children, c.infants, c.dogs, c.price_cents, c.status,"
        " c.booked_at, c.cancelled_at FROM crossings c JOIN departures d ON d.id = c.departure_id"
        " WHERE c.id = ? AND c.household_id = ?", [crossing_id, env.user_id])
    if row is None:
        raise env.Error(f"You have no crossing {crossing_id}.")
    return row


def _list_claims_vouchers(env, claim_id):
    """The vouchers given with a claim."""
    return env.query("SELECT id AS voucher_id, code, amount_cents, status, issued_at, used_at FROM vouchers"
                     " WHERE claim_id = ? AND household_id = ? ORDER BY id", [claim_id, env.user_id])


def _file_claim_lost_cents(env, crossing, nights):
    """The price of the nights of a stay that were lost from the day of a departure on."""
    if crossing["stay_id"] is None or crossing["direction"] != "out":
        raise env.Error("Nights can be claimed only for a crossing out to a stay.")
    stay = _get_stay_row(env, crossing["stay_id"])
    if stay["own_boat"] == 1:
        raise env.Error(f"Stay {stay['code']} was reached by your own boat, so its nights cannot be claimed.")
    lost = _get_night_quota_days(max(stay["arrives_on"], crossing["leaves_at"][:10]), stay["leaves_on"])
    if nights > len(lost):
        raise env.Error(f"Only {len(lost)} nights of that stay came after the departure.")
    return _search_cabins_price(_lengthen_stay_tariff(env, crossing["stay_id"]), lost[:nights])


def file_claim(env, *, crossing_id: int, kind: str, nights: int = None) -> dict:
    """Files a claim after a departure that stayed or was turned back."""
    crossing = _book_crossing_row(env, crossing_id)
    if crossing["status"] != "booked":
        raise env.Error(f"Crossing {crossing['code']} was cancelled.")
    if crossing["departure_status"] not in ("stayed", "turned_back"):
        raise env.Error("The skipper has not entered that departure as stayed or turned back.")
    left = datetime.datetime.fromisoformat(crossing["leaves_at"])
    if datetime.datetime.fromisoformat(env.now) > left + datetime.timedelta(days=FILE_CLAIM_DAYS):
        raise env.Error(f"A claim must be filed within {FILE_CLAIM_DAYS} days of the departure.")
    if env.one("SELECT id FROM claims WHERE crossing_id = ? AND kind = ?", [crossing_id, kind]) is not None:
        raise env.Error("Such a claim has been filed for that crossing already.")
    if kind == "nights":
        if nights is None or nights < 1:
            raise env.Error("A claim for nights needs their number.")
        amount = _file_claim_lost_cents(env, crossing, nights)
    else:
        if nights is not None:
            raise env.Error("A claim for the fare takes no number of nights.")
        amount = crossing["price_cents"]
    if amount < 1:
        raise env.Error("That crossing was free, so there is nothing to give back.")
    so_far = env.one("SELECT COALESCE(SUM(amount_cents), 0) AS n FROM claims"
                     " WHERE household_id = ? AND status = 'settled'", [env.user_id])["n"]
    settled = so_far + amount <= FILE_CLAIM_DESK_CENTS
    claim_id = env.insert(
        "INSERT INTO claims (code, household_id, crossing_id, kind, amount_cents, status, filed_at, settled_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [env.new_id("CL"), env.user_id, crossing_id, kind, amount, "settled" if settled else "passed_on", env.now,
         env.now if settled else None])
    if settled:
        env.insert(
            "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind, method,"
            " amount_cents, paid_at) VALUES (?, ?, ?, NULL, NULL, 'refund', 'card', ?, ?)",
            [env.user_id, crossing["stay_id"] if kind == "nights" else None,
             crossing_id if kind == "fare" else None, amount, env.now])
    if settled and kind == "fare" and crossing["direction"] == "out" and crossing["departure_status"] == "turned_back":
        for _ in range(crossing["adults"] + crossing["children"] + crossing["infants"]):
            env.insert(
                "INSERT INTO vouchers (code, household_id, claim_id, amount_cents, status, issued_at, used_at)"
                " VALUES (?, ?, ?, ?, 'open', ?, NULL)",
                [env.new_id("VO"), env.user_id, claim_id, FILE_CLAIM_MEAL_CENTS, env.now])
    claim = env.one("SELECT id AS claim_id, code, crossing_id, kind, amount_cents, status, filed_at, settled_at"
                    " FROM claims WHERE id = ?", [claim_id])
    return {"claim": {**claim, "vouchers": _list_claims_vouchers(env, claim_id)}}
