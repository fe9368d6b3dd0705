-- table readers: A reader: a holder of a card of the room, with class, validity and the proof last shown.
CREATE TABLE readers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    card_no TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    town TEXT NOT NULL,
    card_class_id INTEGER NOT NULL REFERENCES card_classes (id),
    born TEXT NOT NULL,
    issued_on TEXT NOT NULL,
    renewed_on TEXT,
    valid_until TEXT NOT NULL,
    proof_from TEXT,
    proof_dated TEXT,
    induction_on TEXT,
    CHECK (born < issued_on),
    CHECK (issued_on < valid_until),
    CHECK (renewed_on IS NULL OR (renewed_on >= issued_on AND renewed_on < valid_until)),
    CHECK ((proof_from IS NULL) = (proof_dated IS NULL))
) STRICT;

-- table van_runs: A van run: one day on which the van goes, or was to go, between Sebal and Coimbra, with the closing of orders, the viewing days of its cans and the hour at which the lock was shut.
CREATE TABLE van_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,
    run_on TEXT NOT NULL UNIQUE,
    orders_close_at TEXT NOT NULL,
    takes_readers_orders INTEGER NOT NULL CHECK (takes_readers_orders IN (0, 1)),
    brings_nitrate INTEGER NOT NULL CHECK (brings_nitrate IN (0, 1)),
    first_viewing_day TEXT,
    second_viewing_day TEXT,
    goes_back_on TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('planned', 'over', 'did not go')),
    lock_closed_at TEXT,
    unusual_van_day_id INTEGER REFERENCES unusual_van_days (id),
    closed_day_id INTEGER REFERENCES closed_days (id),
    note TEXT,
    CHECK (orders_close_at < run_on),
    CHECK (goes_back_on > run_on),
    CHECK (first_viewing_day IS NULL OR (first_viewing_day > run_on AND first_viewing_day < goes_back_on)),
    CHECK (second_viewing_day IS NULL OR (first_viewing_day IS NOT NULL AND second_viewing_day > first_viewing_day AND second_viewing_day < goes_back_on)),
    CHECK (takes_readers_orders = 0 OR first_viewing_day IS NOT NULL),
    CHECK ((status = 'over') = (lock_closed_at IS NOT NULL))
) STRICT;

-- table cold_store_orders: A cold-store order: cans of one item ordered from Sebal by a reader, or by the laboratory, with the run asked for and got and the session at the viewing table.
CREATE TABLE cold_store_orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_no TEXT NOT NULL UNIQUE,
    received_at TEXT NOT NULL,
    reader_id INTEGER REFERENCES readers (id),
    is_laboratory INTEGER NOT NULL CHECK (is_laboratory IN (0, 1)),
    item_id INTEGER NOT NULL REFERENCES items (id),
    asked_run_id INTEGER NOT NULL REFERENCES van_runs (id),
    run_id INTEGER REFERENCES van_runs (id),
    wish_day TEXT,
    wish_slot_id INTEGER REFERENCES slots (id),
    session_day TEXT,
    session_slot_id INTEGER REFERENCES slots (id),
    technician_id INTEGER REFERENCES staff (id),
    status TEXT NOT NULL CHECK (status IN ('awaiting consent', 'on a run', 'seen', 'absent', 'scanned', 'refused', 'cancelled')),
    decided_by_id INTEGER REFERENCES staff (id),
    decided_at TEXT,
    cancelled_at TEXT,
    note TEXT,
    CHECK ((is_laboratory = 1) = (reader_id IS NULL)),
    CHECK ((wish_day IS NULL) = (wish_slot_id IS NULL)),
    CHECK ((session_day IS NULL) = (session_slot_id IS NULL)),
    CHECK ((decided_by_id IS NULL) = (decided_at IS NULL)),
    CHECK (decided_at IS NULL OR decided_at >= received_at),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (cancelled_at IS NULL OR cancelled_at >= received_at),
    CHECK (status <> 'awaiting consent' OR (run_id IS NULL AND session_day IS NULL AND decided_at IS NULL AND is_laboratory = 0)),
    CHECK (status <> 'refused' OR (run_id IS NULL AND session_day IS NULL AND decided_at IS NOT NULL AND is_laboratory = 0)),
    CHECK (status NOT IN ('on a run', 'seen', 'absent', 'scanned') OR run_id IS NOT NULL),
    CHECK (status NOT IN ('on a run', 'seen', 'absent') OR is_laboratory = 1 OR session_day IS NOT NULL),
    CHECK (status NOT IN ('seen', 'absent') OR is_laboratory = 0),
    CHECK (status <> 'scanned' OR is_laboratory = 1)
) STRICT;
CREATE UNIQUE INDEX one_order_a_session ON cold_store_orders (session_day, session_slot_id) WHERE status IN ('on a run', 'seen', 'absent');

-- table order_cans: A can of an item on a cold-store order, struck off where the reader did without it before the deadline.
CREATE TABLE order_cans (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    cold_store_order_id INTEGER NOT NULL REFERENCES cold_store_orders (id),
    can_no INTEGER NOT NULL CHECK (can_no > 0),
    struck_off_at TEXT,
    UNIQUE (cold_store_order_id, can_no)
) STRICT;

-- table booth_slips: A slip by which the head of the room allows a reader extra booth slots on certain days.
CREATE TABLE booth_slips (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reader_id INTEGER NOT NULL REFERENCES readers (id),
    extra_slots INTEGER NOT NULL CHECK (extra_slots > 0),
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    signed_on TEXT NOT NULL,
    signed_by_id INTEGER NOT NULL REFERENCES staff (id),
    CHECK (last_day >= first_day),
    CHECK (signed_on <= first_day)
) STRICT;

-- table bookings: A booking: a booth, or the viewing table for a house reel, given to a reader for one slot of a day to hear or see one item of the house.
CREATE TABLE bookings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    booking_no TEXT NOT NULL UNIQUE,
    made_at TEXT NOT NULL,
    reader_id INTEGER NOT NULL REFERENCES readers (id),
    place_id INTEGER NOT NULL REFERENCES places (id),
    on_day TEXT NOT NULL,
    slot_id INTEGER NOT NULL REFERENCES slots (id),
    persons INTEGER NOT NULL CHECK (persons BETWEEN 1 AND 3),
    item_id INTEGER NOT NULL REFERENCES items (id),
    technician_id INTEGER REFERENCES staff (id),
    booth_slip_id INTEGER REFERENCES booth_slips (id),
    price_id INTEGER NOT NULL REFERENCES prices (id),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    status TEXT NOT NULL CHECK (status IN ('booked', 'came', 'absent', 'cancelled', 'lapsed')),
    cancelled_at TEXT,
    note TEXT,
    CHECK (substr(made_at, 1, 10) <= on_day),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (cancelled_at IS NULL OR cancelled_at >= made_at)
) STRICT;
CREATE UNIQUE INDEX one_booking_a_place ON bookings (place_id, on_day, slot_id) WHERE status IN ('booked', 'came', 'absent');
CREATE UNIQUE INDEX one_place_a_reader ON bookings (reader_id, on_day, slot_id) WHERE status IN ('booked', 'came', 'absent');

-- table account_lines: A fee on the account of a reader's card: for the card, a can on the van, a session at the table or a second booth slot, and whether it is owed, paid, dropped or waived.
CREATE TABLE account_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    reader_id INTEGER NOT NULL REFERENCES readers (id),
    price_id INTEGER NOT NULL REFERENCES prices (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    written_at TEXT NOT NULL,
    order_can_id INTEGER REFERENCES order_cans (id),
    cold_store_order_id INTEGER REFERENCES cold_store_orders (id),
    booking_id INTEGER REFERENCES bookings (id),
    status TEXT NOT NULL CHECK (status IN ('owed', 'paid', 'dropped', 'waived')),
    paid_on TEXT,
    note TEXT,
    CHECK ((order_can_id IS NOT NULL) + (cold_store_order_id IS NOT NULL) + (booking_id IS NOT NULL) <= 1),
    CHECK ((status = 'paid') = (paid_on IS NOT NULL)),
    CHECK (paid_on IS NULL OR paid_on >= substr(written_at, 1, 10))
) STRICT;
