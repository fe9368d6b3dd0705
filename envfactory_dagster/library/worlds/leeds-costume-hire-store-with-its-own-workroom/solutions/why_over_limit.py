def _customer(tools, name):
    return [c for c in tools.list_my_customers()["customers"] if c["name"] == name][0]


def solve(tools):
    players = _customer(tools, "Headingley Lamplight Players")
    once, double, nothing = [], [], []
    for status in ("held", "confirmed", "out"):
        for hire in tools.list_hires(customer_id=players["id"], status=status)["hires"]:
            for line in tools.get_hire(hire_id=hire["id"])["hire_lines"]:
                if line["status"] != "active":
                    continue
                if line["piece_id"] is not None and line["is_class_p"] == 1:
                    double.append(line["description"])
                elif line["accessory_id"] is not None and line["kind"] not in ("weapon", "jewellery"):
                    nothing.append(line["description"])
                else:
                    once.append(line["description"])
    total = len(once) + 2 * len(double)
    room = max(0, 40 - total)
    return {
        "outcome": "done",
        "answers": {"counts_once": once, "counts_double": double, "counts_not": nothing, "total": total, "room": room},
        "reason": None,
        "message": f"{len(once)} things count as one ({'; '.join(once)}), {len(double)} class P pieces count double ({'; '.join(double)}) and {len(nothing)} accessories do not count ({'; '.join(nothing)}). That makes {total}, so you could take {room} more ordinary pieces.",
    }
