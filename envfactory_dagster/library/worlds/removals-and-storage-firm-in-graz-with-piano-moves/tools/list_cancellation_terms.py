def list_cancellation_terms(env) -> dict:
    """Lists the terms for cancelling a confirmed removal, the earliest first."""
    return {
        "cancellation_terms": env.query(
            """SELECT id AS cancellation_term_id, min_days_before, percent_of_price
               FROM cancellation_terms ORDER BY min_days_before DESC""",
            [],
        )
    }
