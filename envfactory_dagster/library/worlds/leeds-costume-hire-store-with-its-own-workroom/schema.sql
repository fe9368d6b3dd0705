-- table people: A Person known to the store: a signatory, collector, wearer or tutor, of whom row 1 is the user.
CREATE TABLE people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  full_name TEXT NOT NULL CHECK (length(full_name) > 0),
  birth_date TEXT NOT NULL CHECK (birth_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;

-- table customers: A Customer: a school, amateur society or film student that hires from the store and has people attached to it.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('school', 'society', 'film_student'))
) STRICT;

-- table committee_letters: A Committee letter in which a society names its at most two authorised signatories until 31 August.
CREATE TABLE committee_letters (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  received_on TEXT NOT NULL,
  expires_on TEXT NOT NULL CHECK (expires_on LIKE '____-08-31'),
  UNIQUE (customer_id, expires_on),
  CHECK (expires_on >= received_on)
) STRICT;

-- table person_roles: A Person role: one person being signatory, collector or wearer for one customer, a society's signatory with the committee letter that names them.
CREATE TABLE person_roles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  role TEXT NOT NULL CHECK (role IN ('signatory', 'collector', 'wearer')),
  committee_letter_id INTEGER REFERENCES committee_letters (id),
  letter_place INTEGER CHECK (letter_place IN (1, 2)),
  UNIQUE (committee_letter_id, letter_place),
  UNIQUE (committee_letter_id, person_id),
  CHECK (committee_letter_id IS NULL OR role = 'signatory'),
  CHECK ((committee_letter_id IS NULL) = (letter_place IS NULL))
) STRICT;
CREATE UNIQUE INDEX person_roles_without_letter ON person_roles (customer_id, person_id, role) WHERE committee_letter_id IS NULL;

-- table bank_holidays: A Bank holiday in England, which is not a working day.
CREATE TABLE bank_holidays (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL
) STRICT;

-- table sets: A Set of pieces that must go out and come back together.
CREATE TABLE sets (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- table pieces: A Piece: one costume garment with its number, condition and value, perhaps part of a set.
CREATE TABLE pieces (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE CHECK (number > 0),
  description TEXT NOT NULL,
  garment TEXT NOT NULL CHECK (garment IN ('corset', 'boned_bodice', 'crinoline', 'tailcoat', 'armour', 'coat', 'jacket', 'waistcoat', 'trousers', 'shirt', 'dress', 'skirt', 'cloak', 'habit', 'other')),
  period TEXT NOT NULL,
  material TEXT NOT NULL,
  cleaning_class TEXT NOT NULL CHECK (cleaning_class IN ('washable', 'dry_clean', 'fur_feather_wool')),
  condition TEXT NOT NULL CHECK (condition IN ('A', 'B', 'C', 'D')),
  replacement_value_cents INTEGER NOT NULL CHECK (replacement_value_cents > 0),
  is_class_p INTEGER NOT NULL CHECK (is_class_p IN (0, 1)),
  is_nativity INTEGER NOT NULL CHECK (is_nativity IN (0, 1)),
  alterations_left INTEGER CHECK (alterations_left >= 0),
  set_id INTEGER REFERENCES sets (id),
  CHECK (is_class_p = 1 OR replacement_value_cents <= 60000)
) STRICT;

-- table piece_measurements: A Piece measurement in inches with its four figures: label, as it stands today, smallest and largest.
CREATE TABLE piece_measurements (
  id INTEGER PRIMARY KEY,
  piece_id INTEGER NOT NULL REFERENCES pieces (id),
  measure TEXT NOT NULL CHECK (measure IN ('chest', 'bust', 'waist', 'hips', 'back_length', 'sleeve', 'inside_leg')),
  label_inches INTEGER NOT NULL CHECK (label_inches > 0),
  current_inches INTEGER NOT NULL CHECK (current_inches > 0),
  smallest_inches INTEGER NOT NULL CHECK (smallest_inches > 0),
  largest_inches INTEGER NOT NULL CHECK (largest_inches > 0),
  UNIQUE (piece_id, measure),
  CHECK (smallest_inches <= current_inches),
  CHECK (current_inches <= largest_inches)
) STRICT;

-- table accessories: An Accessory such as a hat, cane, weapon or piece of jewellery, loose or belonging to a piece.
CREATE TABLE accessories (
  id INTEGER PRIMARY KEY,
  description TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('hat', 'gloves', 'cane', 'footwear', 'jewellery', 'weapon', 'other')),
  piece_id INTEGER REFERENCES pieces (id)
) STRICT;

-- table hires: A Hire by one customer for one show, from hold to closing or cancellation, with the bank holiday that its due date was moved off, if any.
CREATE TABLE hires (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hire_number TEXT NOT NULL UNIQUE,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  show_title TEXT NOT NULL,
  collection_date TEXT NOT NULL,
  due_date TEXT NOT NULL,
  bank_holiday_id INTEGER REFERENCES bank_holidays (id),
  status TEXT NOT NULL CHECK (status IN ('held', 'confirmed', 'out', 'returned', 'inspected', 'closed', 'cancelled')),
  held_at TEXT NOT NULL,
  hold_lapses_at TEXT NOT NULL CHECK (hold_lapses_at LIKE '%T16:00:00'),
  hold_renewed_at TEXT,
  confirmed_at TEXT,
  confirmed_by_person_id INTEGER REFERENCES people (id),
  collector_person_id INTEGER REFERENCES people (id),
  collected_at TEXT,
  returned_at TEXT,
  inspected_at TEXT,
  closed_at TEXT,
  cancelled_at TEXT,
  CHECK (due_date > collection_date),
  CHECK (hold_lapses_at > held_at),
  CHECK (hold_renewed_at IS NULL OR (hold_renewed_at >= held_at AND hold_renewed_at < hold_lapses_at)),
  CHECK (confirmed_at IS NULL OR confirmed_at >= held_at),
  CHECK ((confirmed_at IS NULL) = (confirmed_by_person_id IS NULL)),
  CHECK (collected_at IS NULL OR (confirmed_at IS NOT NULL AND collected_at >= confirmed_at)),
  CHECK (returned_at IS NULL OR (collected_at IS NOT NULL AND returned_at >= collected_at)),
  CHECK (inspected_at IS NULL OR (returned_at IS NOT NULL AND inspected_at >= returned_at)),
  CHECK (closed_at IS NULL OR (inspected_at IS NOT NULL AND closed_at >= inspected_at)),
  CHECK (cancelled_at IS NULL OR (collected_at IS NULL AND cancelled_at >= held_at)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (status = 'cancelled' OR (status = 'held') = (confirmed_at IS NULL)),
  CHECK ((status IN ('out', 'returned', 'inspected', 'closed')) = (collected_at IS NOT NULL)),
  CHECK ((status IN ('returned', 'inspected', 'closed')) = (returned_at IS NOT NULL)),
  CHECK ((status IN ('inspected', 'closed')) = (inspected_at IS NOT NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT;
CREATE INDEX hires_by_customer ON hires (customer_id, status);

-- table hire_lines: A Hire line: one piece, one whole set or one loose accessory on a hire, with its fee after discount frozen for the whole period and, once cancelled, what the store keeps of it.
CREATE TABLE hire_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hire_id INTEGER NOT NULL REFERENCES hires (id),
  piece_id INTEGER REFERENCES pieces (id),
  set_id INTEGER REFERENCES sets (id),
  accessory_id INTEGER REFERENCES accessories (id),
  wearer_person_id INTEGER REFERENCES people (id),
  fee_cents INTEGER NOT NULL CHECK (fee_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('active', 'cancelled')),
  cancelled_at TEXT,
  kept_cents INTEGER CHECK (kept_cents >= 0),
  CHECK ((piece_id IS NOT NULL) + (set_id IS NOT NULL) + (accessory_id IS NOT NULL) = 1),
  CHECK (wearer_person_id IS NULL OR piece_id IS NOT NULL),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (kept_cents IS NOT NULL)),
  CHECK (kept_cents IS NULL OR kept_cents <= fee_cents)
) STRICT;
CREATE UNIQUE INDEX hire_lines_active_piece ON hire_lines (hire_id, piece_id) WHERE status = 'active';
CREATE UNIQUE INDEX hire_lines_active_set ON hire_lines (hire_id, set_id) WHERE status = 'active';
CREATE UNIQUE INDEX hire_lines_active_accessory ON hire_lines (hire_id, accessory_id) WHERE status = 'active';

-- table fittings: A Fitting of one wearer for one hire line in one of the six 45-minute slots a day of the one fitting room.
CREATE TABLE fittings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hire_line_id INTEGER NOT NULL REFERENCES hire_lines (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  starts_at TEXT NOT NULL CHECK (substr(starts_at, 11) IN ('T09:30:00', 'T10:15:00', 'T11:00:00', 'T13:30:00', 'T14:15:00', 'T15:00:00')),
  status TEXT NOT NULL CHECK (status IN ('booked', 'attended', 'missed', 'cancelled')),
  fee_cents INTEGER NOT NULL CHECK (fee_cents IN (0, 1200)),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK (booked_at < starts_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX fittings_slot_taken ON fittings (starts_at) WHERE status <> 'cancelled';

-- table alterations: An Alteration of one piece measurement for one hire line, planned or already cut, at £28 an hour in quarter hours.
CREATE TABLE alterations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hire_line_id INTEGER NOT NULL REFERENCES hire_lines (id),
  piece_measurement_id INTEGER NOT NULL REFERENCES piece_measurements (id),
  from_inches INTEGER NOT NULL CHECK (from_inches > 0),
  to_inches INTEGER NOT NULL CHECK (to_inches > 0),
  quarter_hours INTEGER NOT NULL CHECK (quarter_hours > 0),
  planned_for TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('planned', 'cut', 'cancelled')),
  cut_at TEXT,
  cancelled_at TEXT,
  CHECK (to_inches <> from_inches),
  CHECK ((status = 'cut') = (cut_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;

-- table cleaning_repair_jobs: A Cleaning or repair job on one piece: what was found and done, after which hire if any, when the piece is back on the rail and who pays.
CREATE TABLE cleaning_repair_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  piece_id INTEGER NOT NULL REFERENCES pieces (id),
  hire_id INTEGER REFERENCES hires (id),
  kind TEXT NOT NULL CHECK (kind IN ('cleaning', 'repair')),
  description TEXT NOT NULL,
  reported_on TEXT NOT NULL,
  finished_on TEXT,
  back_on_rail_on TEXT NOT NULL,
  paid_by TEXT NOT NULL CHECK (paid_by IN ('store', 'customer')),
  status TEXT NOT NULL CHECK (status IN ('open', 'finished')),
  CHECK (back_on_rail_on >= reported_on),
  CHECK (finished_on IS NULL OR (finished_on >= reported_on AND finished_on <= back_on_rail_on)),
  CHECK ((status = 'finished') = (finished_on IS NOT NULL)),
  CHECK (paid_by = 'store' OR hire_id IS NOT NULL)
) STRICT;

-- table insurance_certificates: An Insurance certificate naming the theatre for the class P pieces of one hire, ticked off once a clerk has read it.
CREATE TABLE insurance_certificates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hire_id INTEGER NOT NULL REFERENCES hires (id),
  theatre_name TEXT NOT NULL,
  cover_cents INTEGER NOT NULL CHECK (cover_cents > 0),
  received_on TEXT NOT NULL,
  valid_until TEXT NOT NULL,
  ticked_off_at TEXT,
  CHECK (valid_until >= received_on),
  CHECK (ticked_off_at IS NULL OR ticked_off_at >= received_on)
) STRICT;

-- table deposits: The damage Deposit of one hire, kept apart from its fees, due on confirmation and released after inspection less the agreed charges.
CREATE TABLE deposits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hire_id INTEGER NOT NULL UNIQUE REFERENCES hires (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 5000),
  status TEXT NOT NULL CHECK (status IN ('due', 'held', 'released', 'cancelled')),
  paid_at TEXT,
  released_at TEXT,
  CHECK ((status IN ('held', 'released')) = (paid_at IS NOT NULL)),
  CHECK ((status = 'released') = (released_at IS NOT NULL)),
  CHECK (released_at IS NULL OR released_at >= paid_at)
) STRICT;

-- table deposit_charges: A damage charge made against a deposit for one hire line, which is taken off only once a signatory has agreed to it.
CREATE TABLE deposit_charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  deposit_id INTEGER NOT NULL REFERENCES deposits (id),
  hire_line_id INTEGER NOT NULL REFERENCES hire_lines (id),
  reason TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  charged_at TEXT NOT NULL,
  agreed_at TEXT,
  agreed_by_person_id INTEGER REFERENCES people (id),
  CHECK (agreed_at IS NULL OR agreed_at >= charged_at),
  CHECK ((agreed_at IS NULL) = (agreed_by_person_id IS NULL))
) STRICT;

-- table invoices: An Invoice or credit note to the customer of one hire, never edited once issued, with its dispute if there is one.
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_number TEXT NOT NULL UNIQUE,
  hire_id INTEGER NOT NULL REFERENCES hires (id),
  credits_invoice_id INTEGER REFERENCES invoices (id),
  kind TEXT NOT NULL CHECK (kind IN ('confirmation', 'balance', 'cancellation', 'damage', 'services', 'credit')),
  issued_on TEXT NOT NULL,
  due_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'disputed', 'credited')),
  disputed_at TEXT,
  dispute_reason TEXT,
  CHECK (due_on >= issued_on),
  CHECK ((kind = 'credit') = (credits_invoice_id IS NOT NULL)),
  CHECK (disputed_at IS NULL OR disputed_at >= issued_on),
  CHECK ((disputed_at IS NULL) = (dispute_reason IS NULL)),
  CHECK (status <> 'disputed' OR disputed_at IS NOT NULL)
) STRICT;

-- table invoice_lines: A line of an invoice, VAT included and negative on a credit note, for the hire line or the cleaning or repair job it charges, if any.
CREATE TABLE invoice_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  hire_line_id INTEGER REFERENCES hire_lines (id),
  cleaning_repair_job_id INTEGER REFERENCES cleaning_repair_jobs (id),
  description TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0)
) STRICT;

-- table payments: A Payment of money received on an invoice, or paid back as a refund.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_at TEXT NOT NULL
) STRICT;
