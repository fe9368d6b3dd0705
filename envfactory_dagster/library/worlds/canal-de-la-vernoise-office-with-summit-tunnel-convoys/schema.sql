-- table boaters: A boater: a person who has boats on the canal and turns to the office for them; row 1 is the user.
CREATE TABLE boaters (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL,
    commune TEXT NOT NULL,
    riverside_inhabitant INTEGER NOT NULL CHECK (riverside_inhabitant IN (0, 1)),
    registered_at TEXT NOT NULL
) STRICT;

-- table boats: A boat of a boater with its dimensions, its propulsion, its entry in the electric register and the mooring where it lies.
CREATE TABLE boats (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    registration_no TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    boater_id INTEGER NOT NULL REFERENCES boaters (id),
    boat_use TEXT NOT NULL CHECK (boat_use IN ('pleasure', 'hire', 'hotel', 'freight')),
    propulsion TEXT NOT NULL CHECK (propulsion IN ('diesel', 'petrol', 'electric', 'hybrid', 'none')),
    length_m REAL NOT NULL CHECK (length_m > 0 AND length_m <= 38.9),
    width_m REAL NOT NULL CHECK (width_m > 0 AND width_m <= 5.1),
    draught_m REAL NOT NULL CHECK (draught_m > 0 AND draught_m <= 1.6),
    air_draught_m REAL NOT NULL CHECK (air_draught_m > 0 AND air_draught_m <= 3.45),
    electric_register_day TEXT CHECK (electric_register_day IS NULL OR propulsion = 'electric'),
    wooden_hull INTEGER NOT NULL CHECK (wooden_hull IN (0, 1)),
    built_year INTEGER CHECK (built_year IS NULL OR built_year BETWEEN 1850 AND 2100),
    standing_priority INTEGER NOT NULL CHECK (standing_priority IN (0, 1)),
    mooring_id INTEGER REFERENCES moorings (id),
    arrived_at TEXT,
    engine_sealed_at TEXT CHECK (engine_sealed_at IS NULL OR (propulsion = 'hybrid' AND length_m <= 14.0)),
    registered_at TEXT NOT NULL,
    CHECK ((mooring_id IS NULL) = (arrived_at IS NULL))
) STRICT;

-- table licences: A licence of a boat for a class and a time, with the reduction and the price at which it was sold.
CREATE TABLE licences (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    licence_no TEXT NOT NULL UNIQUE,
    boat_id INTEGER NOT NULL REFERENCES boats (id),
    class_id INTEGER NOT NULL REFERENCES licence_classes (id),
    duration TEXT NOT NULL CHECK (duration IN ('year', '30 days', '7 days', '1 day')),
    valid_from TEXT NOT NULL,
    valid_to TEXT NOT NULL,
    reduction_id INTEGER REFERENCES licence_reductions (id),
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    bought_at TEXT NOT NULL,
    CHECK (valid_from <= valid_to),
    CHECK (reduction_id IS NULL OR duration = 'year')
) STRICT;

-- table convoys: A convoy through the tunnel on one day, at its place in the timetable, with the tug that works and what became of it.
CREATE TABLE convoys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slot_id INTEGER NOT NULL REFERENCES timetable (id),
    day TEXT NOT NULL,
    leaves_at TEXT NOT NULL,
    tug TEXT CHECK (tug IN ('Montcharme II', 'Marguerite')),
    special_day_id INTEGER REFERENCES special_days (id),
    status TEXT NOT NULL CHECK (status IN ('planned', 'left', 'cancelled')),
    left_at TEXT,
    clear_at TEXT,
    cancelled_at TEXT,
    UNIQUE (slot_id, day),
    CHECK (status <> 'left' OR left_at IS NOT NULL),
    CHECK (left_at IS NULL OR status = 'left'),
    CHECK (clear_at IS NULL OR (left_at IS NOT NULL AND clear_at > left_at)),
    CHECK ((cancelled_at IS NOT NULL) = (status = 'cancelled'))
) STRICT;

-- table passages: A passage of a boat in a convoy: booked or on the list, controlled, and then carried out, missed, refused, put off or cancelled, with what was paid for it and what is given back.
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    passage_no TEXT NOT NULL UNIQUE,
    boat_id INTEGER NOT NULL REFERENCES boats (id),
    convoy_id INTEGER NOT NULL REFERENCES convoys (id),
    status TEXT NOT NULL CHECK (status IN ('booked', 'listed', 'controlled', 'passed', 'missed', 'refused', 'put_off', 'cancelled')),
    booked_at TEXT NOT NULL,
    arrived_at TEXT,
    announced_at TEXT,
    battery_percent INTEGER CHECK (battery_percent IS NULL OR battery_percent BETWEEN 0 AND 100),
    read_at TEXT,
    tonnes INTEGER CHECK (tonnes IS NULL OR tonnes >= 0),
    put_off_from_passage_id INTEGER REFERENCES passages (id),
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    price_basis TEXT NOT NULL CHECK (price_basis IN ('full', 'half', 'letter_74_318', 'put_off', 'missed')),
    seal_cents INTEGER NOT NULL CHECK (seal_cents >= 0),
    credit_cents INTEGER NOT NULL CHECK (credit_cents >= 0),
    credit_from_passage_id INTEGER REFERENCES passages (id),
    deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0),
    deposit_status TEXT NOT NULL CHECK (deposit_status IN ('none', 'held', 'returned', 'kept')),
    refund_cents INTEGER NOT NULL CHECK (refund_cents >= 0),
    article_id INTEGER REFERENCES articles (id),
    ended_at TEXT,
    CHECK (status NOT IN ('listed', 'controlled', 'passed', 'put_off') OR arrived_at IS NOT NULL),
    CHECK ((battery_percent IS NULL) = (read_at IS NULL)),
    CHECK (status <> 'controlled' OR battery_percent IS NOT NULL),
    CHECK (status <> 'put_off' OR put_off_from_passage_id IS NULL),
    CHECK ((deposit_status = 'none') = (deposit_cents = 0)),
    CHECK (credit_cents <= price_cents + seal_cents),
    CHECK ((credit_cents > 0) = (credit_from_passage_id IS NOT NULL)),
    CHECK (refund_cents <= price_cents + seal_cents - credit_cents),
    CHECK (article_id IS NULL OR status IN ('refused', 'put_off')),
    CHECK ((status IN ('booked', 'listed', 'controlled')) = (ended_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_passage_in_a_convoy ON passages (boat_id, convoy_id) WHERE status IN ('booked', 'listed', 'controlled', 'passed');
CREATE UNIQUE INDEX one_place_for_a_boat_put_off ON passages (put_off_from_passage_id) WHERE status <> 'cancelled';
CREATE UNIQUE INDEX one_credit_from_a_passage ON passages (credit_from_passage_id) WHERE status <> 'cancelled';
