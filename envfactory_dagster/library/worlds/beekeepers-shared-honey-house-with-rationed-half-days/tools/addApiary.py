import re


def addApiary(env, *, memberNo: str, apiaryId: str, place: str, lat: float, lon: float, migratory: bool = False) -> dict:
    """Adds an apiary to the user's membership."""
    m = env.one("SELECT id FROM members WHERE id = ? AND member_no = ?", [env.user_id, memberNo])
    if m is None:
        raise env.Error("the member number " + memberNo + " is not yours")
    number = apiaryId.strip()
    if re.fullmatch("AP-[0-9]{5}", number) is None or not 1 <= int(number[3:]) <= 49999:
        raise env.Error(
            "there is no apiary " + number + " in the state register: its numbers run from AP-00001 to AP-49999"
        )
    spot = place.strip()
    if not spot:
        raise env.Error("say where the apiary stands")
    if env.one("SELECT id FROM apiaries WHERE register_no = ?", [number]) is not None:
        raise env.Error("the apiary " + number + " is already entered")
    flag = 1 if migratory else 0
    env.insert(
        "INSERT INTO apiaries (member_id, register_no, place, lat, lon, migratory) VALUES (?, ?, ?, ?, ?, ?)",
        [env.user_id, number, spot, float(lat), float(lon), flag],
    )
    return {"register_no": number, "place": spot, "lat": float(lat), "lon": float(lon), "migratory": flag}
