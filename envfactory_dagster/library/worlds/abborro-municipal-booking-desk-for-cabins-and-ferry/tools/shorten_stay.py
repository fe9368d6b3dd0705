import datetime

GET_NIGHT_QUOTA_HIGH_FIRST = "06-15"
GET_NIGHT_QUOTA_HIGH_LAST = "08-09"
BOOK_STAY_LEAST = 2
BOOK_STAY_LEAST_HIGH = 3
SHORTEN_STAY_FEE_CENTS = 2000
SHORTEN_STAY_FULL_DAYS = 30
SHORTEN_STAY_HALF_DAYS = 14

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


def _get_stay_bill(env, stay_id):
    """What a stay costs with all that is billed with it, what has been paid for it, and the balance."""
    row = env.one(
        "SELECT s.status, s.price_cents"
        " + (SELECT COALESCE(SUM(c.price_cents), 0) FROM crossings c WHERE c.stay_id = s.id AND c.status = 'booked')"
        " + (SELECT COALESCE(SUM(d.price_cents), 0) FROM dogs d WHERE d.stay_id = s.id AND d.status = 'reported')"
        " + (SELECT COALESCE(SUM(t.price_cents), 0) FROM sauna_turns t WHERE t.stay_id = s.id AND t.status = 'booked')"
        " AS total, (SELECT COALESCE(SUM(CASE WHEN p.kind = 'refund' THEN -p.amount_cents ELSE p.amount_cents END), 0)"
        " FROM payments p WHERE p.stay_id = s.id) AS paid FROM stays s WHERE s.id = ? AND s.household_id = ?",
        [stay_id, env.user_id])
    over = row["status"] in ("cancelled", "lapsed")
    return row["total"], row["paid"], 0 if over else max(0, row["total"] - row["paid"])


def _search_cabins_price(tariff, nights):
    """The price of some nights in a cabin."""
    return sum(tariff["cabin_high_cents"] if _get_night_quota_is_high(night) else tariff["cabin_other_cents"]
               for night in nights)


def _book_stay_check_least(env, nights):
    """Refuses fewer nights than a stay needs."""
    least = BOOK_STAY_LEAST
    if any(_get_night_quota_is_high(night) for night in nights):
        least = BOOK_STAY_LEAST_HIGH
    if len(nights) < least:
        raise env.Error(f"A stay on these days must be at least {least} nights long.")


def _lengthen_stay_tariff(env, stay_id):
    """The price list at which a stay was sold."""
    return env.one("SELECT t.* FROM stays s JOIN tariffs t ON t.id = s.tariff_id WHERE s.id = ?", [stay_id])


def _lengthen_stay_restate(env, stay_id):
    """Makes a stay paid or deposit_paid, as its balance has become, if it is one of the two."""
    balance = _get_stay_bill(env, stay_id)[2]
    env.execute("UPDATE stays SET status = ? WHERE id = ? AND status IN ('deposit_paid', 'paid')",
                ["deposit_paid" if balance > 0 else "paid", stay_id])


def _lengthen_stay_check_open(env, stay):
    """Refuses a stay that is over, cancelled or lapsed."""
    if stay["status"] not in ("held", "deposit_paid", "paid", "arrived") or stay["leaves_on"] < env.now[:10]:
        raise env.Error(f"Stay {stay['code']} is {stay['status']} or over, so nothing about it can change.")


def _shorten_stay_terms(env, cents, arrives_on):
    """What the cancellation terms give back of a cabin price."""
    ahead = (datetime.date.fromisoformat(arrives_on) - datetime.date.fromisoformat(env.now[:10])).days
    if ahead > SHORTEN_STAY_FULL_DAYS:
        return max(0, cents - SHORTEN_STAY_FEE_CENTS)
    if ahead >= SHORTEN_STAY_HALF_DAYS:
        return cents // 2
    return 0


def _shorten_stay_refund(env, stay_id, cents):
    """Writes down a refund for a stay, if there is anything to give back."""
    if cents > 0:
        env.insert(
            "INSERT INTO payments (household_id, stay_id, crossing_id, sauna_turn_id, mooring_booking_id, kind, method,"
            " amount_cents, paid_at) VALUES (?, ?, NULL, NULL, NULL, 'refund', 'card', ?, ?)",
            [env.user_id, stay_id, cents, env.now])
    return cents


def shorten_stay(env, *, stay_id: int, leaves_on: str) -> dict:
    """Drops the last nights of a stay."""
    stay = _get_stay_row(env, stay_id)
    _lengthen_stay_check_open(env, stay)
    if not stay["arrives_on"] < leaves_on < stay["leaves_on"]:
        raise env.Error(f"The new day of leaving must lie between {stay['arrives_on']} and {stay['leaves_on']}.")
    if leaves_on < env.now[:10]:
        raise env.Error("Nights that have begun cannot be dropped.")
    _book_stay_check_least(env, _get_night_quota_days(stay["arrives_on"], leaves_on))
    dropped = _get_night_quota_days(leaves_on, stay["leaves_on"])
    price = min(stay["price_cents"], _search_cabins_price(_lengthen_stay_tariff(env, stay_id), dropped))
    env.execute("UPDATE stays SET leaves_on = ?, price_cents = price_cents - ? WHERE id = ? AND household_id = ?",
                [leaves_on, price, stay_id, env.user_id])
    dropped_id = env.insert(
        "INSERT INTO stays (code, household_id, cabin_id, tariff_id, split_from_stay_id, arrives_on, leaves_on, adults,"
        " children, infants, own_boat, price_cents, status, booked_at, cancelled_at, cancelled_by, resold)"
        " SELECT :code, household_id, cabin_id, tariff_id, id, :first, :last, adults, children, infants, own_boat,"
        " :price, 'cancelled', booked_at, :now, 'household', 0 FROM stays WHERE id = :id",
        {"code": env.new_id("ST"), "first": leaves_on, "last": stay["leaves_on"], "price": price, "now": env.now,
         "id": stay_id})
    total, paid, _ = _get_stay_bill(env, stay_id)
    back = min(_shorten_stay_terms(env, price, stay["arrives_on"]), max(0, paid - total))
    _shorten_stay_refund(env, stay_id, back)
    _lengthen_stay_restate(env, stay_id)
    return {"stay": _get_stay_row(env, stay_id), "dropped_stay_id": dropped_id, "refund_cents": back}
