def get_piece(env, *, piece_id: int) -> dict:
    """Shows one piece with its measurements."""
    piece = env.one(
        "SELECT id, number, description, garment, period, material, cleaning_class, condition, is_class_p, is_nativity, "
        "set_id, replacement_value_cents, alterations_left FROM pieces WHERE id = ?",
        [piece_id],
    )
    if piece is None:
        raise env.Error(f"there is no piece {piece_id}")
    shown = dict(piece)
    shown["measurements"] = env.query(
        "SELECT measure, label_inches, current_inches, smallest_inches, largest_inches FROM piece_measurements "
        "WHERE piece_id = ? ORDER BY id",
        [piece_id],
    )
    return shown
