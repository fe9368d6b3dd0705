def _customer(tools, name):
    return next(one for one in tools.search_clienti(name=name)["clienti"] if one["name"] == name)


def _euros(cents):
    return f"€{cents / 100:.2f}"


def solve(tools):
    day = "2026-11-12"
    birth = next(
        one
        for one in tools.search_incarichi(
            mine=True,
            cliente_id=_customer(tools, "Matthias Wieser")["id"],
            document="birth certificate",
            booked=True,
            urgent=True,
        )["incarichi"]
        if one["mattina_day"] == day
    )
    able = []
    for name in ("Elena Cossutta", "Paolo Sirk"):
        colleague = next(one for one in tools.search_soci(name=name)["soci"] if one["name"] == name)
        known = tools.get_socio(socio_id=colleague["id"])
        pairs = {(one["from_language"], one["into_language"]) for one in known["combinazioni"]}
        morning = tools.list_mattine(first_day=day, last_day=day, socio_id=colleague["id"])["mattine"][0]
        if (birth["from_language"], birth["into_language"]) in pairs and not morning["away"] and morning["files"] < 5:
            able.append((morning["files"], colleague["id"], name))
    files, colleague_id, colleague_name = min(able)
    tools.pass_incarico(incarico_id=birth["id"], socio_id=colleague_id, agreed_by_telephone=True)
    extract = next(
        one
        for one in tools.search_incarichi(
            mine=True,
            cliente_id=_customer(tools, "Jože Škerlj")["id"],
            document="land register extract",
            booked=True,
        )["incarichi"]
        if one["mattina_day"] == day
    )
    later = tools.list_mattine(first_day="2026-11-13", last_day=extract["deadline"], status="open")["mattine"]
    free = next(one for one in later if one["files"] < 4 and not one["away"] and one["day"] > extract["ready_on"])
    tools.move_giuramento(incarico_id=extract["id"], mattina_id=free["id"])
    tools.add_assenza(day=day)
    return {
        "outcome": "done",
        "answers": {},
        "reason": None,
        "message": (
            f"You are entered as away on 12 November; Matthias Wieser's birth certificate is passed to {colleague_name}, "
            f"and Jože Škerlj's land register extract is moved to {free['day']}."
        ),
    }
