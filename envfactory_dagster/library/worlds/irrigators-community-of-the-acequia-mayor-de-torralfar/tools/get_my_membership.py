def get_my_membership(env) -> dict:
    """The member's entry in the padrón with his plots."""
    me = env.one(
        "SELECT m.id AS member_id, m.number, m.name, m.phone, k.class_code, k.who, k.draw, m.signatory, o.office, o.shut_out_by, "
        "m.in_padron_since, m.note_plot_id, m.note_planted_on, m.note_until "
        "FROM members m JOIN member_classes k ON k.id = m.member_class_id LEFT JOIN offices o ON o.id = m.office_id WHERE m.id = ?",
        [env.user_id],
    )
    if me is None:
        raise env.Error("You are not in the padrón.")
    result = dict(me)
    result["plots"] = env.query(
        "SELECT p.id AS plot_id, p.plot, p.partida, p.crop, p.hanegadas, p.hours_week, p.sluice_id, s.sluice, s.well_pipe "
        "FROM plots p JOIN sluices s ON s.id = p.sluice_id WHERE p.holder = ? ORDER BY p.plot",
        [me["number"]],
    )
    return result
