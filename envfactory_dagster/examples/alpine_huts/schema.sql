CREATE TABLE regions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    valley_town TEXT NOT NULL
) STRICT;
CREATE TABLE weather_reports (
    id INTEGER PRIMARY KEY,
    region_id INTEGER NOT NULL REFERENCES regions (id),
    day TEXT NOT NULL CHECK (day GLOB '20[0-9][0-9]-[01][0-9]-[0-3][0-9]'),
    summary TEXT NOT NULL,
    temperature_c INTEGER NOT NULL,
    wind_kmh INTEGER NOT NULL CHECK (wind_kmh >= 0),
    new_snow_cm INTEGER NOT NULL CHECK (new_snow_cm >= 0),
    avalanche_level INTEGER CHECK (avalanche_level BETWEEN 1 AND 5),
    UNIQUE (region_id, day)
) STRICT;
CREATE TABLE huts (
    id INTEGER PRIMARY KEY,
    region_id INTEGER NOT NULL REFERENCES regions (id),
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('staffed', 'self_service', 'bivouac')),
    altitude_m INTEGER NOT NULL CHECK (altitude_m > 0),
    warden TEXT,
    phone TEXT,
    season_start TEXT NOT NULL,
    season_end TEXT NOT NULL,
    cancellation_hours INTEGER NOT NULL CHECK (cancellation_hours >= 0),
    CHECK (season_start < season_end),
    CHECK ((kind = 'bivouac') = (warden IS NULL))
) STRICT;
CREATE TABLE hut_amenities (
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    amenity TEXT NOT NULL CHECK (amenity IN ('shower', 'drying_room', 'wifi', 'dogs_allowed', 'card_payment', 'sauna', 'climbing_wall')),
    PRIMARY KEY (hut_id, amenity)
) STRICT;
CREATE TABLE closures (
    id INTEGER PRIMARY KEY,
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    starts_on TEXT NOT NULL,
    ends_on TEXT NOT NULL,
    reason TEXT NOT NULL,
    CHECK (starts_on <= ends_on)
) STRICT;
CREATE TABLE rooms (
    id INTEGER PRIMARY KEY,
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('dormitory', 'private')),
    bunks INTEGER NOT NULL CHECK (bunks > 0),
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    member_price_cents INTEGER NOT NULL CHECK (member_price_cents >= 0),
    members_first INTEGER NOT NULL CHECK (members_first IN (0, 1)),
    UNIQUE (hut_id, name),
    CHECK (member_price_cents <= price_cents)
) STRICT;
CREATE TABLE trails (
    id INTEGER PRIMARY KEY,
    from_hut_id INTEGER NOT NULL REFERENCES huts (id),
    to_hut_id INTEGER NOT NULL REFERENCES huts (id),
    name TEXT NOT NULL,
    hours REAL NOT NULL CHECK (hours > 0),
    ascent_m INTEGER NOT NULL CHECK (ascent_m >= 0),
    difficulty TEXT NOT NULL CHECK (difficulty IN ('easy', 'moderate', 'difficult')),
    CHECK (from_hut_id <> to_hut_id)
) STRICT;
CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    full_name TEXT NOT NULL,
    birth_date TEXT NOT NULL CHECK (birth_date GLOB '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
    email TEXT,
    phone TEXT,
    emergency_contact TEXT
) STRICT;
CREATE TABLE companions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES people (id),
    person_id INTEGER NOT NULL REFERENCES people (id),
    relation TEXT NOT NULL CHECK (relation IN ('partner', 'child', 'parent', 'sibling', 'relative', 'friend')),
    UNIQUE (member_id, person_id),
    CHECK (member_id <> person_id)
) STRICT;
CREATE TABLE membership_plans (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    min_age INTEGER NOT NULL CHECK (min_age >= 0),
    max_age INTEGER CHECK (max_age >= min_age),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    rescue_cover INTEGER NOT NULL CHECK (rescue_cover IN (0, 1))
) STRICT;
CREATE TABLE memberships (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person_id INTEGER NOT NULL REFERENCES people (id),
    plan_id INTEGER NOT NULL REFERENCES membership_plans (id),
    valid_from TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    UNIQUE (person_id, valid_from),
    CHECK (valid_from < valid_until)
) STRICT;
CREATE TABLE bookings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE CHECK (code GLOB 'BK-[0-9][0-9][0-9][0-9][0-9]'),
    room_id INTEGER NOT NULL REFERENCES rooms (id),
    booked_by INTEGER NOT NULL REFERENCES people (id),
    check_in TEXT NOT NULL CHECK (check_in GLOB '20[0-9][0-9]-[01][0-9]-[0-3][0-9]'),
    check_out TEXT NOT NULL CHECK (check_out GLOB '20[0-9][0-9]-[01][0-9]-[0-3][0-9]'),
    status TEXT NOT NULL CHECK (status IN ('hold', 'confirmed', 'checked_in', 'completed', 'cancelled')),
    created_at TEXT NOT NULL,
    hold_until TEXT,
    terms_accepted_at TEXT,
    cancelled_at TEXT,
    CHECK (check_in < check_out),
    CHECK ((status = 'hold') = (hold_until IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK (status IN ('hold', 'cancelled') OR terms_accepted_at IS NOT NULL)
) STRICT;
CREATE INDEX bookings_by_room ON bookings (room_id, check_in);
CREATE INDEX bookings_by_person ON bookings (booked_by, check_in);
CREATE TABLE booking_guests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    booking_id INTEGER NOT NULL REFERENCES bookings (id),
    person_id INTEGER NOT NULL REFERENCES people (id),
    price_per_night_cents INTEGER NOT NULL CHECK (price_per_night_cents >= 0),
    UNIQUE (booking_id, person_id)
) STRICT;
CREATE TABLE meals (
    id INTEGER PRIMARY KEY,
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    name TEXT NOT NULL,
    course TEXT NOT NULL CHECK (course IN ('breakfast', 'packed_lunch', 'dinner')),
    diet TEXT NOT NULL CHECK (diet IN ('omnivore', 'vegetarian', 'vegan')),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),
    UNIQUE (hut_id, name)
) STRICT;
CREATE TABLE meal_orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    booking_id INTEGER NOT NULL REFERENCES bookings (id),
    meal_id INTEGER NOT NULL REFERENCES meals (id),
    served_on TEXT NOT NULL,
    portions INTEGER NOT NULL CHECK (portions > 0),
    status TEXT NOT NULL CHECK (status IN ('ordered', 'cancelled'))
) STRICT;
CREATE INDEX meal_orders_by_booking ON meal_orders (booking_id);
CREATE TABLE guides (
    id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL
) STRICT;
CREATE TABLE guide_languages (
    guide_id INTEGER NOT NULL REFERENCES guides (id),
    language TEXT NOT NULL CHECK (language IN ('German', 'English', 'Italian', 'French')),
    PRIMARY KEY (guide_id, language)
) STRICT;
CREATE TABLE tours (
    id INTEGER PRIMARY KEY,
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    title TEXT NOT NULL UNIQUE,
    difficulty TEXT NOT NULL CHECK (difficulty IN ('easy', 'moderate', 'difficult')),
    hours REAL NOT NULL CHECK (hours > 0),
    min_age INTEGER NOT NULL CHECK (min_age >= 0),
    price_cents INTEGER NOT NULL CHECK (price_cents > 0)
) STRICT;
CREATE TABLE tour_dates (
    id INTEGER PRIMARY KEY,
    tour_id INTEGER NOT NULL REFERENCES tours (id),
    guide_id INTEGER NOT NULL REFERENCES guides (id),
    starts_at TEXT NOT NULL,
    places INTEGER NOT NULL CHECK (places > 0),
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'cancelled')),
    UNIQUE (guide_id, starts_at)
) STRICT;
CREATE TABLE tour_signups (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tour_date_id INTEGER NOT NULL REFERENCES tour_dates (id),
    person_id INTEGER NOT NULL REFERENCES people (id),
    signed_up_by INTEGER NOT NULL REFERENCES people (id),
    guardian_id INTEGER REFERENCES people (id),
    status TEXT NOT NULL CHECK (status IN ('signed_up', 'cancelled')),
    CHECK (guardian_id <> person_id)
) STRICT;
CREATE UNIQUE INDEX one_place_per_person ON tour_signups (tour_date_id, person_id) WHERE status = 'signed_up';
CREATE TABLE gear_models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('via_ferrata_set', 'helmet', 'crampons', 'ice_axe', 'snowshoes', 'avalanche_kit')),
    price_per_night_cents INTEGER NOT NULL CHECK (price_per_night_cents > 0),
    deposit_cents INTEGER NOT NULL CHECK (deposit_cents > 0)
) STRICT;
CREATE TABLE gear_stock (
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    gear_model_id INTEGER NOT NULL REFERENCES gear_models (id),
    quantity INTEGER NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (hut_id, gear_model_id)
) STRICT;
CREATE TABLE gear_rentals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE CHECK (code GLOB 'GR-[0-9][0-9][0-9][0-9][0-9]'),
    booking_id INTEGER NOT NULL REFERENCES bookings (id),
    gear_model_id INTEGER NOT NULL REFERENCES gear_models (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    status TEXT NOT NULL CHECK (status IN ('reserved', 'handed_out', 'returned', 'cancelled')),
    handed_out_at TEXT,
    returned_at TEXT,
    CHECK ((status IN ('handed_out', 'returned')) = (handed_out_at IS NOT NULL)),
    CHECK ((status = 'returned') = (returned_at IS NOT NULL))
) STRICT;
CREATE INDEX gear_rentals_by_booking ON gear_rentals (booking_id);
CREATE TABLE payment_methods (
    id INTEGER PRIMARY KEY,
    person_id INTEGER NOT NULL REFERENCES people (id),
    kind TEXT NOT NULL CHECK (kind IN ('credit_card', 'direct_debit')),
    label TEXT NOT NULL,
    valid_until TEXT,
    UNIQUE (person_id, label)
) STRICT;
CREATE TABLE payments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    code TEXT NOT NULL UNIQUE CHECK (code GLOB 'PAY-[0-9][0-9][0-9][0-9][0-9]'),
    person_id INTEGER NOT NULL REFERENCES people (id),
    payment_method_id INTEGER NOT NULL REFERENCES payment_methods (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed')),
    confirmed_at TEXT,
    CHECK ((status = 'confirmed') = (confirmed_at IS NOT NULL))
) STRICT;
CREATE TABLE charges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person_id INTEGER NOT NULL REFERENCES people (id),
    kind TEXT NOT NULL CHECK (kind IN ('lodging', 'meal', 'tour', 'gear', 'deposit', 'membership', 'postage')),
    description TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    due_on TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'pending', 'paid', 'void', 'refunded')),
    payment_id INTEGER REFERENCES payments (id),
    booking_id INTEGER REFERENCES bookings (id),
    meal_order_id INTEGER REFERENCES meal_orders (id),
    gear_rental_id INTEGER REFERENCES gear_rentals (id),
    tour_signup_id INTEGER REFERENCES tour_signups (id),
    CHECK ((status IN ('open', 'void')) = (payment_id IS NULL))
) STRICT;
CREATE INDEX charges_by_person ON charges (person_id, status);
CREATE INDEX charges_by_booking ON charges (booking_id);
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    charge_id INTEGER NOT NULL UNIQUE REFERENCES charges (id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('on_its_way', 'paid_out')),
    created_at TEXT NOT NULL
) STRICT;
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    booking_id INTEGER NOT NULL UNIQUE REFERENCES bookings (id),
    rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE TABLE lost_items (
    id INTEGER PRIMARY KEY,
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    category TEXT NOT NULL CHECK (category IN ('clothing', 'gear', 'electronics', 'other')),
    description TEXT NOT NULL,
    found_on TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('stored', 'claimed', 'handed_over'))
) STRICT;
CREATE TABLE lost_claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lost_item_id INTEGER NOT NULL UNIQUE REFERENCES lost_items (id),
    person_id INTEGER NOT NULL REFERENCES people (id),
    details TEXT NOT NULL,
    delivery TEXT NOT NULL CHECK (delivery IN ('pick_up', 'post')),
    created_at TEXT NOT NULL
) STRICT;
CREATE TABLE warden_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hut_id INTEGER NOT NULL REFERENCES huts (id),
    person_id INTEGER NOT NULL REFERENCES people (id),
    direction TEXT NOT NULL CHECK (direction IN ('to_warden', 'from_warden')),
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    sent_at TEXT NOT NULL
) STRICT;
