def list_items(env, *, title_contains: str = None, item_class: str = None, place: str = None, rights: str = None,
               first_year: int = None, last_year: int = None) -> dict:
    """Lists the items that meet all conditions, oldest first."""
    rows = env.query(
        "SELECT id, item, item_class, title, made, printed, print_of_id, format, cans, minutes, condition, place, access_copy,"
        " issued_to, rights, digital_master FROM items"
        " WHERE (:item_class IS NULL OR item_class = :item_class) AND (:place IS NULL OR place = :place)"
        " AND (:rights IS NULL OR rights = :rights) AND (:first_year IS NULL OR made >= :first_year)"
        " AND (:last_year IS NULL OR made <= :last_year) ORDER BY made, item",
        {"item_class": item_class, "place": place, "rights": rights, "first_year": first_year, "last_year": last_year})
    items = [dict(r) for r in rows]
    if title_contains is not None:
        items = [i for i in items if title_contains.casefold() in i["title"].casefold()]
    return {"items": items}
