def list_terms(env, *, area: str = None) -> dict:
    """Lists the terms for young trees and points and the exceptions to the prices."""
    rows = env.query(
        "SELECT term, area, number, says FROM terms WHERE (:area IS NULL OR area = :area) ORDER BY id",
        {"area": area},
    )
    return {"terms": rows}
