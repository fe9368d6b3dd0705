def card(tools, given, surnames):
    """The card number of somebody known by name."""
    for d in tools.search_donors(surname=surnames)["result"]:
        if d["given_names"] == given and d["surnames"] == surnames:
            return d["donor_id"]


REASONS = (
    ("interval", "time since the last donation"),
    ("yearly_maximum", "yearly maximum"),
    ("weight", "weight too low"),
    ("age", "age"),
    ("travel", "travel"),
    ("medication", "medication"),
    ("laboratory", "laboratory"),
    ("interview", "interview"),
)
FOUR = (
    ("pedro", "Pedro", "Ahumada Ríos"),
    ("nelson", "Nelson", "Vidal Cárcamo"),
    ("gladys", "Gladys", "Pinto Aravena"),
    ("iris", "Iris", "Cornejo Soto"),
)


def solve(tools):
    answers = {}
    to_weigh = []
    said = []
    for key, given, surnames in FOUR:
        seen = tools.get_donor_eligibility(
            donor_id=card(tools, given, surnames), kind="whole_blood", on="2026-10-10"
        )
        may = seen["answer"] == "yes"
        hindered_by = None
        first = None
        if seen["answer"] == "weigh_first":
            hindered_by = "no recent weight"
            to_weigh.append(given + " " + surnames)
        elif not may:
            hindered_by = next(words for code, words in REASONS if code in seen["reasons"])
            first = seen["next_date"]
        answers[key + "_may"] = may
        answers[key + "_hindered_by"] = hindered_by
        answers[key + "_from"] = first
        text = f"{given}: {'yes' if may else 'no'}"
        if seen["answer"] == "weigh_first":
            text += f" ({hindered_by})"
        elif hindered_by is not None:
            text += f" ({hindered_by}, {'from ' + first if first else 'no date yet'})"
        said.append(text)
    slots = tools.list_slots(site_code="um_portales", date="2026-10-10", kind="whole_blood")["result"]
    places = sum(x["places_left"] for x in slots if x["starts_at"][11:16] < "11:00")
    answers["to_weigh"] = to_weigh
    answers["free_places"] = places
    return {
        "outcome": "done",
        "answers": answers,
        "reason": None,
        "message": (
            f"{'; '.join(said)}. Just missing a recent weight: {', '.join(to_weigh) or 'nobody'}. "
            f"{places} places are free before 11:00."
        ),
    }
