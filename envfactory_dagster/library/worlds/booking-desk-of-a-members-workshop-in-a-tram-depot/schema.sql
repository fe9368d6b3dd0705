-- table members: A member of the workshop, supervisors among them.
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  number TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

-- table halls: A hall of the depot.
CREATE TABLE halls (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name IN ('wood', 'metal', 'laser'))
) STRICT;

-- table induction_types: A kind of induction (Floor, Wood, CNC, Turning, Welding, Laser) with how long it stays valid and what it and its refresher cost.
CREATE TABLE induction_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  validity_months INTEGER NOT NULL CHECK (validity_months > 0),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  refresher_price_cents INTEGER NOT NULL CHECK (refresher_price_cents >= 0)
) STRICT;

-- table stations: A station: one machine, bench or place with its hour price, its day price if it can be had by the day, the induction it needs, whether it is a red machine, and whether it runs on dust days, spark days or any day.
CREATE TABLE stations (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  machine TEXT NOT NULL,
  hall_id INTEGER NOT NULL REFERENCES halls (id),
  induction_type_id INTEGER NOT NULL REFERENCES induction_types (id),
  hour_price_cents INTEGER NOT NULL CHECK (hour_price_cents > 0),
  day_price_cents INTEGER CHECK (day_price_cents > hour_price_cents),
  is_red INTEGER NOT NULL CHECK (is_red IN (0, 1)),
  allowed_days TEXT NOT NULL CHECK (allowed_days IN ('dust', 'spark', 'any'))
) STRICT;

-- table membership_types: A kind of membership with its monthly fee and monthly credit.
CREATE TABLE membership_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name IN ('Friend', 'Student', 'Evening', 'Full', 'Studio')),
  monthly_fee_cents INTEGER NOT NULL CHECK (monthly_fee_cents > 0),
  monthly_credit_cents INTEGER NOT NULL CHECK (monthly_credit_cents >= 0)
) STRICT;

-- table memberships: A membership as it stands today; its credit and its limits are shared by everyone on it.
CREATE TABLE memberships (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  number TEXT NOT NULL UNIQUE,
  membership_type_id INTEGER NOT NULL REFERENCES membership_types (id),
  started_on TEXT NOT NULL
) STRICT;

-- table membership_members: Puts a member on a membership: one member, or three on a Studio membership.
CREATE TABLE membership_members (
  membership_id INTEGER NOT NULL REFERENCES memberships (id),
  member_id INTEGER NOT NULL UNIQUE REFERENCES members (id),
  PRIMARY KEY (membership_id, member_id)
) STRICT;

-- table membership_changes: A change of a membership to another type: upwards at once with the fee difference paid that day, downwards (difference 0) from the first of the next month.
CREATE TABLE membership_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  membership_id INTEGER NOT NULL REFERENCES memberships (id),
  requested_by_member_id INTEGER NOT NULL REFERENCES members (id),
  from_membership_type_id INTEGER NOT NULL REFERENCES membership_types (id),
  to_membership_type_id INTEGER NOT NULL REFERENCES membership_types (id),
  status TEXT NOT NULL CHECK (status IN ('planned', 'done', 'withdrawn')),
  requested_at TEXT NOT NULL,
  effective_on TEXT NOT NULL,
  fee_difference_cents INTEGER NOT NULL CHECK (fee_difference_cents >= 0),
  CHECK (from_membership_type_id <> to_membership_type_id),
  CHECK (effective_on >= substr(requested_at, 1, 10))
) STRICT;

-- table inductions: An induction a member has passed, with the last day it is valid; a refresher or a new pass moves both dates on.
CREATE TABLE inductions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  induction_type_id INTEGER NOT NULL REFERENCES induction_types (id),
  passed_on TEXT NOT NULL,
  valid_until TEXT NOT NULL,
  UNIQUE (member_id, induction_type_id),
  CHECK (valid_until >= passed_on)
) STRICT;

-- table induction_sessions: An induction session that members can sign up for, either a full induction or a 30-minute refresher, with its number of places.
CREATE TABLE induction_sessions (
  id INTEGER PRIMARY KEY,
  induction_type_id INTEGER NOT NULL REFERENCES induction_types (id),
  supervisor_member_id INTEGER NOT NULL REFERENCES members (id),
  kind TEXT NOT NULL CHECK (kind IN ('full', 'refresher')),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  places INTEGER NOT NULL CHECK (places > 0),
  CHECK (ends_at > starts_at)
) STRICT;

-- table induction_places: A member's place in an induction session, at the price when it was booked; moving it changes the session.
CREATE TABLE induction_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  induction_session_id INTEGER NOT NULL REFERENCES induction_sessions (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  status TEXT NOT NULL CHECK (status IN ('booked', 'passed', 'not_passed', 'cancelled')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancelled_at >= booked_at)
) STRICT;
CREATE UNIQUE INDEX induction_places_once ON induction_places (induction_session_id, member_id) WHERE status <> 'cancelled';

-- table supervisor_shifts: A supervisor shift: the one member on duty in a hall from one moment to another.
CREATE TABLE supervisor_shifts (
  id INTEGER PRIMARY KEY,
  hall_id INTEGER NOT NULL REFERENCES halls (id),
  supervisor_member_id INTEGER NOT NULL REFERENCES members (id),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planned', 'worked', 'missed')),
  UNIQUE (hall_id, starts_at),
  CHECK (ends_at > starts_at)
) STRICT;

-- table closing_days: A closing day of the whole workshop besides the Mondays, such as a public holiday or a day of the summer closure, and the member at the desk who entered it.
CREATE TABLE closing_days (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL,
  entered_by_member_id INTEGER NOT NULL REFERENCES members (id)
) STRICT;

-- table day_swaps: A day that a hall supervisor has swapped into a dust day or a spark day for the stations, whatever its weekday.
CREATE TABLE day_swaps (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE,
  becomes TEXT NOT NULL CHECK (becomes IN ('dust', 'spark')),
  supervisor_member_id INTEGER NOT NULL REFERENCES members (id),
  announced_on TEXT NOT NULL,
  CHECK (announced_on < day)
) STRICT;

-- table bookings: A booking of a station by a member by the hour or for a day, at the price when it was booked; while it is provisional it hangs on a place in an induction session, and what its membership's credit did not pay is paid in money.
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  member_id INTEGER NOT NULL REFERENCES members (id),
  station_id INTEGER NOT NULL REFERENCES stations (id),
  kind TEXT NOT NULL CHECK (kind IN ('hour', 'day')),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('provisional', 'confirmed', 'used', 'cancelled', 'released', 'lapsed')),
  induction_place_id INTEGER REFERENCES induction_places (id),
  booked_at TEXT NOT NULL,
  delay_reported_at TEXT,
  swept_at TEXT,
  cancelled_at TEXT,
  cancel_reason TEXT CHECK (cancel_reason IN ('member', 'machine_down', 'supervisor_absent', 'watch_refused')),
  refund_cents INTEGER CHECK (refund_cents BETWEEN 0 AND price_cents),
  CHECK (ends_at > starts_at),
  CHECK (substr(ends_at, 1, 10) = substr(starts_at, 1, 10)),
  CHECK (booked_at < starts_at),
  CHECK (status <> 'provisional' OR induction_place_id IS NOT NULL),
  CHECK (swept_at IS NULL OR status = 'used'),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
  CHECK ((status IN ('cancelled', 'lapsed')) = (refund_cents IS NOT NULL)),
  CHECK (cancelled_at >= booked_at)
) STRICT;
CREATE INDEX bookings_by_station ON bookings (station_id, starts_at);

-- table station_blocks: A station block: a station is out for maintenance between two moments, or was reported unsafe by a member and stays out until the block is lifted.
CREATE TABLE station_blocks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  station_id INTEGER NOT NULL REFERENCES stations (id),
  kind TEXT NOT NULL CHECK (kind IN ('maintenance', 'unsafe')),
  reason TEXT NOT NULL,
  reported_by_member_id INTEGER REFERENCES members (id),
  starts_at TEXT NOT NULL,
  ends_at TEXT,
  status TEXT NOT NULL CHECK (status IN ('in_force', 'lifted')),
  lifted_at TEXT,
  CHECK ((kind = 'unsafe') = (reported_by_member_id IS NOT NULL)),
  CHECK ((kind = 'maintenance') = (ends_at IS NOT NULL)),
  CHECK (ends_at > starts_at),
  CHECK ((status = 'lifted') = (lifted_at IS NOT NULL)),
  CHECK (lifted_at >= starts_at)
) STRICT;
CREATE UNIQUE INDEX station_blocks_unsafe_once ON station_blocks (station_id) WHERE kind = 'unsafe' AND status = 'in_force';

-- table ember_watches: An ember watch of 45 minutes after the last dust booking of a day, assigned to the member who sits it until it is moved to somebody else, refused or signed (`ended_at` is that moment).
CREATE TABLE ember_watches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  status TEXT NOT NULL CHECK (status IN ('assigned', 'moved', 'refused', 'signed')),
  assigned_at TEXT NOT NULL,
  ended_at TEXT,
  CHECK ((status = 'assigned') = (ended_at IS NULL)),
  CHECK (ended_at >= assigned_at)
) STRICT;
CREATE UNIQUE INDEX ember_watches_one_holder ON ember_watches (booking_id) WHERE status IN ('assigned', 'signed');

-- table storage_places: A storage place: a box or rack place priced by the month, or a pallet place priced by the week.
CREATE TABLE storage_places (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('box', 'rack', 'pallet')),
  metres_from_door INTEGER NOT NULL CHECK (metres_from_door >= 0),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0)
) STRICT;

-- table storage_rentals: A storage rental: a member has a storage place at the price of a month (a week for a pallet place) and has paid up to and including a day.
CREATE TABLE storage_rentals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  storage_place_id INTEGER NOT NULL REFERENCES storage_places (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  status TEXT NOT NULL CHECK (status IN ('running', 'ended')),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  started_on TEXT NOT NULL,
  paid_until TEXT NOT NULL,
  ended_on TEXT,
  CHECK (paid_until >= started_on),
  CHECK ((status = 'ended') = (ended_on IS NOT NULL)),
  CHECK (ended_on >= started_on)
) STRICT;
CREATE UNIQUE INDEX storage_rentals_one_running ON storage_rentals (storage_place_id) WHERE status = 'running';

-- table credit_entries: A credit entry of a membership: credit that comes in, or (negative) that is used for a booking or a storage rental, each with the last day of the portion of credit it belongs to; the entries that share an expires_on add up to what is left of that portion.
CREATE TABLE credit_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  membership_id INTEGER NOT NULL REFERENCES memberships (id),
  kind TEXT NOT NULL CHECK (kind IN ('monthly', 'upgrade', 'use', 'refund')),
  amount_cents INTEGER NOT NULL,
  expires_on TEXT NOT NULL,
  booking_id INTEGER REFERENCES bookings (id),
  storage_rental_id INTEGER REFERENCES storage_rentals (id),
  entered_at TEXT NOT NULL,
  CHECK ((kind = 'use' AND amount_cents < 0) OR (kind <> 'use' AND amount_cents > 0)),
  CHECK (expires_on >= substr(entered_at, 1, 10)),
  CHECK ((booking_id IS NOT NULL) + (storage_rental_id IS NOT NULL) = (kind IN ('use', 'refund')))
) STRICT;
CREATE INDEX credit_entries_by_membership ON credit_entries (membership_id, expires_on);

-- table store_items: A store item with its price per sheet or metre.
CREATE TABLE store_items (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  unit TEXT NOT NULL CHECK (unit IN ('sheet', 'metre')),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0)
) STRICT;

-- table store_purchases: A store purchase: what a member stated to have taken from the store that day, at the price of that day, on the account of that month.
CREATE TABLE store_purchases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  store_item_id INTEGER NOT NULL REFERENCES store_items (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_cents INTEGER NOT NULL CHECK (unit_price_cents > 0),
  stated_at TEXT NOT NULL
) STRICT;

-- table guest_visits: A guest visit that a member announced, along with one of the member's bookings or, for a guest who only carries, without one.
CREATE TABLE guest_visits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  booking_id INTEGER REFERENCES bookings (id),
  guest_name TEXT NOT NULL,
  guest_age INTEGER NOT NULL CHECK (guest_age >= 16),
  carrying_only INTEGER NOT NULL CHECK (carrying_only IN (0, 1)),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('announced', 'visited', 'cancelled')),
  announced_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK (booking_id IS NOT NULL OR carrying_only = 1),
  CHECK (ends_at > starts_at),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancelled_at >= announced_at)
) STRICT;

-- table risk_forms: A risk form that a member accepted for one calendar year.
CREATE TABLE risk_forms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  year INTEGER NOT NULL CHECK (year >= 2000),
  accepted_at TEXT NOT NULL,
  UNIQUE (member_id, year),
  CHECK (CAST(substr(accepted_at, 1, 4) AS INTEGER) <= year)
) STRICT;
