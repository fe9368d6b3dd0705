-- table households: A household that deals with the booking desk, with its standing.
CREATE TABLE households (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  standing TEXT NOT NULL CHECK (standing IN ('resident', 'summer_resident', 'ordinary')),
  reduced_mobility INTEGER NOT NULL CHECK (reduced_mobility IN (0, 1))
) STRICT;

-- table islands: An island the ferry serves, with its season and whether it takes cars: on any departure, only on the 9:00, or never.
CREATE TABLE islands (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  opens_on TEXT NOT NULL,
  closes_on TEXT NOT NULL,
  car_access TEXT NOT NULL CHECK (car_access IN ('any', 'nine_only', 'never')),
  CHECK (closes_on > opens_on)
) STRICT;

-- table tariffs: A price list of the season, ordinary or resident, at which stays, crossings, sauna turns and mooring bookings are sold.
CREATE TABLE tariffs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name IN ('ordinary', 'resident')),
  cabin_high_cents INTEGER NOT NULL CHECK (cabin_high_cents > 0),
  cabin_other_cents INTEGER NOT NULL CHECK (cabin_other_cents > 0),
  sauna_turn_cents INTEGER NOT NULL CHECK (sauna_turn_cents > 0),
  mooring_small_cents INTEGER NOT NULL CHECK (mooring_small_cents > 0),
  mooring_large_cents INTEGER NOT NULL CHECK (mooring_large_cents > 0),
  adult_cents INTEGER NOT NULL CHECK (adult_cents > 0),
  child_cents INTEGER NOT NULL CHECK (child_cents > 0),
  car_cents INTEGER NOT NULL CHECK (car_cents > 0),
  further_metre_cents INTEGER NOT NULL CHECK (further_metre_cents > 0),
  dog_cents INTEGER NOT NULL CHECK (dog_cents > 0)
) STRICT;

-- table cabins: A cabin on one of the islands, with the beds it has and whether it takes dogs or has the ramp.
CREATE TABLE cabins (
  id INTEGER PRIMARY KEY,
  island_id INTEGER NOT NULL REFERENCES islands (id),
  name TEXT NOT NULL UNIQUE,
  beds INTEGER NOT NULL CHECK (beds > 0),
  takes_dogs INTEGER NOT NULL CHECK (takes_dogs IN (0, 1)),
  has_ramp INTEGER NOT NULL CHECK (has_ramp IN (0, 1))
) STRICT;

-- table saunas: A sauna on one of the islands, in which sauna turns of two hours are let.
CREATE TABLE saunas (
  id INTEGER PRIMARY KEY,
  island_id INTEGER NOT NULL REFERENCES islands (id),
  name TEXT NOT NULL UNIQUE
) STRICT;

-- table moorings: A guest mooring on one of the islands and the longest boat it takes.
CREATE TABLE moorings (
  id INTEGER PRIMARY KEY,
  island_id INTEGER NOT NULL REFERENCES islands (id),
  number INTEGER NOT NULL CHECK (number > 0),
  max_length_m REAL NOT NULL CHECK (max_length_m > 0),
  UNIQUE (island_id, number)
) STRICT;

-- table departures: A departure of the ferry in one direction, out to the islands or back to the mainland, with its capacity and what the skipper has entered about it.
CREATE TABLE departures (
  id INTEGER PRIMARY KEY,
  leaves_at TEXT NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('out', 'back')),
  places INTEGER NOT NULL CHECK (places >= 0),
  deck_m REAL NOT NULL CHECK (deck_m >= 0),
  held_m REAL NOT NULL CHECK (held_m >= 0),
  shop_bottles INTEGER NOT NULL CHECK (shop_bottles >= 0),
  status TEXT NOT NULL CHECK (status IN ('scheduled', 'sailed', 'stayed', 'turned_back')),
  entered_at TEXT,
  UNIQUE (leaves_at, direction),
  CHECK (held_m <= deck_m),
  CHECK ((status = 'scheduled') = (entered_at IS NULL))
) STRICT;

-- table skipper_notes: A skipper's note on a departure.
CREATE TABLE skipper_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  departure_id INTEGER NOT NULL REFERENCES departures (id),
  body TEXT NOT NULL,
  written_at TEXT NOT NULL
) STRICT;

-- table closures: A closure: the nights on which a cabin cannot be let because of repair, up to but without the day it reopens.
CREATE TABLE closures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  cabin_id INTEGER NOT NULL REFERENCES cabins (id),
  closes_on TEXT NOT NULL,
  reopens_on TEXT NOT NULL,
  reason TEXT NOT NULL,
  CHECK (reopens_on > closes_on)
) STRICT;

-- table stays: A stay of a household in a cabin; nights dropped when a stay is shortened become a cancelled stay of their own that names the one they were split from.
CREATE TABLE stays (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  household_id INTEGER NOT NULL REFERENCES households (id),
  cabin_id INTEGER NOT NULL REFERENCES cabins (id),
  tariff_id INTEGER NOT NULL REFERENCES tariffs (id),
  split_from_stay_id INTEGER REFERENCES stays (id),
  arrives_on TEXT NOT NULL,
  leaves_on TEXT NOT NULL,
  adults INTEGER NOT NULL CHECK (adults > 0),
  children INTEGER NOT NULL CHECK (children >= 0),
  infants INTEGER NOT NULL CHECK (infants >= 0),
  own_boat INTEGER NOT NULL CHECK (own_boat IN (0, 1)),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('held', 'deposit_paid', 'paid', 'arrived', 'left', 'lapsed', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  cancelled_by TEXT CHECK (cancelled_by IN ('household', 'desk')),
  resold INTEGER NOT NULL CHECK (resold IN (0, 1)),
  CHECK (leaves_on > arrives_on),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((cancelled_by IS NULL) = (cancelled_at IS NULL)),
  CHECK (resold = 0 OR status = 'cancelled')
) STRICT;
CREATE INDEX stays_by_cabin ON stays (cabin_id, arrives_on);

-- table vehicles: A vehicle of a household that travels on the deck, with its plate and length.
CREATE TABLE vehicles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  plate TEXT NOT NULL UNIQUE,
  length_m REAL NOT NULL CHECK (length_m > 0)
) STRICT;

-- table crossings: A crossing: the places a household has reserved on a departure to or from an island, with its vehicle if one travels along.
CREATE TABLE crossings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  household_id INTEGER NOT NULL REFERENCES households (id),
  departure_id INTEGER NOT NULL REFERENCES departures (id),
  island_id INTEGER NOT NULL REFERENCES islands (id),
  stay_id INTEGER REFERENCES stays (id),
  vehicle_id INTEGER REFERENCES vehicles (id),
  tariff_id INTEGER NOT NULL REFERENCES tariffs (id),
  adults INTEGER NOT NULL CHECK (adults >= 0),
  children INTEGER NOT NULL CHECK (children >= 0),
  infants INTEGER NOT NULL CHECK (infants >= 0),
  dogs INTEGER NOT NULL CHECK (dogs >= 0),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK (adults + children + infants > 0),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE INDEX crossings_by_departure ON crossings (departure_id);

-- table dogs: A dog reported for a stay; an assistance dog pays nothing and sleeps in any cabin.
CREATE TABLE dogs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  stay_id INTEGER NOT NULL REFERENCES stays (id),
  name TEXT NOT NULL,
  is_assistance INTEGER NOT NULL CHECK (is_assistance IN (0, 1)),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('reported', 'dropped')),
  dropped_at TEXT,
  CHECK (is_assistance = 0 OR price_cents = 0),
  CHECK ((status = 'dropped') = (dropped_at IS NOT NULL))
) STRICT;

-- table dangerous_items: A dangerous item reported for a crossing: a number of gas bottles of one weight, or litres of petrol outside a vehicle's tank.
CREATE TABLE dangerous_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  crossing_id INTEGER NOT NULL REFERENCES crossings (id),
  kind TEXT NOT NULL CHECK (kind IN ('gas_bottle', 'petrol')),
  bottles INTEGER CHECK (bottles > 0),
  kg_each REAL CHECK (kg_each > 0),
  litres REAL CHECK (litres > 0),
  status TEXT NOT NULL CHECK (status IN ('reported', 'withdrawn')),
  reported_at TEXT NOT NULL,
  CHECK ((kind = 'gas_bottle') = (bottles IS NOT NULL)),
  CHECK ((kind = 'gas_bottle') = (kg_each IS NOT NULL)),
  CHECK ((kind = 'petrol') = (litres IS NOT NULL))
) STRICT;

-- table sauna_turns: A sauna turn: two hours of a sauna booked by a household, alone or with a stay.
CREATE TABLE sauna_turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  sauna_id INTEGER NOT NULL REFERENCES saunas (id),
  stay_id INTEGER REFERENCES stays (id),
  tariff_id INTEGER NOT NULL REFERENCES tariffs (id),
  starts_at TEXT NOT NULL CHECK (substr(starts_at, 12) IN ('14:00:00', '16:00:00', '18:00:00', '20:00:00')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
  booked_at TEXT NOT NULL,
  moved_at TEXT,
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX sauna_turns_once ON sauna_turns (sauna_id, starts_at) WHERE status = 'booked';

-- table mooring_bookings: A mooring booking: the nights for which a household has a mooring for its boat.
CREATE TABLE mooring_bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  household_id INTEGER NOT NULL REFERENCES households (id),
  mooring_id INTEGER NOT NULL REFERENCES moorings (id),
  tariff_id INTEGER NOT NULL REFERENCES tariffs (id),
  boat_name TEXT NOT NULL,
  boat_length_m REAL NOT NULL CHECK (boat_length_m > 0),
  arrives_on TEXT NOT NULL,
  leaves_on TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK (leaves_on > arrives_on),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;

-- table payments: A payment between a household and the desk, deposit, balance, extra or refund, for a stay with all that is billed with it, or for a crossing, sauna turn or mooring booking sold alone.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  stay_id INTEGER REFERENCES stays (id),
  crossing_id INTEGER REFERENCES crossings (id),
  sauna_turn_id INTEGER REFERENCES sauna_turns (id),
  mooring_booking_id INTEGER REFERENCES mooring_bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('deposit', 'balance', 'extra', 'refund')),
  method TEXT NOT NULL CHECK (method IN ('card', 'invoice')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_at TEXT NOT NULL,
  CHECK ((stay_id IS NOT NULL) + (crossing_id IS NOT NULL) + (sauna_turn_id IS NOT NULL) + (mooring_booking_id IS NOT NULL) = 1)
) STRICT;

-- table claims: A claim of a household after a departure stayed or turned back, for the fare of its crossing or for the nights it lost; above 250 euros it is passed to the harbour secretary.
CREATE TABLE claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  household_id INTEGER NOT NULL REFERENCES households (id),
  crossing_id INTEGER NOT NULL REFERENCES crossings (id),
  kind TEXT NOT NULL CHECK (kind IN ('fare', 'nights')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('settled', 'passed_on', 'refused')),
  filed_at TEXT NOT NULL,
  settled_at TEXT,
  UNIQUE (crossing_id, kind),
  CHECK ((status = 'settled') = (settled_at IS NOT NULL)),
  CHECK (settled_at >= filed_at)
) STRICT;

-- table vouchers: A voucher for one person's meal, given to a household with a claim after a departure turned back.
CREATE TABLE vouchers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  household_id INTEGER NOT NULL REFERENCES households (id),
  claim_id INTEGER NOT NULL REFERENCES claims (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('open', 'used')),
  issued_at TEXT NOT NULL,
  used_at TEXT,
  CHECK ((status = 'used') = (used_at IS NOT NULL)),
  CHECK (used_at >= issued_at)
) STRICT;

-- table damage_reports: A damage report of a household about the cabin of one of its stays.
CREATE TABLE damage_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  stay_id INTEGER NOT NULL REFERENCES stays (id),
  happened_on TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'repaired')),
  reported_at TEXT NOT NULL
) STRICT;

-- table waiting_list_entries: A waiting list entry of a household for the nights of a cabin that is taken.
CREATE TABLE waiting_list_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  cabin_id INTEGER NOT NULL REFERENCES cabins (id),
  arrives_on TEXT NOT NULL,
  leaves_on TEXT NOT NULL,
  adults INTEGER NOT NULL CHECK (adults > 0),
  children INTEGER NOT NULL CHECK (children >= 0),
  infants INTEGER NOT NULL CHECK (infants >= 0),
  dogs INTEGER NOT NULL CHECK (dogs >= 0),
  status TEXT NOT NULL CHECK (status IN ('waiting', 'placed', 'withdrawn')),
  joined_at TEXT NOT NULL,
  CHECK (leaves_on > arrives_on)
) STRICT;
CREATE UNIQUE INDEX waiting_once ON waiting_list_entries (household_id, cabin_id, arrives_on) WHERE status = 'waiting';
