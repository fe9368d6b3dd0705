-- table members: A row is one Member of the honey house, who may also be a mentor; row 1 is the user.
CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_no TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  village TEXT NOT NULL,
  phone TEXT NOT NULL,
  is_mentor INTEGER NOT NULL CHECK (is_mentor IN (0, 1)),
  first_season INTEGER NOT NULL CHECK (first_season IN (0, 1)),
  hygiene_certified_on TEXT,
  treatment_journal_year INTEGER CHECK (treatment_journal_year BETWEEN 2000 AND 2100),
  joined_on TEXT NOT NULL,
  CHECK (NOT (is_mentor = 1 AND first_season = 1))
) STRICT;

-- table apiaries: A row is one Apiary of a member as it stands in the state register.
CREATE TABLE apiaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  register_no TEXT NOT NULL UNIQUE,
  place TEXT NOT NULL,
  lat REAL NOT NULL CHECK (lat BETWEEN 45.0 AND 47.0),
  lon REAL NOT NULL CHECK (lon BETWEEN 13.0 AND 17.0),
  migratory INTEGER NOT NULL CHECK (migratory IN (0, 1))
) STRICT;

-- table hive_counts: A row is one official Hive count of an apiary, of 15 April or 31 October.
CREATE TABLE hive_counts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  apiary_id INTEGER NOT NULL REFERENCES apiaries (id),
  counted_on TEXT NOT NULL CHECK (counted_on LIKE '____-04-15' OR counted_on LIKE '____-10-31'),
  hives INTEGER NOT NULL CHECK (hives >= 0),
  UNIQUE (apiary_id, counted_on)
) STRICT;

-- table half_days: A row is one Half-day of the extraction room in the calendar, with the noons at which booking closes and the refunds end; it is free when open and without a live booking.
CREATE TABLE half_days (
  id INTEGER PRIMARY KEY,
  held_on TEXT NOT NULL,
  half TEXT NOT NULL CHECK (half IN ('AM', 'PM')),
  status TEXT NOT NULL CHECK (status IN ('open', 'lye_wash', 'closed')),
  full_refund_until TEXT NOT NULL,
  closes_at TEXT NOT NULL,
  half_refund_until TEXT NOT NULL,
  holiday TEXT,
  UNIQUE (held_on, half),
  CHECK (full_refund_until < closes_at AND closes_at < half_refund_until AND half_refund_until < held_on)
) STRICT;

-- table bookings: A row is one Booking of a half-day by a member, from the mentor's answer to extraction, lapse or cancellation.
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  booking_no TEXT NOT NULL UNIQUE,
  member_id INTEGER NOT NULL REFERENCES members (id),
  half_day_id INTEGER NOT NULL REFERENCES half_days (id),
  mentor_id INTEGER REFERENCES members (id),
  honey_type TEXT NOT NULL CHECK (honey_type IN ('acacia', 'linden', 'chestnut', 'forest', 'spruce', 'blossom')),
  hive_type TEXT NOT NULL CHECK (hive_type IN ('AZ', 'LR', 'LR_TWO_THIRDS', 'DB_HALF')),
  super_count INTEGER NOT NULL CHECK (super_count BETWEEN 1 AND 40),
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 1400),
  status TEXT NOT NULL CHECK (status IN ('awaiting_mentor', 'confirmed', 'lapsed', 'cancelled', 'extracted')),
  booked_at TEXT NOT NULL,
  mentor_answer TEXT CHECK (mentor_answer IN ('accept', 'decline')),
  answered_at TEXT,
  lapsed_at TEXT,
  cancelled_at TEXT,
  cancel_reason TEXT CHECK (cancel_reason IN ('member', 'lapsed_mentor', 'house_fault', 'zone')),
  refund_cents INTEGER CHECK (refund_cents >= 0),
  CHECK (mentor_id IS NULL OR mentor_id <> member_id),
  CHECK (status <> 'awaiting_mentor' OR (mentor_id IS NOT NULL AND mentor_answer IS NULL)),
  CHECK ((mentor_answer IS NULL) = (answered_at IS NULL)),
  CHECK ((status = 'lapsed') = (lapsed_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
  CHECK ((status IN ('lapsed', 'cancelled')) = (refund_cents IS NOT NULL)),
  CHECK (refund_cents IS NULL OR refund_cents <= fee_cents),
  CHECK (answered_at IS NULL OR answered_at >= booked_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at)
) STRICT;
CREATE UNIQUE INDEX bookings_live_half_day ON bookings (half_day_id) WHERE status IN ('awaiting_mentor', 'confirmed', 'extracted');

-- table lots: A row is one Lot of honey that a member's extraction session gave.
CREATE TABLE lots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lot_code TEXT NOT NULL UNIQUE,
  member_id INTEGER NOT NULL REFERENCES members (id),
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  honey_type TEXT NOT NULL CHECK (honey_type IN ('acacia', 'linden', 'chestnut', 'forest', 'spruce', 'blossom')),
  net_kg REAL NOT NULL CHECK (net_kg > 0),
  extracted_on TEXT NOT NULL,
  untreated_declared INTEGER NOT NULL CHECK (untreated_declared IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('open', 'measured', 'poured', 'refused', 'frozen'))
) STRICT;

-- table moisture_readings: A row is one Moisture reading of a lot with a refractometer, the first or the second.
CREATE TABLE moisture_readings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lot_id INTEGER NOT NULL REFERENCES lots (id),
  reading_no INTEGER NOT NULL CHECK (reading_no IN (1, 2)),
  percent REAL NOT NULL CHECK (percent BETWEEN 10.0 AND 30.0),
  honey_temp_c REAL NOT NULL CHECK (honey_temp_c BETWEEN 5.0 AND 50.0),
  refractometer TEXT NOT NULL CHECK (refractometer IN ('R1', 'R2')),
  read_at TEXT NOT NULL,
  UNIQUE (lot_id, reading_no)
) STRICT;

-- table tanks: A row is one of the shared Tanks T1 to T4 with what it holds and the wettest mean it takes.
CREATE TABLE tanks (
  id INTEGER PRIMARY KEY,
  tank_no TEXT NOT NULL UNIQUE CHECK (tank_no IN ('T1', 'T2', 'T3', 'T4')),
  is_protected INTEGER NOT NULL CHECK (is_protected IN (0, 1)),
  max_moisture_percent REAL NOT NULL CHECK (max_moisture_percent BETWEEN 10.0 AND 30.0),
  capacity_kg REAL NOT NULL CHECK (capacity_kg > 0),
  honey_type TEXT CHECK (honey_type IN ('acacia', 'linden', 'chestnut', 'forest', 'spruce', 'blossom')),
  status TEXT NOT NULL CHECK (status IN ('empty', 'filling', 'settling', 'ready', 'jars_only', 'lye_wash')),
  settled_at TEXT,
  last_lye_wash TEXT NOT NULL,
  CHECK ((honey_type IS NULL) = (status IN ('empty', 'lye_wash')))
) STRICT;

-- table pours: A row is one Pour of a lot into a tank, with the share it gives the lot's member after the skimming loss.
CREATE TABLE pours (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tank_id INTEGER NOT NULL REFERENCES tanks (id),
  lot_id INTEGER NOT NULL REFERENCES lots (id),
  kg REAL NOT NULL CHECK (kg > 0),
  share_kg REAL NOT NULL CHECK (share_kg > 0),
  poured_at TEXT NOT NULL,
  CHECK (share_kg <= kg)
) STRICT;

-- table draw_offs: A row is one Draw-off of a member's share of a tank into jars or buckets.
CREATE TABLE draw_offs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  draw_no TEXT NOT NULL UNIQUE,
  tank_id INTEGER NOT NULL REFERENCES tanks (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  kg REAL NOT NULL CHECK (kg > 0),
  container TEXT NOT NULL CHECK (container IN ('jar_450', 'jar_900', 'bucket_14', 'bucket_40')),
  drawn_at TEXT NOT NULL
) STRICT;

-- table stock_items: A row is one Stock item on the shelf, such as a size of jar, lid, label, band or bucket.
CREATE TABLE stock_items (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (code IN ('jar_450', 'jar_900', 'lid_82', 'label_blank', 'band_450', 'band_900', 'bucket_14', 'bucket_40')),
  name TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  on_hand INTEGER NOT NULL CHECK (on_hand >= 0)
) STRICT;

-- table stock_issues: A row is one Stock issue, a number of one item handed out to a member, for bands against a draw-off.
CREATE TABLE stock_issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  stock_item_id INTEGER NOT NULL REFERENCES stock_items (id),
  draw_off_id INTEGER REFERENCES draw_offs (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price_cents INTEGER NOT NULL CHECK (unit_price_cents >= 0),
  issued_at TEXT NOT NULL
) STRICT;

-- table equipment_items: A row is one Equipment item with its tag that members can borrow.
CREATE TABLE equipment_items (
  id INTEGER PRIMARY KEY,
  tag TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('melter', 'sublimator', 'uncapping_tray', 'refractometer', 'hive_scale', 'swarm_box')),
  name TEXT NOT NULL,
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('in_service', 'in_repair'))
) STRICT;

-- table loans: A row is one Loan of an equipment item to a member against a deposit.
CREATE TABLE loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  loan_no TEXT NOT NULL UNIQUE,
  member_id INTEGER NOT NULL REFERENCES members (id),
  equipment_item_id INTEGER NOT NULL REFERENCES equipment_items (id),
  lent_on TEXT NOT NULL,
  due_on TEXT NOT NULL,
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('out', 'late', 'held_in_zone', 'returned')),
  returned_on TEXT,
  condition TEXT CHECK (condition IN ('clean', 'unwashed', 'damaged')),
  kept_cents INTEGER CHECK (kept_cents >= 0),
  CHECK (due_on >= lent_on),
  CHECK (returned_on IS NULL OR returned_on >= lent_on),
  CHECK (kept_cents IS NULL OR kept_cents <= deposit_cents),
  CHECK ((status = 'returned') = (returned_on IS NOT NULL)),
  CHECK ((status = 'returned') = (condition IS NOT NULL)),
  CHECK ((status = 'returned') = (kept_cents IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX loans_live_item ON loans (equipment_item_id) WHERE status <> 'returned';

-- table bulk_rounds: A row is one Bulk round in which members order sugar and treatments together.
CREATE TABLE bulk_rounds (
  id INTEGER PRIMARY KEY,
  round_no TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  opens_on TEXT NOT NULL,
  closes_on TEXT NOT NULL,
  sack_price_cents INTEGER NOT NULL CHECK (sack_price_cents > 0),
  sack_kg INTEGER NOT NULL CHECK (sack_kg > 0),
  status TEXT NOT NULL CHECK (status IN ('planned', 'open', 'closed', 'delivered')),
  CHECK (closes_on > opens_on)
) STRICT;

-- table treatments: A row is one treatment against mites that a Bulk round offers, with its price there.
CREATE TABLE treatments (
  id INTEGER PRIMARY KEY,
  bulk_round_id INTEGER NOT NULL REFERENCES bulk_rounds (id),
  name TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  UNIQUE (bulk_round_id, name)
) STRICT;

-- table bulk_orders: A row is one Bulk order, what a member wants of a bulk round.
CREATE TABLE bulk_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bulk_round_id INTEGER NOT NULL REFERENCES bulk_rounds (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  sugar_sacks INTEGER NOT NULL CHECK (sugar_sacks >= 0),
  status TEXT NOT NULL CHECK (status IN ('placed', 'withdrawn', 'collected')),
  placed_at TEXT NOT NULL,
  UNIQUE (bulk_round_id, member_id)
) STRICT;

-- table bulk_order_treatments: A row says how many packs of a treatment a Bulk order holds.
CREATE TABLE bulk_order_treatments (
  bulk_order_id INTEGER NOT NULL REFERENCES bulk_orders (id),
  treatment_id INTEGER NOT NULL REFERENCES treatments (id),
  packs INTEGER NOT NULL CHECK (packs > 0),
  PRIMARY KEY (bulk_order_id, treatment_id)
) STRICT;

-- table ledger_entries: A row is one Ledger entry of a member, negative for what the member is charged and positive for what is paid or credited.
CREATE TABLE ledger_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  kind TEXT NOT NULL CHECK (kind IN ('membership', 'room_fee', 'room_refund', 'mentor_credit', 'stock', 'storage', 'deposit', 'late_fee', 'bulk_advance', 'payment', 'waiver', 'correction')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
  booking_id INTEGER REFERENCES bookings (id),
  loan_id INTEGER REFERENCES loans (id),
  stock_issue_id INTEGER REFERENCES stock_issues (id),
  entered_at TEXT NOT NULL,
  CHECK (kind NOT IN ('membership', 'room_fee', 'stock', 'storage', 'late_fee', 'bulk_advance') OR amount_cents < 0),
  CHECK (kind NOT IN ('room_refund', 'mentor_credit', 'payment', 'waiver') OR amount_cents > 0),
  CHECK (kind NOT IN ('room_fee', 'room_refund') OR booking_id IS NOT NULL)
) STRICT;

-- table quarantine_zones: A row is one Quarantine zone around a foulbrood notice until it is lifted.
CREATE TABLE quarantine_zones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  notice_no TEXT NOT NULL UNIQUE,
  disease TEXT NOT NULL CHECK (disease IN ('american_foulbrood', 'european_foulbrood')),
  lat REAL NOT NULL CHECK (lat BETWEEN 45.0 AND 47.0),
  lon REAL NOT NULL CHECK (lon BETWEEN 13.0 AND 17.0),
  radius_m INTEGER NOT NULL CHECK (radius_m > 0),
  issued_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'lifted')),
  lifted_on TEXT,
  decision_no TEXT UNIQUE,
  CHECK (lifted_on IS NULL OR lifted_on >= issued_on),
  CHECK ((status = 'lifted') = (lifted_on IS NOT NULL)),
  CHECK ((status = 'lifted') = (decision_no IS NOT NULL))
) STRICT;

-- table zone_apiaries: A row says that an Apiary lay inside the circle of a Quarantine zone when the notice was entered.
CREATE TABLE zone_apiaries (
  quarantine_zone_id INTEGER NOT NULL REFERENCES quarantine_zones (id),
  apiary_id INTEGER NOT NULL REFERENCES apiaries (id),
  PRIMARY KEY (quarantine_zone_id, apiary_id)
) STRICT;

-- table zone_tanks: A row says that a Quarantine zone put a Tank into the state jars_only.
CREATE TABLE zone_tanks (
  quarantine_zone_id INTEGER NOT NULL REFERENCES quarantine_zones (id),
  tank_id INTEGER NOT NULL REFERENCES tanks (id),
  PRIMARY KEY (quarantine_zone_id, tank_id)
) STRICT;
