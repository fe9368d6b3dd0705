import datetime
import re

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
THEMES = (
    "vanad tuttavad", "kuulajate kirjad", "tagasivaade", "uus algus", "pikk õhtu", "sõbrad stuudios",
    "küsimused ja vastused", "lood kodukandist", "vaikne tund", "avatud uksed", "teine pool", "järg",
)
PLACES = (
    "Raadi", "Veeriku", "Annelinna", "Karlova", "Tammelinna", "Ropka", "Ihaste", "Jaamamõisa", "Supilinna", "Ülejõe", "Variku",
    "Maarjamõisa",
)
TRADES = (
    ("Lillepood", "Pelargoonid rõdule"), ("Pagar", "Soe leib kella kuuest"), ("Kingsepp", "Tallad ühe päevaga"),
    ("Prillipood", "Silmade kontroll"), ("Apteek", "Reisiapteek kotti"), ("Autopesu", "Puhas auto nädalalõpuks"),
    ("Teemaja", "Uued taimeteed"), ("Raamatuköide", "Vanad raamatud korda"), ("Tantsusaal", "Tantsukursus algajatele"),
    ("Tööriistalaenutus", "Laenuta trell"), ("Keraamikakoda", "Tee ise kruus"), ("Juuksur", "Suvine soeng"),
)

def _programme(number, series, title, host, companion, mode, starts_at, status, clock):
    """A whole row of programmes."""
    return {
        "id": number, "series_id": series, "title": title, "host_id": host, "companion_id": companion, "mode": mode,
        "starts_at": starts_at, "status": status,
        "confirmed_at": _before(clock, 20) if status == "confirmed" else None,
        "called_off_at": _before(clock, 28) if status == "called_off" else None,
        "logged_at": None,
    }


def _before(clock, hours):
    return (datetime.datetime.fromisoformat(clock) - datetime.timedelta(hours=hours)).isoformat()


def _item(number, programme, position, kind, title, seconds, **more):
    """A whole row of running_order_items."""
    row = {
        "id": number, "programme_id": programme, "position": position, "kind": kind, "title": title, "seconds": seconds,
        "artist": None, "estonian": None, "guest_name": None, "consent": None, "consent_on": None, "advert_order_id": None,
    }
    row.update(more)
    return row


def _day(text, days):
    return (datetime.date.fromisoformat(text[:10]) + datetime.timedelta(days=days)).isoformat()


def _weekday(day):
    return WEEKDAYS[datetime.date.fromisoformat(day).weekday()]


def instances(world, rng):
    """A new advert order and the hours of some weeks to come, in some of which it is placed."""
    clock = world.clock
    series = world.query("SELECT id, title, host_id, weekday, start_hour FROM series ORDER BY weekday, start_hour")
    trained = {row["id"] for row in world.query("SELECT id FROM volunteers WHERE studio_course = 1")}
    taken = {row["starts_at"] for row in world.query("SELECT starts_at FROM programmes WHERE status <> 'called_off'")}
    last_known = world.one("SELECT max(substr(starts_at, 1, 10)) AS day FROM programmes")["day"]
    music = world.query(
        "SELECT DISTINCT title, artist, estonian, seconds FROM running_order_items WHERE kind = 'music' ORDER BY title"
    )
    next_programme = world.one("SELECT max(id) AS n FROM programmes")["n"] + 1
    next_item = world.one("SELECT max(id) AS n FROM running_order_items")["n"] + 1
    next_order = world.one("SELECT max(id) AS n FROM advert_orders")["n"] + 1
    for _ in range(600):
        trade, title = rng.choice(TRADES)
        advertiser = f"{rng.choice(PLACES)} {trade}"
        first = _day(last_known, rng.randint(-8, 6))
        last = _day(first, rng.choice((17, 20, 23, 27)))
        seconds = rng.choice((15, 20, 25, 30, 35, 40, 45, 50, 60))
        programmes, items = [], []
        for step in range((datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1):
            day = _day(first, step)
            for one in series:
                starts_at = f"{day}T{one['start_hour']:02d}:00:00"
                if _weekday(day) != one["weekday"] or starts_at in taken or rng.random() < 0.15:
                    continue
                if one["weekday"] == "sunday" and one["start_hour"] < 11:
                    continue
                number = next_programme + len(programmes)
                status = "called_off" if rng.random() < 0.12 else "planned"
                mode = "live" if one["host_id"] in trained and rng.random() < 0.7 else "recorded"
                programmes.append(
                    _programme(number, one["id"], f"{one['title']}: {rng.choice(THEMES)}", one["host_id"], None, mode, starts_at, status, clock)
                )
        runs_paid = rng.choice((3, 4, 5, 6, 8, 10, 12))
        wanted = rng.randint(2, min(runs_paid - 1, 8))
        standing = [row["id"] for row in programmes if row["status"] == "planned"]
        gone = [row["id"] for row in programmes if row["status"] == "called_off"]
        if not 16 <= len(standing) <= 34:
            continue
        placed = set(rng.sample(standing, wanted)) | set(rng.sample(gone, min(len(gone), rng.randint(0, 2))))
        for row in programmes:
            place = 1
            items.append(_item(next_item + len(items), row["id"], place, "speech", "Opening words", rng.choice((120, 150, 200, 240))))
            for piece in rng.sample(music, rng.randint(1, 2)):
                place += 1
                items.append(
                    _item(next_item + len(items), row["id"], place, "music", piece["title"], piece["seconds"],
                          artist=piece["artist"], estonian=piece["estonian"])
                )
            if row["id"] in placed:
                place += 1
                items.append(
                    _item(next_item + len(items), row["id"], place, "advert", title, seconds, advert_order_id=next_order)
                )
        order = {
            "id": next_order, "advertiser": advertiser, "title": title, "seconds": seconds, "runs_paid": runs_paid,
            "first_day": first, "last_day": last,
        }
        yield {
            "p": {"advertiser": advertiser},
            "given": {"advert_orders": [order], "programmes": programmes, "running_order_items": items},
        }


def _price(text, seconds, runs):
    """The price of one run in cents by the price list, with what is taken off for many runs."""
    price = None
    for low, high, euros, cents in re.findall(r"(?:(\d+) to|up to) (\d+) seconds +(\d+)\.(\d\d) euros", text):
        if int(low or 0) <= seconds <= int(high):
            price = int(euros) * 100 + int(cents)
    off = 0
    for low, high, share in re.findall(r"(\d+) (?:to (\d+) runs|runs or more) +(\d+) %", text):
        if int(low) <= runs and (not high or runs <= int(high)):
            off = int(share)
    return price * (100 - off) // 100


def solve(tools, p):
    order = next(
        one for one in tools.list_advert_orders(advertiser=p["advertiser"])["advert_orders"]
        if one["advertiser"] == p["advertiser"]
    )
    paths = [one["path"] for one in tools.find_documents(words="price list")["documents"]]
    path = next(one for one in paths if "price" in one)
    text = tools.read_document(path=path)["text"]
    days = []
    placed = 0
    for hour in tools.search_programmes(first_day=order["first_day"], last_day=order["last_day"])["programmes"]:
        if hour["status"] == "called_off":
            continue
        items = tools.get_programme(programme_id=hour["id"])["running_order_items"]
        runs = len([one for one in items if one["advert_order_id"] == order["id"]])
        placed += runs
        if runs and hour["starts_at"][:10] not in days:
            days.append(hour["starts_at"][:10])
    paid_back = (order["runs_paid"] - placed) * _price(text, order["seconds"], order["runs_paid"])
    return {
        "outcome": "done",
        "answers": {"days": days, "paid_back": paid_back},
        "reason": None,
        "message": f"The advert of {p['advertiser']} is entered on {', '.join(days)}; {paid_back / 100:.2f} euros would go back.",
    }


def _order(world, p):
    return world.initial.one("SELECT * FROM advert_orders WHERE advertiser = ?", [p["advertiser"]])


def goal_says_the_days(world, p):
    """Says the days on which the advert is entered in an hour that stands."""
    rows = world.initial.query(
        "SELECT DISTINCT substr(p.starts_at, 1, 10) AS day FROM running_order_items i JOIN programmes p ON p.id = i.programme_id"
        " WHERE i.advert_order_id = ? AND p.status <> 'called_off' ORDER BY day",
        [_order(world, p)["id"]],
    )
    return world.report.says("days", [row["day"] for row in rows])


def goal_says_what_is_paid_back(world, p):
    """Says what goes back for the runs that have no place."""
    order = _order(world, p)
    placed = world.initial.one(
        "SELECT count(*) AS n FROM running_order_items i JOIN programmes p ON p.id = i.programme_id"
        " WHERE i.advert_order_id = ? AND p.status <> 'called_off'",
        [order["id"]],
    )["n"]
    text = world.initial.one("SELECT text FROM documents WHERE path = 'docs/price_list.txt'")["text"]
    return world.report.says("paid_back", (order["runs_paid"] - placed) * _price(text, order["seconds"], order["runs_paid"]))


def guard_reports_it_as_done(world, p):
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world, p):
    """Changed nothing at all."""
    return world.changes == []
