from datetime import date, timedelta

NOTICE_DAYS = 21


def _change_memorial_tree_tree(env, memorial_tree_id):
    return env.one(
        """
        SELECT t.id, t.plot_id, p.bearing_degrees, t.tree_species_id, s.name AS tree_species_name,
               t.price_cents, t.planting_date, t.status, t.ordered_at, t.cancelled_at, t.died_on
        FROM memorial_trees t
        JOIN plots p ON p.id = t.plot_id
        JOIN tree_species s ON s.id = t.tree_species_id
        WHERE t.id = :tree_id AND t.family_contact_id = :family_contact_id
        """,
        {"tree_id": memorial_tree_id, "family_contact_id": env.user_id},
    )


def _change_memorial_tree_check_date(env, planting_date):
    try:
        date.fromisoformat(planting_date)
    except ValueError:
        raise env.Error(f"{planting_date} is not a day such as 2026-12-05")
    if planting_date < env.now[:10]:
        raise env.Error(f"{planting_date} has already passed")
    if planting_date[5:7] not in ("11", "12", "01", "02", "03"):
        raise env.Error(f"trees are planted from 1 November to 31 March only, not on {planting_date}")


def _change_memorial_tree_species(env, tree_species_id, plot_id):
    species = env.one(
        "SELECT id, name, price_cents FROM tree_species WHERE id = :tree_species_id",
        {"tree_species_id": tree_species_id},
    )
    if species is None:
        raise env.Error(f"there is no tree species {tree_species_id}")
    plot = env.one(
        """
        SELECT o.name AS soil_name,
               EXISTS (SELECT 1 FROM tree_species_soils x
                       WHERE x.soil_id = p.soil_id AND x.tree_species_id = :tree_species_id) AS listed
        FROM plots p
        JOIN soils o ON o.id = p.soil_id
        WHERE p.id = :plot_id
        """,
        {"tree_species_id": tree_species_id, "plot_id": plot_id},
    )
    if not plot["listed"]:
        raise env.Error(f"{species['name']} is not listed for {plot['soil_name']}, the soil of plot {plot_id}")
    return species


def change_memorial_tree(env, *, memorial_tree_id: int, tree_species_id: int = None, planting_date: str = None) -> dict:
    """Changes the species, the planting date or both of the user's own ordered tree."""
    tree = _change_memorial_tree_tree(env, memorial_tree_id)
    if tree is None:
        raise env.Error(f"you have no memorial tree {memorial_tree_id}")
    if tree["status"] != "ordered":
        raise env.Error(f"only an ordered tree can be changed, and tree {memorial_tree_id} is {tree['status']}")
    latest = (date.fromisoformat(tree["planting_date"]) - timedelta(days=NOTICE_DAYS)).isoformat()
    if env.now[:10] > latest:
        raise env.Error(
            f"an order can be changed only until 21 days before its planting date, {tree['planting_date']}, "
            f"that is until {latest}"
        )
    if tree_species_id is None and planting_date is None:
        raise env.Error("say which species or which planting date the tree should have")
    new_species_id = tree["tree_species_id"]
    new_price_cents = tree["price_cents"]
    if tree_species_id is not None:
        species = _change_memorial_tree_species(env, tree_species_id, tree["plot_id"])
        new_species_id = species["id"]
        new_price_cents = species["price_cents"]
    new_date = tree["planting_date"]
    if planting_date is not None:
        _change_memorial_tree_check_date(env, planting_date)
        new_date = planting_date
    env.execute(
        """
        UPDATE memorial_trees
        SET tree_species_id = :tree_species_id, price_cents = :price_cents, planting_date = :planting_date
        WHERE id = :tree_id AND family_contact_id = :family_contact_id
        """,
        {
            "tree_species_id": new_species_id,
            "price_cents": new_price_cents,
            "planting_date": new_date,
            "tree_id": memorial_tree_id,
            "family_contact_id": env.user_id,
        },
    )
    return {"memorial_tree": dict(_change_memorial_tree_tree(env, memorial_tree_id))}
