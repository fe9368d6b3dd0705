-- table members: A member: one of the 20 holders in the padrón, whose number (R-15) stands as holder on his plots, with class, office, who signs for it, and the President's note for young planting (plot, day of planting, until when the well may be had 6 hours a week).
CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    member_class_id INTEGER NOT NULL REFERENCES member_classes (id),
    signatory TEXT,
    office_id INTEGER UNIQUE REFERENCES offices (id),
    in_padron_since TEXT NOT NULL,
    phone TEXT NOT NULL,
    note_plot_id INTEGER REFERENCES plots (id),
    note_planted_on TEXT,
    note_until TEXT,
    CHECK ((note_plot_id IS NULL) = (note_until IS NULL)),
    CHECK ((note_plot_id IS NULL) = (note_planted_on IS NULL)),
    CHECK (note_until > note_planted_on)
) STRICT;

-- table leases: A lease on file of a tenant for his plot, as read on the signed paper; a longer lease is a further row that starts on the day after the one before ends.
CREATE TABLE leases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    plot_id INTEGER NOT NULL REFERENCES plots (id),
    lessor TEXT NOT NULL,
    signed_on TEXT NOT NULL,
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    filed_on TEXT NOT NULL,
    UNIQUE (member_id, plot_id, starts_on),
    CHECK (ends_on > starts_on),
    CHECK (filed_on >= signed_on)
) STRICT;

-- table levy_halves: A half of a member's levy of 2026, with the calendar entry that has its due day, the instalments granted by the Board and the surcharge with which it was paid (0 until it is paid).
CREATE TABLE levy_halves (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    calendar_entry_id INTEGER NOT NULL REFERENCES calendar_entries (id),
    hanegadas INTEGER NOT NULL CHECK (hanegadas > 0),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('due', 'instalments', 'paid')),
    instalments_until TEXT,
    instalments_kept INTEGER CHECK (instalments_kept IN (0, 1)),
    surcharge_cents INTEGER NOT NULL CHECK (surcharge_cents >= 0),
    paid_at TEXT,
    paid_by TEXT CHECK (paid_by IN ('card', 'transfer', 'cash')),
    UNIQUE (member_id, calendar_entry_id),
    CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
    CHECK ((paid_at IS NULL) = (paid_by IS NULL)),
    CHECK ((instalments_until IS NULL) = (instalments_kept IS NULL)),
    CHECK (status <> 'instalments' OR instalments_until IS NOT NULL)
) STRICT;

-- table fines: A fine of the Jurado on a member, under one of the headings F1 to F7 of the price list, to be paid within 15 days.
CREATE TABLE fines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    case_code TEXT NOT NULL UNIQUE,
    member_id INTEGER NOT NULL REFERENCES members (id),
    price_id INTEGER NOT NULL REFERENCES prices (id),
    fined_on TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    due_on TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paid')),
    paid_at TEXT,
    paid_by TEXT CHECK (paid_by IN ('card', 'transfer', 'cash')),
    CHECK (due_on > fined_on),
    CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
    CHECK ((paid_at IS NULL) = (paid_by IS NULL))
) STRICT;

-- table turn_suspensions: A suspension of a turn for a half levy not paid, with the Monday from which the turn is back, empty while the levy is unpaid.
CREATE TABLE turn_suspensions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    levy_half_id INTEGER NOT NULL REFERENCES levy_halves (id),
    suspended_from TEXT NOT NULL,
    back_from TEXT,
    UNIQUE (turn_id, levy_half_id),
    CHECK (back_from > suspended_from)
) STRICT;

-- table slips: A slip of a member for one draw: in the box, taken out by himself, removed because he took hours, refused at the bag, or drawn as name, as reserve or not at all.
CREATE TABLE slips (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    draw_id INTEGER NOT NULL REFERENCES draws (id),
    choice TEXT NOT NULL CHECK (choice IN ('T-04', 'T-23', 'either')),
    status TEXT NOT NULL CHECK (status IN ('in_box', 'taken_out', 'removed', 'refused_at_bag', 'drawn', 'reserve', 'not_drawn')),
    put_in_at TEXT NOT NULL,
    changed_at TEXT,
    closed_at TEXT,
    CHECK (changed_at >= put_in_at),
    CHECK (closed_at >= put_in_at),
    CHECK ((status = 'in_box') = (closed_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_slip_a_draw ON slips (member_id, draw_id) WHERE status NOT IN ('taken_out', 'removed');

-- table road_hours: The outcome of a draw for one of its two turns: number of slips, name drawn and reserve, who took the hours and paid, and what became of the water.
CREATE TABLE road_hours (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    draw_id INTEGER NOT NULL REFERENCES draws (id),
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    slip_count INTEGER NOT NULL CHECK (slip_count >= 0),
    drawn_member_id INTEGER REFERENCES members (id),
    reserve_member_id INTEGER REFERENCES members (id),
    taken_by_member_id INTEGER REFERENCES members (id),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('unpaid', 'paid', 'run', 'part_lost', 'lost', 'to_balsa')),
    paid_at TEXT,
    paid_by TEXT CHECK (paid_by IN ('card', 'transfer', 'cash')),
    returned_cents INTEGER CHECK (returned_cents BETWEEN 0 AND price_cents),
    returned_at TEXT,
    keeper_note TEXT,
    UNIQUE (draw_id, turn_id),
    CHECK ((slip_count = 0) = (drawn_member_id IS NULL)),
    CHECK (reserve_member_id IS NULL OR drawn_member_id IS NOT NULL),
    CHECK (reserve_member_id <> drawn_member_id),
    CHECK ((taken_by_member_id IS NULL) = (paid_at IS NULL)),
    CHECK ((paid_at IS NULL) = (paid_by IS NULL)),
    CHECK ((status IN ('unpaid', 'to_balsa')) = (paid_at IS NULL)),
    CHECK (taken_by_member_id IN (drawn_member_id, reserve_member_id)),
    CHECK ((returned_cents IS NULL) = (returned_at IS NULL)),
    CHECK (returned_at > paid_at)
) STRICT;

-- table well_bookings: A well booking: hours of the Pozo San Roque of a member for one of his plots, paid when booked, with what is kept of the price when it is cancelled.
CREATE TABLE well_bookings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,
    member_id INTEGER NOT NULL REFERENCES members (id),
    plot_id INTEGER NOT NULL REFERENCES plots (id),
    price_id INTEGER NOT NULL REFERENCES prices (id),
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    hours INTEGER NOT NULL CHECK (hours BETWEEN 2 AND 6),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('booked', 'used', 'cancelled')),
    booked_at TEXT NOT NULL,
    paid_by TEXT NOT NULL CHECK (paid_by IN ('card', 'transfer', 'cash')),
    cancelled_at TEXT,
    kept_cents INTEGER NOT NULL,
    CHECK (ends_at > starts_at),
    CHECK (substr(ends_at, 1, 10) = substr(starts_at, 1, 10)),
    CHECK (booked_at < starts_at),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (cancelled_at >= booked_at AND cancelled_at < starts_at),
    CHECK (kept_cents BETWEEN 0 AND price_cents),
    CHECK (status = 'cancelled' OR kept_cents = price_cents)
) STRICT;
