import datetime
import re


NITRATE = (
    "Procissão dos Passos, Coimbra", "Feira dos Vinte e Três, Cantanhede", "Moinhos do Alva", "Inauguração da ponte de Penacova",
    "Banhos de Luso", "Pesca da sardinha, Buarcos", "Oleiros de Miranda do Corvo", "Salinas da Morraceira", "Festa das Latas",
    "Exercício dos bombeiros, Lousã", "Mercado de gado, Condeixa", "Romaria do Senhor da Serra", "Fábrica de papel, Góis",
    "O elétrico de Celas", "Palitos de Lorvão", "Comboio da Lousã", "Vista do Penedo da Saudade", "Regatas na Figueira da Foz",
    "Desfile escolar, Montemor-o-Velho", "Vidreiros da Marinha das Ondas", "Barcas serranas", "Jardim Botânico em flor",
)
ACETATE = (
    "Debulha em Tentúgal", "Escola primária de Arganil", "Barqueiros de Penacova", "Carnaval da Mealhada", "Tecelãs de Almalaguês",
    "Obras da Alta de Coimbra", "Colónia balnear da Gala", "Resina na mata do Buçaco", "Cortejo das ofertas, Soure",
    "Festa da Rainha Santa, rolo de família", "Cooperativa leiteira, Cantanhede", "Rancho de Taveiro", "Lagar de azeite, Penela",
    "Estaleiros da Figueira", "Cerâmica de Cernache", "Minas da Panasqueira, visita", "Passeio a Conímbriga", "Bacalhoeiro Creoula",
    "Casamento em Ançã", "Aldeias do xisto no inverno", "Estudantes na Praça da República", "Vindima em Souselas",
)


def _new_items(world, rng, item_class, years, count):
    """New titles of the cold store, as the counter list writes them."""
    top = world.one("SELECT max(id) AS n FROM items")["n"]
    number = int(world.one("SELECT max(item) AS item FROM items WHERE item_class = ?", [item_class])["item"][2:])
    rows = []
    for title in rng.sample(NITRATE if item_class == "N" else ACETATE, count):
        top += 1
        number += rng.randint(4, 8)
        cans = rng.choice((1, 1, 1, 2, 2, 3))
        copy = "file, booth B4" if rng.random() < 0.2 else None
        rows.append({
            "id": top, "item": f"{item_class}-{number:04d}", "item_class": item_class, "title": title,
            "made": rng.randint(years[0], years[1]), "printed": None, "print_of_id": None,
            "format": "35 mm" if item_class == "N" else "16 mm", "cans": cans,
            "minutes": rng.randint(*((8, 12), (16, 21), (26, 32))[cans - 1]),
            "condition": rng.choice(("stage 1", "stage 2") if item_class == "N" else ("level 1.5", "level 2.0")),
            "place": "Sebal", "access_copy": copy,
            "issued_to": "I with consent; others file" if copy else "I; R E S with consent",
            "rights": "free" if item_class == "N" else "protected", "digital_master": f"CO-26-{rng.randint(1, 10):03d}" if copy else "no",
        })
    return rows


def _grade(item):
    """The figure of the condition: stage or level."""
    found = re.search("[0-9.]+", item["condition"])
    return float(found.group(0)) if found else 0.0


def _plan(db, p, item):
    """The first van from that day on that may bring the reader the whole film, with the day of the session."""
    slot = db.one("SELECT id, starts, ends FROM slots WHERE slot = ?", ["T1" if p["session"] == "morning" else "T2"])
    valid = db.one("SELECT valid_until FROM readers WHERE id = 1")["valid_until"]
    runs = db.query(
        "SELECT v.id, v.run_on, v.brings_nitrate, v.first_viewing_day, v.second_viewing_day,"
        " (SELECT count(*) FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id"
        " WHERE o.run_id = v.id AND o.status = 'on a run' AND c.struck_off_at IS NULL) AS cans,"
        " (SELECT count(*) FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id JOIN items i ON i.id = o.item_id"
        " WHERE o.run_id = v.id AND o.status = 'on a run' AND c.struck_off_at IS NULL AND i.item_class = 'N') AS nitrate,"
        " (SELECT count(*) FROM order_cans c JOIN cold_store_orders o ON o.id = c.cold_store_order_id"
        " WHERE o.run_id = v.id AND o.status = 'on a run' AND c.struck_off_at IS NULL AND o.reader_id = 1) AS mine"
        " FROM van_runs v WHERE v.status = 'planned' AND v.takes_readers_orders = 1 AND v.run_on >= ? AND v.orders_close_at > ?"
        " ORDER BY v.run_on", [p["start"], p["now"]])
    furthest = (datetime.date.fromisoformat(p["now"][:10]) + datetime.timedelta(days=21)).isoformat()
    for run in runs:
        if run["cans"] + item["cans"] > 8 or run["mine"] + item["cans"] > 2:
            continue
        if item["item_class"] == "N" and (not run["brings_nitrate"] or run["nitrate"] + item["cans"] > 4):
            continue
        for day in (run["first_viewing_day"], run["second_viewing_day"]):
            if day is None or day > furthest or day > valid:
                continue
            busy = db.one(
                "SELECT (SELECT count(*) FROM cold_store_orders WHERE session_day = ? AND session_slot_id = ? AND status = 'on a run')"
                " + (SELECT count(*) FROM bookings b JOIN places q ON q.id = b.place_id WHERE b.on_day = ? AND b.slot_id = ?"
                " AND q.kind = 'viewing table' AND b.status = 'booked')"
                " + (SELECT count(*) FROM bookings b JOIN slots s ON s.id = b.slot_id WHERE b.reader_id = 1 AND b.on_day = ?"
                " AND b.status = 'booked' AND s.starts < ? AND s.ends > ?) AS n",
                [day, slot["id"], day, slot["id"], day, slot["ends"], slot["starts"]])["n"]
            if not busy:
                return run["id"], run["run_on"], day, slot["id"]
    return None


def _sessions_of_week(world, day):
    """How many sessions at the viewing table the reader has in the week of a day."""
    date = datetime.date.fromisoformat(day)
    monday = date - datetime.timedelta(days=date.weekday())
    days = [monday.isoformat(), (monday + datetime.timedelta(days=6)).isoformat()]
    return world.one(
        "SELECT (SELECT count(*) FROM cold_store_orders WHERE reader_id = 1 AND status IN ('on a run', 'seen', 'absent')"
        " AND session_day BETWEEN ? AND ?) + (SELECT count(*) FROM bookings b JOIN places q ON q.id = b.place_id WHERE b.reader_id = 1"
        " AND q.kind = 'viewing table' AND b.status IN ('booked', 'came', 'absent') AND b.on_day BETWEEN ? AND ?) AS n", days + days)["n"]


def instances(world, rng):
    """A film of the cold store that nobody has on order, a day to begin with and a session."""
    card = world.one("SELECT c.card_class FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = 1")["card_class"]
    today = datetime.date.fromisoformat(world.clock[:10])
    stock = world.query(
        "SELECT * FROM items i WHERE i.place = 'Sebal' AND NOT EXISTS (SELECT 1 FROM cold_store_orders o WHERE o.item_id = i.id"
        " AND o.status NOT IN ('cancelled', 'refused')) ORDER BY i.id")
    for _ in range(5000):
        nitrate = rng.random() < 0.4
        given = _new_items(world, rng, "N" if nitrate else "V", (1921, 1938) if nitrate else (1955, 1974), 1)
        new = rng.random() < 0.7
        item = given[0] if new else rng.choice(stock)
        p = {
            "title": item["title"], "start": (today + datetime.timedelta(days=rng.randint(1, 12))).isoformat(),
            "session": rng.choice(("morning", "afternoon")), "now": world.clock, "item": item["id"],
        }
        if datetime.date.fromisoformat(p["start"]).weekday() == 6:
            continue
        forbidden = _grade(item) >= 3.0 or (card != "I" and item["access_copy"] is not None)
        if forbidden and item["cans"] > 2:
            continue
        instance = {"p": p}
        if new:
            instance["given"] = {"items": given}
        if forbidden or item["cans"] > 2:
            if rng.random() < 0.5 or _plan(world, p, dict(item, cans=1, item_class="V")) is None:
                continue
            instance["kind"] = "refusal"
            instance["rule"] = "cold_store_issue" if forbidden else "van_load"
        else:
            plan = _plan(world, p, item)
            if plan is None or _sessions_of_week(world, plan[2]) > 2:
                continue
        yield instance


def solve(tools, p):
    card = tools.get_my_card()["card"]
    item = next(i for i in tools.list_items(title_contains=p["title"], place="Sebal")["items"] if i["title"] == p["title"])
    item = tools.get_item(item_id=item["id"])["item"]
    n = item["cans"]
    starts = "11:30" if p["session"] == "morning" else "14:30"
    grade = _grade(item)
    asked = item["access_copy"] is not None or grade >= 2.5 or card["card_class"] != "I"
    reason = None
    if grade >= 3.0 or (card["card_class"] != "I" and item["access_copy"] is not None):
        reason = "cold_store_issue"
    elif n > 2:
        reason = "van_load"
    mine = tools.list_my_bookings(status="booked", first_day=p["start"])["bookings"]
    found = None
    for run in tools.list_van_runs(first_day=p["start"])["van_runs"]:
        room = run["nitrate_cans_free"] if item["item_class"] == "N" else run["cans_free"]
        for session in run["free_sessions"]:
            clash = [
                b for b in mine
                if b["on_day"] == session["session_day"] and b["starts"] < session["ends"] and b["ends"] > session["starts"]
            ]
            fits = reason is not None or (room >= n and run["my_cans"] + n <= 2)
            if found is None and fits and session["starts"] == starts and not clash and session["session_day"] <= card["valid_until"]:
                found = (run, session)
    nothing = {"van_day": None, "viewing_day": None, "consent": None}
    try:
        run, session = found
        call = {"item_id": item["id"], "can_nos": list(range(1, n + 1)), "van_run_id": run["id"]}
        if asked:
            tools.request_consent(wish_day=session["session_day"], wish_slot_id=session["slot_id"], **call)
        else:
            tools.order_cans(session_day=session["session_day"], session_slot_id=session["slot_id"], **call)
    except tools.Error as error:
        return {"outcome": "refused", "answers": nothing, "reason": reason, "message": f"I could not have {item['title']} brought: {error}"}
    return {
        "outcome": "done",
        "answers": {"van_day": run["run_on"], "viewing_day": session["session_day"], "consent": asked},
        "reason": None,
        "message": f"{item['title']} is down for the van of {run['run_on']} and the {p['session']} of {session['session_day']}"
        + (", if Dra. Taborda agrees." if asked else "."),
    }


def _item(world, p):
    """The film."""
    return world.initial.one("SELECT * FROM items WHERE id = ?", [p["item"]])


def _rule(world, p):
    """The rule that forbids it, or None."""
    item = _item(world, p)
    card = world.initial.one("SELECT c.card_class FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = 1")
    if _grade(item) >= 3.0 or (card["card_class"] != "I" and item["access_copy"] is not None):
        return "cold_store_issue"
    return "van_load" if item["cans"] > 2 else None


def _consent(world, p):
    """Whether the conservator has to be asked."""
    item = _item(world, p)
    card = world.initial.one("SELECT c.card_class FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = 1")
    return item["access_copy"] is not None or _grade(item) >= 2.5 or card["card_class"] != "I"


def _new(world, table):
    """The new rows of a table."""
    return [c["after"] for c in world.changes if c["table"] == table and c["before"] is None]


def goal_has_the_film_on_the_first_van(world, p):
    """Has the film ordered, or asked for where consent is needed, for the first van that will do; refuses what a rule forbids."""
    rule = _rule(world, p)
    if rule is not None:
        return world.report.outcome == "refused" and world.report.reason == rule
    rows = _new(world, "cold_store_orders")
    if len(rows) != 1:
        return False
    run = _plan(world.initial, p, _item(world, p))[0]
    row = rows[0]
    if _consent(world, p):
        return row["status"] == "awaiting consent" and row["asked_run_id"] == run and row["run_id"] is None
    return row["status"] == "on a run" and row["asked_run_id"] == run and row["run_id"] == run


def goal_has_the_session(world, p):
    """Has the session that was asked for on the first day that will do; none where a rule forbids the order."""
    if _rule(world, p) is not None:
        return world.report.outcome == "refused" and not _new(world, "cold_store_orders")
    rows = _new(world, "cold_store_orders")
    plan = _plan(world.initial, p, _item(world, p))
    names = ("wish_day", "wish_slot_id") if _consent(world, p) else ("session_day", "session_slot_id")
    return len(rows) == 1 and (rows[0][names[0]], rows[0][names[1]]) == (plan[2], plan[3])


def goal_has_all_the_cans(world, p):
    """Has every can of the film on the order; none where a rule forbids it."""
    if _rule(world, p) is not None:
        return world.report.outcome == "refused" and not _new(world, "order_cans")
    return sorted(c["can_no"] for c in _new(world, "order_cans")) == list(range(1, _item(world, p)["cans"] + 1))


def goal_says_on_which_van_it_is(world, p):
    """Says the day of the van, nothing where it is refused."""
    if _rule(world, p) is not None:
        return world.report.outcome == "refused" and world.report.says("van_day", None)
    return world.report.says("van_day", _plan(world.initial, p, _item(world, p))[1])


def goal_says_when_it_is_seen(world, p):
    """Says the day of the session, nothing where it is refused."""
    if _rule(world, p) is not None:
        return world.report.outcome == "refused" and world.report.says("viewing_day", None)
    return world.report.says("viewing_day", _plan(world.initial, p, _item(world, p))[2])


def goal_says_whether_consent_is_needed(world, p):
    """Says whether the conservator is asked, nothing where it is refused."""
    if _rule(world, p) is not None:
        return world.report.outcome == "refused" and world.report.says("consent", None)
    return world.report.says("consent", _consent(world, p))


def guard_changes_nothing_else(world, p):
    """Added no more than one order of this film by the reader with its cans and fees."""
    orders, cans, lines = _new(world, "cold_store_orders"), _new(world, "order_cans"), _new(world, "account_lines")
    if len(orders) + len(cans) + len(lines) != len(world.changes) or len(orders) > 1:
        return False
    if not orders:
        return not world.changes
    if _rule(world, p) is not None:
        return False
    order = orders[0]
    if (order["reader_id"], order["is_laboratory"], order["item_id"]) != (1, 0, p["item"]):
        return False
    if any(order[k] is not None for k in ("decided_by_id", "decided_at", "cancelled_at")):
        return False
    if any(c["cold_store_order_id"] != order["id"] or c["struck_off_at"] is not None for c in cans):
        return False
    due = []
    if not _consent(world, p):
        van = world.initial.one("SELECT id, price_cents FROM prices WHERE price_no = 'P11'")
        table = world.initial.one("SELECT id FROM prices WHERE price_no = 'P10'")
        fee = world.initial.one("SELECT c.technician_session_fee_cents AS fee FROM readers r JOIN card_classes c ON c.id = r.card_class_id WHERE r.id = 1")
        due = [(c["id"], 0, van["id"], van["price_cents"]) for c in cans] + [(0, order["id"], table["id"], fee["fee"])]
    found = []
    for line in lines:
        if line["reader_id"] != 1 or line["status"] != "owed" or line["booking_id"] is not None or line["note"] is not None:
            return False
        found.append((line["order_can_id"] or 0, line["cold_store_order_id"] or 0, line["price_id"], line["amount_cents"]))
    return sorted(found) == sorted(due)


def guard_reports_the_right_end(world, p):
    """Reports that it is done, or refused by the rule that forbids it."""
    rule = _rule(world, p)
    if world.report.outcome is None:
        return True
    if rule is None:
        return world.report.outcome == "done" and world.report.reason is None
    return world.report.outcome == "refused" and world.report.reason == rule
