import collections


def _search_clienti_view(one):
    return {
        "id": one["id"],
        "name": one["name"],
        "kind": one["kind"],
        "telephone": one["telephone"],
        "email": one["email"],
        "address": one["address"],
        "tax_code": one["tax_code"],
    }


PRICE_JOB_LINE_CENTS = 140
PRICE_JOB_MINIMUM_CENTS = 3500
PRICE_JOB_URGENT_PERCENT = 30
PRICE_JOB_SWEARING_CENTS = 4000
PRICE_JOB_VAT_PERCENT = 22
PRICE_JOB_STAMP_CENTS = 1600


def _price_job_total(lines, urgent, exempt):
    work = max(PRICE_JOB_MINIMUM_CENTS, lines * PRICE_JOB_LINE_CENTS)
    if urgent:
        work = work * (100 + PRICE_JOB_URGENT_PERCENT) // 100
    net = work + PRICE_JOB_SWEARING_CENTS
    gross = (net * (100 + PRICE_JOB_VAT_PERCENT) + 50) // 100
    stamps = 0 if exempt else PRICE_JOB_STAMP_CENTS * ((lines + 99) // 100)
    return gross + stamps


def _get_cliente_sworn_and_paid(env, cliente_id, without_id):
    """Jobs of the customer that are sworn or collected and fully paid, the job without_id left out."""
    paid = collections.Counter()
    for one in env.files.records("data/cassa.csv"):
        paid[one["incarico_id"]] += one["amount_cents"]
    return sum(
        1
        for one in env.files.records("data/incarichi.json", {"cliente_id": cliente_id})
        if one["id"] != without_id
        and one["status"] in ("sworn", "collected")
        and paid[one["id"]] >= _price_job_total(one["lines"], one["urgent"], one["exempt"])
    )


def get_cliente(env, *, cliente_id: int) -> dict:
    """Shows one customer with the jobs sworn and paid and who has the papers in each language."""
    cliente = env.files.get("data/clienti.yaml", cliente_id)
    if cliente is None:
        raise env.Error(f"there is no customer {cliente_id}")
    names = {one["id"]: one["name"] for one in env.files.records("data/soci.json")}
    held = {}
    for one in env.files.records("data/incarichi.json", {"cliente_id": cliente_id}):
        if one["status"] == "withdrawn":
            continue
        language = one["into_language"] if one["from_language"] == "Italian" else one["from_language"]
        jobs = held.setdefault(language, {}).setdefault(one["socio_id"], [])
        jobs.append((one["quoted_at"], one["id"]))
    languages = []
    for language in sorted(held):
        socio_id = max(held[language], key=lambda one: (len(held[language][one]), max(held[language][one])))
        languages.append({"language": language, "socio_id": socio_id, "socio_name": names[socio_id]})
    shown = _search_clienti_view(cliente)
    shown["sworn_and_paid_jobs"] = _get_cliente_sworn_and_paid(env, cliente_id, None)
    shown["languages"] = languages
    return shown
