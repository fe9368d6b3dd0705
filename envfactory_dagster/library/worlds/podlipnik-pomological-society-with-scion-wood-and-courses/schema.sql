-- table members: A member of the society with number, kind of membership (its dues on the price list), settlement and the day on which the dues of 2026 were paid; the points balance is the sum of the points entries.
CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT NOT NULL UNIQUE,
    full_name TEXT NOT NULL,
    dues_item_id INTEGER NOT NULL REFERENCES price_items (id),
    settlement_id INTEGER NOT NULL REFERENCES settlements (id),
    joined_year INTEGER NOT NULL CHECK (joined_year >= 1987),
    dues_paid_on TEXT
) STRICT;

-- table tree_reservations: A tree reservation: trees of one lot for one member, with the collection day and so the place, the price frozen, the deposit and, for a lot marked R, the parcel and the member's signature.
CREATE TABLE tree_reservations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,
    member_id INTEGER NOT NULL REFERENCES members (id),
    lot_id INTEGER NOT NULL REFERENCES lots (id),
    tree_collection_day_id INTEGER NOT NULL REFERENCES tree_collection_days (id),
    trees INTEGER NOT NULL CHECK (trees BETWEEN 1 AND 10),
    price_per_tree_cents INTEGER NOT NULL CHECK (price_per_tree_cents > 0),
    deposit_per_tree_cents INTEGER NOT NULL CHECK (deposit_per_tree_cents = 500),
    parcel_number TEXT,
    parcel_municipality TEXT CHECK (parcel_municipality IN ('Podlipnik', 'Trška Loka', 'Mahovnica')),
    is_signed INTEGER NOT NULL CHECK (is_signed IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('awaiting deposit', 'held', 'collected', 'lapsed', 'given up')),
    reserved_on TEXT NOT NULL,
    deposit_due_on TEXT NOT NULL,
    deposit_paid_on TEXT,
    place_changed_on TEXT,
    ended_on TEXT,
    CHECK (deposit_due_on > reserved_on),
    CHECK (deposit_paid_on IS NULL OR deposit_paid_on >= reserved_on),
    CHECK (ended_on IS NULL OR ended_on >= reserved_on),
    CHECK (place_changed_on IS NULL OR place_changed_on >= reserved_on),
    CHECK ((parcel_number IS NULL) = (parcel_municipality IS NULL)),
    CHECK ((status IN ('awaiting deposit', 'held')) = (ended_on IS NULL)),
    CHECK (status NOT IN ('held', 'collected') OR deposit_paid_on IS NOT NULL),
    CHECK (status NOT IN ('awaiting deposit', 'lapsed') OR deposit_paid_on IS NULL)
) STRICT;
CREATE INDEX tree_reservations_member ON tree_reservations (member_id, status);

-- table course_registrations: A course registration of a member for one participant in one course, with the fee as it applies, the knife lent and what came back when it was cancelled.
CREATE TABLE course_registrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE,
    member_id INTEGER NOT NULL REFERENCES members (id),
    course_id INTEGER NOT NULL REFERENCES courses (id),
    participant_name TEXT NOT NULL,
    fee_kind TEXT NOT NULL CHECK (fee_kind IN ('member', 'pupil or student', 'repeat of T1', 'free')),
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
    knife TEXT NOT NULL CHECK (knife IN ('none', 'right-handed', 'left-handed')),
    status TEXT NOT NULL CHECK (status IN ('awaiting payment', 'held', 'waiting list', 'attended', 'cancelled')),
    registered_on TEXT NOT NULL,
    paid_on TEXT,
    cancelled_on TEXT,
    refund_cents INTEGER CHECK (refund_cents >= 0 AND refund_cents <= fee_cents),
    CHECK (paid_on IS NULL OR paid_on >= registered_on),
    CHECK (cancelled_on IS NULL OR cancelled_on >= registered_on),
    CHECK ((status = 'cancelled') = (cancelled_on IS NOT NULL)),
    CHECK (refund_cents IS NULL OR status = 'cancelled'),
    CHECK (status NOT IN ('held', 'attended') OR paid_on IS NOT NULL),
    CHECK (status NOT IN ('awaiting payment', 'waiting list') OR paid_on IS NULL)
) STRICT;
CREATE INDEX course_registrations_course ON course_registrations (course_id, status);

-- table points_entries: An entry in the points of a member: carried over or earned by help adds, used (set against a tree reservation or a course registration, or against an earlier invoice where neither is named) or expired takes away.
CREATE TABLE points_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    kind TEXT NOT NULL CHECK (kind IN ('carried over', 'earned', 'used', 'expired')),
    points REAL NOT NULL CHECK (points > 0),
    entered_on TEXT NOT NULL,
    work_day_id INTEGER REFERENCES work_days (id),
    point_rate_id INTEGER REFERENCES point_rates (id),
    tree_reservation_id INTEGER REFERENCES tree_reservations (id),
    course_registration_id INTEGER REFERENCES course_registrations (id),
    CHECK ((kind = 'earned') = (point_rate_id IS NOT NULL)),
    CHECK (work_day_id IS NULL OR kind = 'earned'),
    CHECK (tree_reservation_id IS NULL OR course_registration_id IS NULL),
    CHECK (kind = 'used' OR (tree_reservation_id IS NULL AND course_registration_id IS NULL))
) STRICT;
CREATE INDEX points_entries_member ON points_entries (member_id, entered_on);

-- table course_term_courses: Which term of the programme holds for which course.
CREATE TABLE course_term_courses (
    course_term_id INTEGER NOT NULL REFERENCES course_terms (id),
    course_id INTEGER NOT NULL REFERENCES courses (id),
    PRIMARY KEY (course_term_id, course_id)
) STRICT;

-- table lot_terms: Which term or exception to the prices speaks of which lot.
CREATE TABLE lot_terms (
    term_id INTEGER NOT NULL REFERENCES terms (id),
    lot_id INTEGER NOT NULL REFERENCES lots (id),
    PRIMARY KEY (term_id, lot_id)
) STRICT;

-- table answer_varieties: Which variety is spoken of in which answer of the secretary.
CREATE TABLE answer_varieties (
    answer_id INTEGER NOT NULL REFERENCES answers (id),
    variety_id INTEGER NOT NULL REFERENCES varieties (id),
    PRIMARY KEY (answer_id, variety_id)
) STRICT;

-- table deadline_days: Which collection day of the trees belongs to which line of the dates at a glance.
CREATE TABLE deadline_days (
    deadline_id INTEGER NOT NULL REFERENCES deadlines (id),
    tree_collection_day_id INTEGER NOT NULL REFERENCES tree_collection_days (id),
    PRIMARY KEY (deadline_id, tree_collection_day_id)
) STRICT;
