-- table customers: A row is a customer of the firm: a household, a company or a property manager.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) > 0),
  kind TEXT NOT NULL CHECK (kind IN ('private', 'company', 'property_manager')),
  email TEXT NOT NULL UNIQUE,
  phone TEXT,
  street TEXT NOT NULL,
  town TEXT NOT NULL,
  vat_number TEXT UNIQUE
) STRICT;

-- table public_holidays: A row is an Austrian public holiday, which is no working day for the zones and may cost a surcharge.
CREATE TABLE public_holidays (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE CHECK (day GLOB '????-??-??'),
  name TEXT NOT NULL
) STRICT;

-- table crew_members: A row is a crew member, some of whom lead a crew and some of whom have done the piano course.
CREATE TABLE crew_members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  is_leader INTEGER NOT NULL CHECK (is_leader IN (0, 1)),
  has_piano_course INTEGER NOT NULL CHECK (has_piano_course IN (0, 1))
) STRICT;

-- table vehicles: A row is a vehicle of the firm with the volume it can load.
CREATE TABLE vehicles (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plate TEXT NOT NULL UNIQUE,
  capacity_m3 REAL NOT NULL CHECK (capacity_m3 > 0)
) STRICT;

-- table cancellation_terms: A row is one step of what cancelling a removal costs: the share of the price owed from so many days before the removal.
CREATE TABLE cancellation_terms (
  id INTEGER PRIMARY KEY,
  min_days_before INTEGER NOT NULL UNIQUE CHECK (min_days_before >= 0),
  percent_of_price INTEGER NOT NULL CHECK (percent_of_price BETWEEN 0 AND 100)
) STRICT;

-- table removals: A row is a removal with its day, price, deposit, insured value and the state it is in.
CREATE TABLE removals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  removal_day TEXT NOT NULL CHECK (removal_day GLOB '????-??-??'),
  volume_m3 REAL NOT NULL CHECK (volume_m3 > 0),
  price_cents INTEGER CHECK (price_cents > 0),
  is_fixed_price INTEGER NOT NULL CHECK (is_fixed_price IN (0, 1)),
  deposit_cents INTEGER CHECK (deposit_cents > 0 AND deposit_cents <= price_cents),
  deposit_paid_on TEXT CHECK (deposit_paid_on IS NULL OR deposit_cents IS NOT NULL),
  insured_value_cents INTEGER NOT NULL CHECK (insured_value_cents >= 0),
  premium_per_thousand_cents INTEGER NOT NULL CHECK (premium_per_thousand_cents > 0),
  insurer_approved_on TEXT,
  crew_leader_id INTEGER REFERENCES crew_members (id),
  vehicle_id INTEGER REFERENCES vehicles (id),
  status TEXT NOT NULL CHECK (status IN ('requested', 'offered', 'confirmed', 'carried_out', 'invoiced', 'cancelled')),
  date_changes INTEGER NOT NULL DEFAULT 0 CHECK (date_changes BETWEEN 0 AND 2),
  requested_at TEXT NOT NULL,
  confirmed_at TEXT CHECK (confirmed_at >= requested_at),
  cancelled_at TEXT CHECK (cancelled_at >= requested_at),
  cancellation_term_id INTEGER REFERENCES cancellation_terms (id),
  CHECK (status IN ('requested', 'cancelled') OR price_cents IS NOT NULL),
  CHECK (status NOT IN ('confirmed', 'carried_out', 'invoiced') OR confirmed_at IS NOT NULL),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancellation_term_id IS NULL OR status = 'cancelled')
) STRICT;
CREATE INDEX removals_by_day ON removals (removal_day);

-- table removal_addresses: A row is a removal address, where a removal starts or where it ends, with its floor and lift.
CREATE TABLE removal_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  removal_id INTEGER NOT NULL REFERENCES removals (id),
  stop TEXT NOT NULL CHECK (stop IN ('from', 'to')),
  street TEXT NOT NULL,
  town TEXT NOT NULL,
  floor INTEGER NOT NULL CHECK (floor BETWEEN 0 AND 30),
  has_lift INTEGER NOT NULL CHECK (has_lift IN (0, 1)),
  UNIQUE (removal_id, stop)
) STRICT;

-- table pianos: A row is a piano that is carried on a removal with the piano lift.
CREATE TABLE pianos (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  removal_id INTEGER NOT NULL REFERENCES removals (id),
  model TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('upright', 'baby_grand', 'grand', 'concert_grand', 'harpsichord')),
  surcharge_cents INTEGER NOT NULL CHECK (surcharge_cents >= 0)
) STRICT;

-- table no_stopping_zones: A row is a no-stopping zone put in for at the magistrate for one address of a removal and one day.
CREATE TABLE no_stopping_zones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  removal_address_id INTEGER NOT NULL REFERENCES removal_addresses (id),
  zone_day TEXT NOT NULL CHECK (zone_day GLOB '????-??-??'),
  signs INTEGER NOT NULL CHECK (signs BETWEEN 2 AND 6),
  applied_on TEXT NOT NULL,
  signs_up_on TEXT NOT NULL,
  application_fee_cents INTEGER NOT NULL CHECK (application_fee_cents >= 0),
  sign_rent_cents INTEGER NOT NULL CHECK (sign_rent_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('applied', 'approved', 'withdrawn')),
  withdrawn_at TEXT,
  CHECK (applied_on < zone_day),
  CHECK (signs_up_on <= zone_day),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL))
) STRICT;

-- table work_sheets: A row is the work sheet of a removal: the hours worked, the break, the waiting time and whether the customer signed.
CREATE TABLE work_sheets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  removal_id INTEGER NOT NULL UNIQUE REFERENCES removals (id),
  crew_leader_id INTEGER NOT NULL REFERENCES crew_members (id),
  men INTEGER NOT NULL CHECK (men BETWEEN 1 AND 10),
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL,
  break_minutes INTEGER NOT NULL CHECK (break_minutes >= 0),
  waiting_from TEXT,
  waiting_to TEXT,
  free_waiting_minutes INTEGER NOT NULL CHECK (free_waiting_minutes >= 0),
  is_signed INTEGER NOT NULL CHECK (is_signed IN (0, 1)),
  customer_note TEXT,
  CHECK (ended_at > started_at),
  CHECK ((waiting_from IS NULL) = (waiting_to IS NULL)),
  CHECK (waiting_from IS NULL OR (waiting_from >= started_at AND waiting_to > waiting_from AND waiting_to <= ended_at))
) STRICT;

-- table part_load_trips: A row is a part load trip to another city with its vehicle, its rate and its discount for small loads.
CREATE TABLE part_load_trips (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  destination TEXT NOT NULL,
  trip_day TEXT NOT NULL CHECK (trip_day GLOB '????-??-??'),
  vehicle_id INTEGER NOT NULL REFERENCES vehicles (id),
  bookable_m3 REAL NOT NULL CHECK (bookable_m3 > 0),
  price_per_m3_cents INTEGER NOT NULL CHECK (price_per_m3_cents > 0),
  discount_percent INTEGER NOT NULL CHECK (discount_percent BETWEEN 0 AND 50),
  discount_up_to_m3 REAL NOT NULL CHECK (discount_up_to_m3 > 0),
  floor_fee_cents INTEGER NOT NULL CHECK (floor_fee_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('open', 'closed', 'done'))
) STRICT;

-- table part_load_bookings: A row is a part load booking: a customer's place on a part load trip at the price agreed.
CREATE TABLE part_load_bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  part_load_trip_id INTEGER NOT NULL REFERENCES part_load_trips (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'cancelled', 'delivered')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT CHECK (cancelled_at >= booked_at),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;

-- table part_load_pickups: A row is one place where goods of a part load booking are fetched, with their volume, floor and whether the lift is large enough.
CREATE TABLE part_load_pickups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  part_load_booking_id INTEGER NOT NULL REFERENCES part_load_bookings (id),
  street TEXT NOT NULL,
  town TEXT NOT NULL,
  floor INTEGER NOT NULL CHECK (floor BETWEEN 0 AND 30),
  has_usable_lift INTEGER NOT NULL CHECK (has_usable_lift IN (0, 1)),
  volume_m3 REAL NOT NULL CHECK (volume_m3 > 0)
) STRICT;

-- table containers: A row is a storage container at the depot, known by its number.
CREATE TABLE containers (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE CHECK (number > 0),
  size_m3 REAL NOT NULL CHECK (size_m3 > 0),
  monthly_price_cents INTEGER NOT NULL CHECK (monthly_price_cents > 0)
) STRICT;

-- table storage_contracts: A row is a storage contract that lets a container to a customer by calendar months begun and may name a person who is authorised.
CREATE TABLE storage_contracts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  container_id INTEGER NOT NULL REFERENCES containers (id),
  authorised_customer_id INTEGER REFERENCES customers (id),
  volume_m3 REAL NOT NULL CHECK (volume_m3 > 0),
  starts_on TEXT NOT NULL CHECK (starts_on GLOB '????-??-??'),
  ends_on TEXT CHECK (ends_on >= starts_on),
  monthly_price_cents INTEGER NOT NULL CHECK (monthly_price_cents > 0),
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0),
  handling_fee_cents INTEGER NOT NULL CHECK (handling_fee_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('running', 'notice_given', 'cleared')),
  cleared_at TEXT,
  CHECK (authorised_customer_id IS NULL OR authorised_customer_id <> customer_id),
  CHECK (status = 'running' OR ends_on IS NOT NULL),
  CHECK ((status = 'cleared') = (cleared_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX one_contract_per_container ON storage_contracts (container_id) WHERE status <> 'cleared';

-- table container_visits: A row is a container visit, at which the holder or the authorised person fetches things out of a container or brings some.
CREATE TABLE container_visits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  storage_contract_id INTEGER NOT NULL REFERENCES storage_contracts (id),
  visitor_id INTEGER NOT NULL REFERENCES customers (id),
  visit_at TEXT NOT NULL CHECK (visit_at GLOB '????-??-??T??:??:??'),
  things TEXT NOT NULL,
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'done', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT CHECK (cancelled_at >= booked_at),
  CHECK (booked_at < visit_at),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;

-- table packing_materials: A row is a kind of packing material that can be bought, hired or both, with its prices, what comes back for it and the stock.
CREATE TABLE packing_materials (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  sale_price_cents INTEGER CHECK (sale_price_cents > 0),
  hire_per_week_cents INTEGER CHECK (hire_per_week_cents > 0),
  unused_refund_percent INTEGER NOT NULL CHECK (unused_refund_percent BETWEEN 0 AND 100),
  used_refund_percent INTEGER NOT NULL CHECK (used_refund_percent BETWEEN 0 AND 100),
  stock INTEGER NOT NULL CHECK (stock >= 0),
  CHECK (sale_price_cents IS NOT NULL OR hire_per_week_cents IS NOT NULL),
  CHECK (used_refund_percent <= unused_refund_percent)
) STRICT;

-- table material_orders: A row is a material order, with which a customer buys or hires packing material on one day.
CREATE TABLE material_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  ordered_on TEXT NOT NULL CHECK (ordered_on GLOB '????-??-??'),
  status TEXT NOT NULL CHECK (status IN ('ordered', 'handed_out', 'closed', 'cancelled'))
) STRICT;

-- table material_order_lines: A row is one item of a material order, bought or hired, at the price agreed per piece or per piece and week.
CREATE TABLE material_order_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  material_order_id INTEGER NOT NULL REFERENCES material_orders (id),
  packing_material_id INTEGER NOT NULL REFERENCES packing_materials (id),
  mode TEXT NOT NULL CHECK (mode IN ('bought', 'hired')),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_cents INTEGER NOT NULL CHECK (unit_price_cents > 0),
  UNIQUE (material_order_id, packing_material_id, mode)
) STRICT;

-- table material_returns: A row is a number of pieces of an order item brought back on one day, with the refund or the hire that follows from it.
CREATE TABLE material_returns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  material_order_line_id INTEGER NOT NULL REFERENCES material_order_lines (id),
  returned_on TEXT NOT NULL CHECK (returned_on GLOB '????-??-??'),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  condition TEXT NOT NULL CHECK (condition IN ('unused', 'used')),
  refund_cents INTEGER NOT NULL CHECK (refund_cents >= 0),
  hire_cents INTEGER NOT NULL CHECK (hire_cents >= 0)
) STRICT;

-- table invoices: A row is an invoice for a removal or for a storage contract.
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  removal_id INTEGER REFERENCES removals (id),
  storage_contract_id INTEGER REFERENCES storage_contracts (id),
  issued_on TEXT NOT NULL CHECK (issued_on GLOB '????-??-??'),
  paid_on TEXT CHECK (paid_on >= issued_on),
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
  CHECK ((removal_id IS NULL) <> (storage_contract_id IS NULL)),
  CHECK ((status = 'paid') = (paid_on IS NOT NULL))
) STRICT;

-- table invoice_lines: A row is one amount on an invoice; waiting and overtime name the time they charge, a holiday surcharge may name its public holiday.
CREATE TABLE invoice_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  kind TEXT NOT NULL CHECK (kind IN ('transport', 'piano', 'zone', 'floors', 'holiday', 'waiting', 'overtime', 'insurance', 'storage_month', 'handling')),
  description TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  charged_from TEXT,
  charged_to TEXT CHECK (charged_to > charged_from),
  public_holiday_id INTEGER REFERENCES public_holidays (id),
  CHECK ((charged_from IS NULL) = (charged_to IS NULL)),
  CHECK (kind NOT IN ('waiting', 'overtime') OR charged_from IS NOT NULL),
  CHECK (public_holiday_id IS NULL OR kind = 'holiday')
) STRICT;

-- table invoice_objections: A row is a customer's objection to one amount on an invoice.
CREATE TABLE invoice_objections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_line_id INTEGER NOT NULL UNIQUE REFERENCES invoice_lines (id),
  reason TEXT NOT NULL CHECK (length(reason) > 0),
  raised_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'rejected'))
) STRICT;

-- table damage_claims: A row is a damage claim that a customer has reported for a removal.
CREATE TABLE damage_claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  removal_id INTEGER NOT NULL REFERENCES removals (id),
  description TEXT NOT NULL CHECK (length(description) > 0),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  reported_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('reported', 'accepted', 'rejected', 'settled'))
) STRICT;
