-- table boat_owners: A row is a Boat owner whom the harbour serves; row 1 is the user.
CREATE TABLE boat_owners (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0)
) STRICT;

-- table boats: A row is a Boat of one boat owner, with its measures in centimetres and its weight.
CREATE TABLE boats (
  id INTEGER PRIMARY KEY,
  boat_owner_id INTEGER NOT NULL REFERENCES boat_owners (id),
  name TEXT NOT NULL CHECK (length(name) > 0),
  length_cm INTEGER NOT NULL CHECK (length_cm > 0),
  beam_cm INTEGER NOT NULL CHECK (beam_cm > 0),
  draught_cm INTEGER NOT NULL CHECK (draught_cm > 0),
  weight_kg INTEGER NOT NULL CHECK (weight_kg > 0),
  UNIQUE (boat_owner_id, name)
) STRICT;

-- table jetties: A row is a Jetty of the harbour, at which berths lie.
CREATE TABLE jetties (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table berths: A row is a Berth at a jetty, for leases in summer or for guests only, with its measures in centimetres, the price of a lease and the price of a guest night.
CREATE TABLE berths (
  id INTEGER PRIMARY KEY,
  jetty_id INTEGER NOT NULL REFERENCES jetties (id),
  code TEXT NOT NULL UNIQUE CHECK (length(code) > 0),
  kind TEXT NOT NULL CHECK (kind IN ('summer', 'guest')),
  length_cm INTEGER NOT NULL CHECK (length_cm > 0),
  width_cm INTEGER NOT NULL CHECK (width_cm > 0),
  depth_cm INTEGER NOT NULL CHECK (depth_cm > 0),
  season_price_cents INTEGER CHECK (season_price_cents > 0),
  night_price_cents INTEGER NOT NULL CHECK (night_price_cents > 0),
  CHECK ((kind = 'summer') = (season_price_cents IS NOT NULL))
) STRICT;

-- table berth_leases: A row is a Berth lease: a summer berth requested or held for one boat within the season from 1 May to 31 October, at the price when it was requested.
CREATE TABLE berth_leases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  boat_id INTEGER NOT NULL REFERENCES boats (id),
  berth_id INTEGER NOT NULL REFERENCES berths (id),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('requested', 'active', 'ended')),
  requested_at TEXT NOT NULL,
  ended_at TEXT,
  CHECK (last_day >= first_day),
  CHECK (substr(first_day, 1, 4) = substr(last_day, 1, 4)),
  CHECK (substr(first_day, 6) >= '05-01' AND substr(last_day, 6) <= '10-31'),
  CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
  CHECK (ended_at IS NULL OR ended_at >= requested_at)
) STRICT;
CREATE UNIQUE INDEX berth_leases_berth ON berth_leases (berth_id, first_day) WHERE status IN ('requested', 'active');

-- table absence_notices: A row is an Absence notice: the owner's boat is away from its leased berth from the first day to the last, the day of return, and the nights between may be let to guests.
CREATE TABLE absence_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  berth_lease_id INTEGER NOT NULL REFERENCES berth_leases (id),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('open', 'let', 'withdrawn')),
  reported_at TEXT NOT NULL,
  withdrawn_at TEXT,
  CHECK (last_day > first_day),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL)),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= reported_at)
) STRICT;

-- table guest_stays: A row is a Guest stay of a boat in a guest berth, or in a leased berth during an absence notice, from the day of arrival to the day of departure, at the price per night when it was booked.
CREATE TABLE guest_stays (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  boat_id INTEGER NOT NULL REFERENCES boats (id),
  berth_id INTEGER NOT NULL REFERENCES berths (id),
  absence_notice_id INTEGER REFERENCES absence_notices (id),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  night_price_cents INTEGER NOT NULL CHECK (night_price_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'completed', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK (last_day > first_day),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at)
) STRICT;

-- table owner_credits: A row is an Owner credit: half the guest nights of one guest stay, credited to the boat owner in whose leased berth the guests lay.
CREATE TABLE owner_credits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  boat_owner_id INTEGER NOT NULL REFERENCES boat_owners (id),
  guest_stay_id INTEGER NOT NULL UNIQUE REFERENCES guest_stays (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  credited_at TEXT NOT NULL
) STRICT;

-- table tide_windows: A row is a Tide window in which the crane can lift boats, with the depth of water under the crane.
CREATE TABLE tide_windows (
  id INTEGER PRIMARY KEY,
  starts_at TEXT NOT NULL UNIQUE,
  ends_at TEXT NOT NULL,
  water_depth_cm INTEGER NOT NULL CHECK (water_depth_cm > 0),
  CHECK (ends_at > starts_at)
) STRICT;

-- table crane_lifts: A row is a Crane lift of one boat into or out of the water in one tide window.
CREATE TABLE crane_lifts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  boat_id INTEGER NOT NULL REFERENCES boats (id),
  tide_window_id INTEGER NOT NULL REFERENCES tide_windows (id),
  direction TEXT NOT NULL CHECK (direction IN ('into_water', 'out_of_water')),
  status TEXT NOT NULL CHECK (status IN ('booked', 'done', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at)
) STRICT;
CREATE UNIQUE INDEX crane_lifts_boat ON crane_lifts (boat_id, tide_window_id) WHERE status IN ('booked', 'done');

-- table shed_bays: A row is a Shed bay of the winter storage shed, which takes one boat at a time, with its measures in centimetres and its price for a winter.
CREATE TABLE shed_bays (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (length(code) > 0),
  length_cm INTEGER NOT NULL CHECK (length_cm > 0),
  width_cm INTEGER NOT NULL CHECK (width_cm > 0),
  winter_price_cents INTEGER NOT NULL CHECK (winter_price_cents > 0)
) STRICT;

-- table shed_places: A row is a Shed place: a bay reserved for or occupied by one boat from the first to the last day, at the price when it was reserved.
CREATE TABLE shed_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  boat_id INTEGER NOT NULL REFERENCES boats (id),
  shed_bay_id INTEGER NOT NULL REFERENCES shed_bays (id),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('reserved', 'occupied', 'released')),
  reserved_at TEXT NOT NULL,
  released_at TEXT,
  CHECK (last_day >= first_day),
  CHECK ((status = 'released') = (released_at IS NOT NULL)),
  CHECK (released_at IS NULL OR released_at >= reserved_at)
) STRICT;
CREATE UNIQUE INDEX shed_places_occupied ON shed_places (shed_bay_id) WHERE status = 'occupied';

-- table invoices: A row is an Invoice to a boat owner for one berth lease, guest stay, crane lift or shed place, with the day it is due; what is left to pay follows from its payments.
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  boat_owner_id INTEGER NOT NULL REFERENCES boat_owners (id),
  invoice_number TEXT NOT NULL UNIQUE CHECK (length(invoice_number) > 0),
  berth_lease_id INTEGER REFERENCES berth_leases (id),
  guest_stay_id INTEGER REFERENCES guest_stays (id),
  crane_lift_id INTEGER REFERENCES crane_lifts (id),
  shed_place_id INTEGER REFERENCES shed_places (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  issued_on TEXT NOT NULL CHECK (issued_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  due_on TEXT NOT NULL CHECK (due_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK (due_on >= issued_on),
  CHECK ((berth_lease_id IS NOT NULL) + (guest_stay_id IS NOT NULL) + (crane_lift_id IS NOT NULL) + (shed_place_id IS NOT NULL) = 1)
) STRICT;

-- table payments: A row is a Payment of an invoice, in full or in part.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_at TEXT NOT NULL
) STRICT;
