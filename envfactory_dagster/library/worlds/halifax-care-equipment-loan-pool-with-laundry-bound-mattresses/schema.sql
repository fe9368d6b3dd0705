-- table clients: A person the pool serves: a client who borrows equipment or the contact person who speaks for a household; row 1 is the user.
CREATE TABLE clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  phone TEXT NOT NULL,
  weight_kg REAL CHECK (weight_kg > 0)
) STRICT;

-- table households: A household: one address with the contact person who speaks for it and the nurse's note about stairs.
CREATE TABLE households (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  address TEXT NOT NULL UNIQUE,
  contact_client_id INTEGER NOT NULL REFERENCES clients (id),
  stairs_noted INTEGER NOT NULL CHECK (stairs_noted IN (0, 1))
) STRICT;

-- table household_members: One client who lives in a household; a client lives at one address only.
CREATE TABLE household_members (
  household_id INTEGER NOT NULL REFERENCES households (id),
  client_id INTEGER NOT NULL UNIQUE REFERENCES clients (id),
  PRIMARY KEY (household_id, client_id)
) STRICT;

-- table prescribers: A prescriber: a nurse who sets priorities and confirms hospice care.
CREATE TABLE prescribers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  phone TEXT NOT NULL UNIQUE
) STRICT;

-- table hospice_periods: A hospice period of a client, with the prescriber who confirms it every 4 weeks; open while ended_on is missing.
CREATE TABLE hospice_periods (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  prescriber_id INTEGER NOT NULL REFERENCES prescribers (id),
  started_on TEXT NOT NULL,
  confirmed_on TEXT NOT NULL CHECK (confirmed_on >= started_on),
  ended_on TEXT CHECK (ended_on >= started_on)
) STRICT;
CREATE UNIQUE INDEX hospice_periods_one_open ON hospice_periods (client_id) WHERE ended_on IS NULL;

-- table volunteers: A volunteer or the technician of the pool, with what each may do and until when.
CREATE TABLE volunteers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('desk', 'driver', 'technician')),
  hoist_cleared_until TEXT,
  cleaning_cleared_until TEXT
) STRICT;

-- table item_types: A type of item with its lending terms: weeks, renewals, deposit and van points.
CREATE TABLE item_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name IN ('bed', 'hoist', 'pressure mattress', 'wheelchair', 'commode', 'syringe pump')),
  loan_weeks INTEGER NOT NULL CHECK (loan_weeks > 0),
  max_renewals INTEGER NOT NULL CHECK (max_renewals >= 0),
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0),
  van_points INTEGER NOT NULL CHECK (van_points BETWEEN 1 AND 4),
  counts_to_limit INTEGER NOT NULL CHECK (counts_to_limit IN (0, 1))
) STRICT;

-- table items: An item of the pool, known by its tag, with its current state.
CREATE TABLE items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tag TEXT NOT NULL UNIQUE,
  item_type_id INTEGER NOT NULL REFERENCES item_types (id),
  maker TEXT NOT NULL,
  model TEXT NOT NULL,
  serial TEXT,
  weight_limit_kg REAL NOT NULL CHECK (weight_limit_kg > 0),
  width_cm REAL CHECK (width_cm > 0),
  status TEXT NOT NULL CHECK (status IN ('in_store', 'reserved', 'on_loan', 'awaiting_cleaning', 'at_laundry', 'in_repair', 'recalled', 'scrapped')),
  UNIQUE (maker, model, serial)
) STRICT;

-- table item_parts: An item part that travels with an item, with today's price if it is lost.
CREATE TABLE item_parts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES items (id),
  name TEXT NOT NULL,
  lost_price_cents INTEGER NOT NULL CHECK (lost_price_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('with_item', 'lost')),
  lost_on TEXT,
  UNIQUE (item_id, name),
  CHECK ((status = 'lost') = (lost_on IS NOT NULL))
) STRICT;

-- table service_history_entries: A service history entry: one test, check, cleaning or repair of an item, who did it, and when the next test is due.
CREATE TABLE service_history_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES items (id),
  volunteer_id INTEGER NOT NULL REFERENCES volunteers (id),
  kind TEXT NOT NULL CHECK (kind IN ('electrical_test', 'load_test', 'sling_test', 'calibration', 'after_loan_check', 'foam_check', 'cleaning', 'repair')),
  done_on TEXT NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('pass', 'fail')),
  next_due_on TEXT CHECK (next_due_on > done_on)
) STRICT;

-- table laundry_closed_days: A laundry closed day, such as a holiday or storm day, and the volunteer who recorded it.
CREATE TABLE laundry_closed_days (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  day TEXT NOT NULL UNIQUE,
  reason TEXT NOT NULL,
  volunteer_id INTEGER NOT NULL REFERENCES volunteers (id)
) STRICT;

-- table laundry_stays: A laundry stay of a pressure mattress, counted from its drop-off; a rejected one starts over as a new row.
CREATE TABLE laundry_stays (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES items (id),
  dropped_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('at_laundry', 'rejected', 'returned')),
  ended_on TEXT CHECK (ended_on >= dropped_on),
  CHECK ((status = 'at_laundry') = (ended_on IS NULL))
) STRICT;
CREATE UNIQUE INDEX laundry_stays_one_current ON laundry_stays (item_id) WHERE status = 'at_laundry';

-- table requests: A request of a client for a type of item on the waiting list, with the priority a prescriber has set.
CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  item_type_id INTEGER NOT NULL REFERENCES item_types (id),
  requested_at TEXT NOT NULL,
  priority INTEGER CHECK (priority BETWEEN 1 AND 4),
  prescriber_id INTEGER REFERENCES prescribers (id),
  min_width_cm REAL CHECK (min_width_cm > 0),
  moved_back_at TEXT CHECK (moved_back_at >= requested_at),
  status TEXT NOT NULL CHECK (status IN ('waiting', 'accepted', 'withdrawn')),
  closed_at TEXT CHECK (closed_at >= requested_at),
  CHECK ((priority IS NULL) = (prescriber_id IS NULL)),
  CHECK ((status = 'waiting') = (closed_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX requests_one_waiting ON requests (client_id, item_type_id) WHERE status = 'waiting';

-- table offers: An offer of one item for one request, open until it lapses.
CREATE TABLE offers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id INTEGER NOT NULL REFERENCES requests (id),
  item_id INTEGER NOT NULL REFERENCES items (id),
  made_at TEXT NOT NULL,
  lapses_at TEXT NOT NULL CHECK (lapses_at > made_at),
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined', 'lapsed')),
  answered_at TEXT CHECK (answered_at >= made_at),
  CHECK ((status IN ('accepted', 'declined')) = (answered_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX offers_one_open_per_item ON offers (item_id) WHERE status = 'open';
CREATE UNIQUE INDEX offers_one_open_per_request ON offers (request_id) WHERE status = 'open';

-- table loans: A loan of one item to one client, from being pencilled or reserved to its return; without a due day for hospice clients.
CREATE TABLE loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  item_id INTEGER NOT NULL REFERENCES items (id),
  request_id INTEGER NOT NULL UNIQUE REFERENCES requests (id),
  status TEXT NOT NULL CHECK (status IN ('pencilled', 'reserved', 'on_loan', 'returned', 'cancelled')),
  reserved_until TEXT,
  out_on TEXT,
  due_on TEXT CHECK (due_on > out_on),
  renewals_used INTEGER NOT NULL CHECK (renewals_used BETWEEN 0 AND 2),
  soiled_at TEXT,
  collection_asked_on TEXT CHECK (collection_asked_on >= out_on),
  returned_on TEXT CHECK (returned_on >= out_on),
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0),
  deposit_refunded_on TEXT,
  CHECK ((status IN ('on_loan', 'returned')) = (out_on IS NOT NULL)),
  CHECK ((status = 'returned') = (returned_on IS NOT NULL)),
  CHECK (out_on IS NOT NULL OR due_on IS NULL)
) STRICT;
CREATE UNIQUE INDEX loans_one_live_per_item ON loans (item_id) WHERE status IN ('pencilled', 'reserved', 'on_loan');

-- table van_slots: A van slot: one volunteer's van on one morning or afternoon.
CREATE TABLE van_slots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  volunteer_id INTEGER NOT NULL REFERENCES volunteers (id),
  day TEXT NOT NULL,
  part_of_day TEXT NOT NULL CHECK (part_of_day IN ('morning', 'afternoon')),
  status TEXT NOT NULL CHECK (status IN ('open', 'cancelled')),
  UNIQUE (volunteer_id, day, part_of_day)
) STRICT;

-- table deliveries: A delivery or collection of the item of one loan in a van slot.
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  loan_id INTEGER NOT NULL REFERENCES loans (id),
  van_slot_id INTEGER NOT NULL REFERENCES van_slots (id),
  kind TEXT NOT NULL CHECK (kind IN ('delivery', 'collection')),
  status TEXT NOT NULL CHECK (status IN ('booked', 'done', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT CHECK (cancelled_at >= booked_at),
  cancel_reason TEXT CHECK (cancel_reason IN ('family_choice', 'hospital_admission', 'hospice', 'death', 'pool')),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX deliveries_one_booked ON deliveries (loan_id, kind) WHERE status = 'booked';

-- table payments: A payment by which a client or contact person settles fees of a household; with the fees it makes up the fee or payment records.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  household_id INTEGER NOT NULL REFERENCES households (id),
  client_id INTEGER NOT NULL REFERENCES clients (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_at TEXT NOT NULL
) STRICT;

-- table fees: A fee (of fee or payment) on a loan: one late week that the desk has charged, or one lost part at the price of that day.
CREATE TABLE fees (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  loan_id INTEGER NOT NULL REFERENCES loans (id),
  kind TEXT NOT NULL CHECK (kind IN ('late_week', 'lost_part')),
  late_week INTEGER CHECK (late_week >= 2),
  item_part_id INTEGER REFERENCES item_parts (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  charged_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'waived', 'credited', 'refunded')),
  payment_id INTEGER REFERENCES payments (id),
  settled_at TEXT,
  UNIQUE (loan_id, late_week),
  CHECK ((kind = 'late_week') = (late_week IS NOT NULL)),
  CHECK ((kind = 'lost_part') = (item_part_id IS NOT NULL)),
  CHECK ((status IN ('paid', 'refunded')) = (payment_id IS NOT NULL)),
  CHECK ((status = 'open') = (settled_at IS NULL))
) STRICT;

-- table recalls: A recall of a maker's model, sometimes only of a range of serials.
CREATE TABLE recalls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_type_id INTEGER NOT NULL REFERENCES item_types (id),
  maker TEXT NOT NULL,
  model TEXT NOT NULL,
  serial_from TEXT,
  serial_to TEXT CHECK (serial_to >= serial_from),
  reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'closed')),
  opened_on TEXT NOT NULL,
  closed_on TEXT CHECK (closed_on >= opened_on),
  CHECK ((serial_from IS NULL) = (serial_to IS NULL)),
  CHECK ((status = 'closed') = (closed_on IS NOT NULL))
) STRICT;

-- table recall_items: One item that a recall affects, and how it was dealt with.
CREATE TABLE recall_items (
  recall_id INTEGER NOT NULL REFERENCES recalls (id),
  item_id INTEGER NOT NULL REFERENCES items (id),
  outcome TEXT CHECK (outcome IN ('repaired', 'returned_to_maker', 'scrapped', 'unaffected', 'not_found')),
  PRIMARY KEY (recall_id, item_id)
) STRICT;

-- table donations: A donation in kind that a client offers the pool, and the technician's decision.
CREATE TABLE donations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  item_type_id INTEGER NOT NULL REFERENCES item_types (id),
  description TEXT NOT NULL,
  sealed INTEGER NOT NULL CHECK (sealed IN (0, 1)),
  value_cents INTEGER NOT NULL CHECK (value_cents >= 0),
  valued_by TEXT NOT NULL CHECK (valued_by IN ('receipt', 'estimate', 'appraisal')),
  offered_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('offered', 'accepted', 'refused')),
  decided_on TEXT CHECK (decided_on >= offered_on),
  decision_reason TEXT,
  CHECK ((status = 'offered') = (decided_on IS NULL)),
  CHECK ((decided_on IS NULL) = (decision_reason IS NULL))
) STRICT;
