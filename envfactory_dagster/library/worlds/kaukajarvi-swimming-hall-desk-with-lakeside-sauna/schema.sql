-- table customers: A customer of the hall or of Rantasauna: a swimmer, a guardian, a child, or a person who acts for a club.
CREATE TABLE customers (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_number TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  birth_date TEXT NOT NULL,
  price_group TEXT NOT NULL CHECK (price_group IN ('adult', 'child', 'student', 'pensioner', 'unemployed', 'conscript')),
  guardian_id INTEGER REFERENCES customers (id),
  phone TEXT,
  email TEXT,
  CHECK (guardian_id IS NULL OR guardian_id <> id)
) STRICT;

-- table prices: A line of the price list on the wall: what one season card, 10-visit card, gift card, entry, lane hour, course, badge, sauna turn, locker rental or found item costs; price_cents is empty where the customer names the sum, and discount_price_cents where there is no discount.
CREATE TABLE prices (
id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('ticket', 'season_card', 'ten_visit_card', 'gift_card', 'card_fee', 'lane_hour', 'course', 'badge', 'sauna_turn', 'locker', 'found_item')),
  price_cents INTEGER CHECK (price_cents >= 0),
  discount_price_cents INTEGER CHECK (discount_price_cents >= 0),
  CHECK (discount_price_cents IS NULL OR (price_cents IS NOT NULL AND discount_price_cents <= price_cents))
) STRICT;

-- table opening_hours: The hours of one weekday (1 Monday to 7 Sunday) in which the hall lets in an entry or has a lane booking, and in which Rantasauna is open to the public or, on Wednesdays, to private sauna turns only.
CREATE TABLE opening_hours (
id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 7),
  weekday TEXT NOT NULL UNIQUE,
  hall_opens TEXT NOT NULL,
  hall_closes TEXT NOT NULL,
  rantasauna_opens TEXT NOT NULL,
  rantasauna_closes TEXT NOT NULL,
  rantasauna_private_only INTEGER NOT NULL CHECK (rantasauna_private_only IN (0, 1)),
  CHECK (hall_closes > hall_opens),
  CHECK (rantasauna_closes > rantasauna_opens)
) STRICT;

-- table clubs: A club, association or company that has lanes or lockers.
CREATE TABLE clubs (
id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tampere_based INTEGER NOT NULL CHECK (tampere_based IN (0, 1))
) STRICT;

-- table club_representatives: A club representative: the customer whom a club has named as contact or deputy for its season turns, or as the one named person for lane 4 on Tuesdays, for a period.
CREATE TABLE club_representatives (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  club_id INTEGER NOT NULL REFERENCES clubs (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  role TEXT NOT NULL CHECK (role IN ('contact', 'deputy', 'named_person')),
  valid_from TEXT NOT NULL,
  valid_to TEXT NOT NULL,
  UNIQUE (club_id, role, valid_from),
  CHECK (valid_to >= valid_from)
) STRICT;

-- table season_turns: A season turn of a club on one lane and weekday, or, with basis contract, the Tuesday lane 4 that rests on the contract of 1987 and is neither applied for nor charged.
CREATE TABLE season_turns (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  club_id INTEGER NOT NULL REFERENCES clubs (id),
  basis TEXT NOT NULL CHECK (basis IN ('season', 'contract')),
  lane INTEGER NOT NULL CHECK (lane BETWEEN 1 AND 6),
  opening_hours_id INTEGER NOT NULL REFERENCES opening_hours (id),
  starts_time TEXT NOT NULL,
  ends_time TEXT NOT NULL,
  price_id INTEGER NOT NULL REFERENCES prices (id),
  valid_from TEXT NOT NULL,
  valid_to TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'given_up')),
  UNIQUE (lane, opening_hours_id, starts_time, valid_from),
  CHECK (ends_time > starts_time),
  CHECK (valid_to >= valid_from)
) STRICT;

-- table lane_bookings: A lane booking on one date: a single date of a season turn or of the contract lane when season_turn_id is set, otherwise a loose turn of 60 minutes that a customer has booked for a club or, without a club, in their own name.
CREATE TABLE lane_bookings (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  season_turn_id INTEGER REFERENCES season_turns (id),
  club_id INTEGER REFERENCES clubs (id),
  booked_by_id INTEGER REFERENCES customers (id),
  lane INTEGER NOT NULL CHECK (lane BETWEEN 1 AND 6),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  price_id INTEGER NOT NULL REFERENCES prices (id),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'used', 'no_show', 'cancelled')),
  booked_at TEXT,
  cancelled_at TEXT,
  cancelled_by_id INTEGER REFERENCES customers (id),
  cancellation_fee_cents INTEGER CHECK (cancellation_fee_cents BETWEEN 0 AND price_cents),
  CHECK (ends_at > starts_at),
  CHECK (substr(starts_at, 1, 10) = substr(ends_at, 1, 10)),
  CHECK (season_turn_id IS NULL OR club_id IS NOT NULL),
  CHECK (season_turn_id IS NOT NULL OR (booked_by_id IS NOT NULL AND booked_at IS NOT NULL AND booked_at < starts_at)),
  CHECK (season_turn_id IS NOT NULL OR (substr(starts_at, 14) = ':00:00' AND strftime('%s', ends_at) - strftime('%s', starts_at) = 3600)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancelled_at IS NOT NULL OR (cancelled_by_id IS NULL AND cancellation_fee_cents IS NULL))
) STRICT;
CREATE UNIQUE INDEX lane_bookings_one_per_start ON lane_bookings (lane, starts_at) WHERE status <> 'cancelled';

-- table badges: A badge, which is also the level of that number: its name, what must be swum for it and its line in the price list.
CREATE TABLE badges (
id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 6),
  name TEXT NOT NULL UNIQUE,
  requirement TEXT NOT NULL,
  price_id INTEGER NOT NULL UNIQUE REFERENCES prices (id)
) STRICT;

-- table swimmer_badges: A badge that one customer has passed, by a slip of the teacher or at another hall; bought_at is empty while a slip, good for 12 months, has not been turned into the badge.
CREATE TABLE swimmer_badges (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  badge_id INTEGER NOT NULL REFERENCES badges (id),
  source TEXT NOT NULL CHECK (source IN ('slip', 'other_hall')),
  passed_on TEXT NOT NULL,
  bought_at TEXT,
  UNIQUE (customer_id, badge_id),
  CHECK (bought_at IS NULL OR bought_at >= passed_on),
  CHECK (source = 'slip' OR bought_at IS NULL)
) STRICT;

-- table test_swims: A test swim of a customer on a Thursday, which, when passed, stands in for the badge that a swimming course of that level asks for.
CREATE TABLE test_swims (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  badge_id INTEGER NOT NULL REFERENCES badges (id),
  swum_on TEXT NOT NULL CHECK (strftime('%w', swum_on) = '4'),
  outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed')),
  UNIQUE (customer_id, badge_id, swum_on)
) STRICT;

-- table swimming_courses: A swimming course of 10 lessons of 45 minutes in one level, always on the weekday and at the hour of its first lesson.
CREATE TABLE swimming_courses (
id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  badge_id INTEGER NOT NULL REFERENCES badges (id),
  teacher TEXT NOT NULL,
  first_lesson_at TEXT NOT NULL,
  last_lesson_at TEXT NOT NULL,
  places INTEGER NOT NULL CHECK (places = 10),
  price_id INTEGER NOT NULL REFERENCES prices (id),
  status TEXT NOT NULL CHECK (status IN ('planned', 'running', 'finished', 'cancelled')),
  CHECK (last_lesson_at > first_lesson_at)
) STRICT;

-- table course_enrolments: A course enrolment: the place, or the place in the queue, that a customer has in a swimming course.
CREATE TABLE course_enrolments (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  swimming_course_id INTEGER NOT NULL REFERENCES swimming_courses (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  enrolled_by_id INTEGER NOT NULL REFERENCES customers (id),
  status TEXT NOT NULL CHECK (status IN ('queued', 'enrolled', 'completed', 'cancelled')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  enrolled_at TEXT NOT NULL,
  group_changed_at TEXT,
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (group_changed_at IS NULL OR group_changed_at >= enrolled_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= enrolled_at)
) STRICT;
CREATE UNIQUE INDEX course_enrolments_one_place ON course_enrolments (swimming_course_id, customer_id) WHERE status <> 'cancelled';

-- table season_cards: A season card in its holder's name; valid_to is its last day with the summer extension and any pause already counted in.
CREATE TABLE season_cards (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  card_number TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  card_type TEXT NOT NULL CHECK (card_type IN ('4_months', '12_months', 'seniors_morning')),
  rantasauna_addon INTEGER NOT NULL CHECK (rantasauna_addon IN (0, 1)),
  sold_at TEXT NOT NULL,
  valid_from TEXT NOT NULL,
  valid_to TEXT NOT NULL,
  summer_extension_days INTEGER NOT NULL CHECK (summer_extension_days IN (0, 56)),
  status TEXT NOT NULL CHECK (status IN ('active', 'kept_at_desk', 'closed')),
  times_misused INTEGER NOT NULL CHECK (times_misused >= 0),
  misused_at TEXT,
  misuse_reason TEXT,
  closed_until TEXT,
  replaced_at TEXT,
  CHECK (valid_to >= valid_from),
  CHECK (valid_from >= substr(sold_at, 1, 10) OR card_type = 'seniors_morning'),
  CHECK ((card_type = '12_months') = (summer_extension_days = 56)),
  CHECK (rantasauna_addon = 0 OR card_type = '12_months'),
  CHECK ((times_misused = 0) = (misused_at IS NULL)),
  CHECK ((misused_at IS NULL) = (misuse_reason IS NULL)),
  CHECK (status = 'active' OR times_misused > 0),
  CHECK (status <> 'closed' OR closed_until IS NOT NULL),
  CHECK (closed_until IS NULL OR (misused_at IS NOT NULL AND closed_until >= substr(misused_at, 1, 10)))
) STRICT;

-- table card_pauses: A card pause: the one pause of a season card for illness or injury, on a doctor's certificate; both days are counted in.
CREATE TABLE card_pauses (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  season_card_id INTEGER NOT NULL UNIQUE REFERENCES season_cards (id),
  requested_by_id INTEGER NOT NULL REFERENCES customers (id),
  reason TEXT NOT NULL CHECK (reason IN ('illness', 'injury')),
  certificate_on TEXT NOT NULL,
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  CHECK (julianday(ends_on) - julianday(starts_on) + 1 >= 14),
  CHECK (ends_on <= date(starts_on, '+6 months')),
  CHECK (julianday(substr(requested_at, 1, 10)) - julianday(ends_on) <= 30)
) STRICT;

-- table ten_visit_cards: A 10-visit card, valid 24 months from the day of its sale; the visits used are its entries, one for each person let in.
CREATE TABLE ten_visit_cards (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  card_number TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  discount INTEGER NOT NULL CHECK (discount IN (0, 1)),
  sold_at TEXT NOT NULL,
  expires_on TEXT NOT NULL,
  CHECK (expires_on > substr(sold_at, 1, 10))
) STRICT;

-- table gift_cards: A gift card of 10 to 200 euros, valid 24 months from its sale; what is left on it is its value less what payments have taken from it.
CREATE TABLE gift_cards (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  buyer_id INTEGER NOT NULL REFERENCES customers (id),
  holder_id INTEGER NOT NULL REFERENCES customers (id),
  value_cents INTEGER NOT NULL CHECK (value_cents BETWEEN 1000 AND 20000),
  sold_at TEXT NOT NULL,
  expires_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('valid', 'refunded')),
  refunded_at TEXT,
  CHECK (expires_on > substr(sold_at, 1, 10)),
  CHECK ((status = 'refunded') = (refunded_at IS NOT NULL)),
  CHECK (refunded_at IS NULL OR refunded_at >= sold_at)
) STRICT;

-- table entries: An entry of one person to the hall, to Rantasauna or, with the one-day wristband, to both; on a season card used_by_holder says whether it was the holder who came.
CREATE TABLE entries (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER REFERENCES customers (id),
  place TEXT NOT NULL CHECK (place IN ('hall', 'rantasauna', 'hall_and_rantasauna')),
  basis TEXT NOT NULL CHECK (basis IN ('ticket', 'season_card', 'ten_visit_card')),
  season_card_id INTEGER REFERENCES season_cards (id),
  ten_visit_card_id INTEGER REFERENCES ten_visit_cards (id),
  used_by_holder INTEGER CHECK (used_by_holder IN (0, 1)),
  entered_at TEXT NOT NULL,
  CHECK ((basis = 'season_card') = (season_card_id IS NOT NULL)),
  CHECK ((basis = 'ten_visit_card') = (ten_visit_card_id IS NOT NULL)),
  CHECK ((season_card_id IS NULL) = (used_by_holder IS NULL)),
  CHECK (basis <> 'ten_visit_card' OR place = 'hall')
) STRICT;

-- table sauna_slots: A time on a weekday at which a private sauna turn of 90 minutes in the small or, on Wednesdays only, the big sauna can begin.
CREATE TABLE sauna_slots (
id INTEGER PRIMARY KEY,
  sauna TEXT NOT NULL CHECK (sauna IN ('small', 'big')),
  opening_hours_id INTEGER NOT NULL REFERENCES opening_hours (id),
  starts_time TEXT NOT NULL,
  ends_time TEXT NOT NULL,
  price_id INTEGER NOT NULL REFERENCES prices (id),
  UNIQUE (sauna, opening_hours_id, starts_time),
  CHECK (ends_time > starts_time),
  CHECK (sauna = 'small' OR opening_hours_id = 3)
) STRICT;

-- table sauna_turns: A private sauna turn that a customer has booked for one date; moved_at is set once its free move has been used.
CREATE TABLE sauna_turns (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  sauna_slot_id INTEGER NOT NULL REFERENCES sauna_slots (id),
  held_on TEXT NOT NULL,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'used', 'cancelled')),
  booked_at TEXT NOT NULL,
  moved_at TEXT,
  cancelled_at TEXT,
  cancellation_fee_cents INTEGER CHECK (cancellation_fee_cents BETWEEN 0 AND price_cents),
  CHECK (substr(booked_at, 1, 10) <= held_on),
  CHECK (moved_at IS NULL OR moved_at >= booked_at),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((cancelled_at IS NULL) = (cancellation_fee_cents IS NULL))
) STRICT;
CREATE UNIQUE INDEX sauna_turns_one_per_slot ON sauna_turns (sauna_slot_id, held_on) WHERE status <> 'cancelled';

-- table lockers: A locker for rent in corridor B; those with a club belong to that club and are not let.
CREATE TABLE lockers (
id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE CHECK (number BETWEEN 1 AND 40),
  club_id INTEGER REFERENCES clubs (id)
) STRICT;

-- table locker_rentals: A locker rental of a customer, for 6 months at a time, with the deposit for the key.
CREATE TABLE locker_rentals (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  locker_id INTEGER NOT NULL REFERENCES lockers (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  starts_on TEXT NOT NULL,
  expires_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'ended', 'emptied')),
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0),
  deposit_status TEXT NOT NULL CHECK (deposit_status IN ('held', 'returned', 'forfeited')),
  renewed_at TEXT,
  ended_at TEXT,
  CHECK (expires_on > starts_on),
  CHECK ((status = 'active') = (ended_at IS NULL)),
  CHECK (status <> 'active' OR deposit_status = 'held')
) STRICT;
CREATE UNIQUE INDEX locker_rentals_one_active ON locker_rentals (locker_id) WHERE status = 'active';

-- table found_items: A found item in the blue book of lost and found, with the fee for fetching it in the price list and the customers who own and fetch it, once known.
CREATE TABLE found_items (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  book_number TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL CHECK (category IN ('swim_gear', 'clothes_shoes_bags', 'valuables', 'wallet', 'id_or_bank_card')),
  description TEXT NOT NULL,
  place TEXT NOT NULL,
  found_on TEXT NOT NULL,
  keep_until TEXT NOT NULL,
  price_id INTEGER NOT NULL REFERENCES prices (id),
  status TEXT NOT NULL CHECK (status IN ('held', 'fetched', 'charity', 'binned', 'police')),
  owner_id INTEGER REFERENCES customers (id),
  fetched_by_id INTEGER REFERENCES customers (id),
  fetched_at TEXT,
  fee_cents INTEGER CHECK (fee_cents >= 0),
  CHECK (keep_until > found_on),
  CHECK ((status = 'fetched') = (fetched_at IS NOT NULL)),
  CHECK ((fetched_at IS NULL) = (fetched_by_id IS NULL)),
  CHECK ((fetched_at IS NULL) = (fee_cents IS NULL)),
  CHECK (fetched_at IS NULL OR (owner_id IS NOT NULL AND fetched_at >= found_on))
) STRICT;

-- table payments: A payment by a customer for exactly one thing, or a refund of an earlier payment; gift_card_id is the gift card paid with, sold_gift_card_id the one that was bought.
CREATE TABLE payments (
id INTEGER PRIMARY KEY AUTOINCREMENT,
  receipt_number TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  price_id INTEGER NOT NULL REFERENCES prices (id),
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),
  refunded_payment_id INTEGER REFERENCES payments (id),
  method TEXT NOT NULL CHECK (method IN ('bank_card', 'cash', 'epassi', 'smartum', 'edenred', 'gift_card')),
  gift_card_id INTEGER REFERENCES gift_cards (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_at TEXT NOT NULL,
  entry_id INTEGER REFERENCES entries (id),
  season_card_id INTEGER REFERENCES season_cards (id),
  ten_visit_card_id INTEGER REFERENCES ten_visit_cards (id),
  sold_gift_card_id INTEGER REFERENCES gift_cards (id),
  lane_booking_id INTEGER REFERENCES lane_bookings (id),
  course_enrolment_id INTEGER REFERENCES course_enrolments (id),
  swimmer_badge_id INTEGER REFERENCES swimmer_badges (id),
  sauna_turn_id INTEGER REFERENCES sauna_turns (id),
  locker_rental_id INTEGER REFERENCES locker_rentals (id),
  found_item_id INTEGER REFERENCES found_items (id),
  CHECK ((kind = 'refund') = (refunded_payment_id IS NOT NULL)),
  CHECK ((method = 'gift_card') = (gift_card_id IS NOT NULL)),
  CHECK (gift_card_id IS NULL OR (sold_gift_card_id IS NULL AND swimmer_badge_id IS NULL)),
  CHECK ((entry_id IS NOT NULL) + (season_card_id IS NOT NULL) + (ten_visit_card_id IS NOT NULL) + (sold_gift_card_id IS NOT NULL) + (lane_booking_id IS NOT NULL) + (course_enrolment_id IS NOT NULL) + (swimmer_badge_id IS NOT NULL) + (sauna_turn_id IS NOT NULL) + (locker_rental_id IS NOT NULL) + (found_item_id IS NOT NULL) = 1)
) STRICT;
