from datetime import date


def _order_memorial_tree_tree(env, memorial_tree_id):
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


def _order_memorial_tree_check_date(env, planting_date):
    try:
        date.fromisoformat(planting_date)
    except ValueError:
        raise env.Error(f"{planting_date} is not a day such as 2026-12-05")
    if planting_date < env.now[:10]:
        raise env.Error(f"{planting_date} has already passed")
    if planting_date[5:7] not in ("11", "12", "01", "02", "03"):
        raise env.Error(f"trees are planted from 1 November to 31 March only, not on {planting_date}")


def _order_memorial_tree_species(env, tree_species_id, plot_id):
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


def order_memorial_tree(env, *, plot_id: int, tree_species_id: int, planting_date: str) -> dict:
    """Orders a memorial tree for a plot that the user holds."""
    plot = env.one("SELECT id FROM plots WHERE id = :plot_id", {"plot_id": plot_id})
    if plot is None:
        raise env.Error(f"there is no plot {plot_id}")
    held = env.one(
        """
        SELECT id FROM reservations
        WHERE plot_id = :plot_id AND family_contact_id = :family_contact_id AND status IN ('active', 'used')
        """,
        {"plot_id": plot_id, "family_contact_id": env.user_id},
    )
    if held is None:
        raise env.Error(f"you do not hold plot {plot_id}; a tree can be ordered only for a plot of your own")
    species = _order_memorial_tree_species(env, tree_species_id, plot_id)
    other = env.one(
        """
        SELECT status FROM memorial_trees
        WHERE plot_id = :plot_id AND status IN ('ordered', 'planted')
        LIMIT 1
        """,
        {"plot_id": plot_id},
    )
    if other is not None:
        raise env.Error(f"plot {plot_id} already has a tree that is {other['status']}")
    _order_memorial_tree_check_date(env, planting_date)
    tree_id = env.insert(
        """
        INSERT INTO memorial_trees (family_contact_id, plot_id, tree_species_id, price_cents, planting_date,
                                    status, ordered_at, cancelled_at, died_on)
        VALUES (:family_contact_id, :plot_id, :tree_species_id, :price_cents, :planting_date,
                'ordered', :now, NULL, NULL)
        """,
        {
            "family_contact_id": env.user_id,
            "plot_id": plot_id,
            "tree_species_id": tree_species_id,
            "price_cents": species["price_cents"],
            "planting_date": planting_date,
            "now": env.now,
        },
    )
    return {"memorial_tree": dict(_order_memorial_tree_tree(env, tree_id))}
