def list_my_leases(env) -> dict:
    """The leases of the member that are on file."""
    return {
        "leases": env.query(
            "SELECT l.id AS lease_id, l.plot_id, p.plot, l.lessor, l.signed_on, l.starts_on, l.ends_on, l.filed_on "
            "FROM leases l JOIN plots p ON p.id = l.plot_id WHERE l.member_id = ? ORDER BY l.starts_on, l.id",
            [env.user_id],
        )
    }
