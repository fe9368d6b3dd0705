-- table traders: A trader of the market, holder or spuntista, with the main goods sold and the date of entry in the Registro Imprese.
CREATE TABLE traders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  business_name TEXT NOT NULL UNIQUE,
  goods TEXT NOT NULL CHECK (goods IN ('fruit_vegetables', 'own_produce', 'cheese', 'cured_meat', 'bread', 'other_food', 'fish', 'roast_and_frying', 'clothing', 'shoes', 'household', 'ceramics', 'plants_flowers')),
  is_local_producer INTEGER NOT NULL CHECK (is_local_producer IN (0, 1)),
  registered_on TEXT NOT NULL CHECK (registered_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;

-- table price_categories: A price category of the price list, with its sector and what a holder and a spuntista pay per metre of front and market day.
CREATE TABLE price_categories (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (code IN ('A', 'B', 'C', 'D', 'E')),
  goods_covered TEXT NOT NULL,
  sector TEXT NOT NULL CHECK (sector IN ('food', 'non_food')),
  holder_cents_per_m INTEGER NOT NULL CHECK (holder_cents_per_m > 0),
  spuntista_cents_per_m INTEGER NOT NULL CHECK (spuntista_cents_per_m >= holder_cents_per_m)
) STRICT;

-- table electricity_tariffs: A kind of electricity point in the price list, with the most it carries (none is stated for 32 A) and its price per day.
CREATE TABLE electricity_tariffs (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (code IN ('light', '16a', '32a', 'shared_t4')),
  name TEXT NOT NULL,
  max_kw REAL CHECK (max_kw > 0),
  price_cents_per_day INTEGER NOT NULL CHECK (price_cents_per_day > 0)
) STRICT;

-- table committee_decisions: A committee decision: one point that the market committee decided at a meeting, with its item in the minutes.
CREATE TABLE committee_decisions (
  id INTEGER PRIMARY KEY,
  meeting_on TEXT NOT NULL CHECK (meeting_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  item TEXT NOT NULL,
  title TEXT NOT NULL,
  decision TEXT NOT NULL,
  UNIQUE (meeting_on, item)
) STRICT;

-- table pitches: A numbered pitch of the market, with its row, front in metres and sector.
CREATE TABLE pitches (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  row_name TEXT NOT NULL CHECK (row_name IN ('podesta_side', 'comune_side', 'via_severoli', 'via_pistocchi')),
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 36),
  front_m REAL NOT NULL CHECK (front_m > 0 AND front_m * 2 = CAST(front_m * 2 AS INTEGER)),
  sector TEXT NOT NULL CHECK (sector IN ('food', 'non_food')),
  is_corner INTEGER NOT NULL CHECK (is_corner IN (0, 1)),
  has_water INTEGER NOT NULL CHECK (has_water IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('in_use', 'lost_to_works')),
  UNIQUE (row_name, number)
) STRICT;

-- table pitch_electricity_tariffs: A kind of electricity point that can be had at a pitch.
CREATE TABLE pitch_electricity_tariffs (
  pitch_id INTEGER NOT NULL REFERENCES pitches (id),
  electricity_tariff_id INTEGER NOT NULL REFERENCES electricity_tariffs (id),
  PRIMARY KEY (pitch_id, electricity_tariff_id)
) STRICT;

-- table market_days: A market day, the day of the week it counts as, how much of the fee it costs, whether absences count and whether the antiques fair takes P1-P18.
CREATE TABLE market_days (
  id INTEGER PRIMARY KEY,
  held_on TEXT NOT NULL CHECK (held_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]') UNIQUE,
  weekday TEXT NOT NULL CHECK (weekday IN ('thursday', 'sunday')),
  moved_from_on TEXT CHECK (moved_from_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]') UNIQUE,
  closes_at TEXT NOT NULL CHECK (closes_at GLOB '[0-2][0-9]:[0-5][0-9]'),
  fee_thirds INTEGER NOT NULL CHECK (fee_thirds IN (2, 3)),
  absences_count INTEGER NOT NULL CHECK (absences_count IN (0, 1)),
  antiques_fair TEXT NOT NULL CHECK (antiques_fair IN ('none', 'planned', 'held', 'called_off_in_time', 'called_off_late')),
  status TEXT NOT NULL CHECK (status IN ('planned', 'held', 'called_off')),
  committee_decision_id INTEGER REFERENCES committee_decisions (id),
  CHECK (moved_from_on IS NULL OR moved_from_on <> held_on),
  CHECK (antiques_fair = 'none' OR weekday = 'sunday')
) STRICT;

-- table concessions: A concession: the right of a trader to one pitch on Thursdays or on Sundays.
CREATE TABLE concessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  trader_id INTEGER NOT NULL REFERENCES traders (id),
  pitch_id INTEGER NOT NULL REFERENCES pitches (id),
  weekday TEXT NOT NULL CHECK (weekday IN ('thursday', 'sunday')),
  price_category_id INTEGER NOT NULL REFERENCES price_categories (id),
  suspended_on_fairs INTEGER NOT NULL CHECK (suspended_on_fairs IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended', 'lost', 'revoked', 'given_up')),
  granted_on TEXT NOT NULL CHECK (granted_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  warned_on TEXT CHECK (warned_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  ended_on TEXT CHECK (ended_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK (warned_on IS NULL OR warned_on >= granted_on),
  CHECK ((status IN ('active', 'suspended')) = (ended_on IS NULL)),
  CHECK (ended_on IS NULL OR ended_on >= granted_on)
) STRICT;
CREATE UNIQUE INDEX concessions_one_per_pitch_and_weekday ON concessions (pitch_id, weekday) WHERE ended_on IS NULL;

-- table helpers: A helper, family or employee, on the company papers of a trader, who may run the stall or answer the call in the trader's place.
CREATE TABLE helpers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  trader_id INTEGER NOT NULL REFERENCES traders (id),
  name TEXT NOT NULL,
  tie TEXT NOT NULL CHECK (tie IN ('family', 'employee')),
  from_on TEXT NOT NULL CHECK (from_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  until_on TEXT CHECK (until_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('on_papers', 'removed')),
  CHECK (until_on IS NULL OR until_on >= from_on),
  CHECK (status = 'on_papers' OR until_on IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX helpers_once_on_papers ON helpers (trader_id, name) WHERE status = 'on_papers';

-- table presences: A presence: what the warden marked for a concession on a market day, an absence included; 'absent' is unexcused, and 'excused' what was absent and has been excused.
CREATE TABLE presences (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  concession_id INTEGER NOT NULL REFERENCES concessions (id),
  market_day_id INTEGER NOT NULL REFERENCES market_days (id),
  status TEXT NOT NULL CHECK (status IN ('present', 'absent', 'excused', 'suspended')),
  marked_at TEXT NOT NULL CHECK (marked_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
  UNIQUE (concession_id, market_day_id)
) STRICT;

-- table absence_excuses: An absence excuse sent in for one absence, with its reason and proof.
CREATE TABLE absence_excuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  presence_id INTEGER NOT NULL REFERENCES presences (id),
  reason TEXT NOT NULL CHECK (reason IN ('illness', 'accident', 'maternity_paternity', 'bereavement', 'court_summons', 'weather_alert', 'works_on_pitch', 'van_breakdown')),
  proof TEXT NOT NULL CHECK (proof IN ('medical_certificate', 'garage_receipt', 'civil_registry_extract', 'summons', 'official_notice')),
  proof_issued_by TEXT NOT NULL,
  proof_dated_on TEXT NOT NULL CHECK (proof_dated_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  sent_on TEXT NOT NULL CHECK (sent_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('sent', 'accepted', 'rejected')),
  decided_on TEXT CHECK (decided_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK (reason NOT IN ('illness', 'accident') OR proof = 'medical_certificate'),
  CHECK (reason <> 'van_breakdown' OR proof = 'garage_receipt'),
  CHECK (proof_dated_on <= sent_on),
  CHECK ((status = 'sent') = (decided_on IS NULL)),
  CHECK (decided_on IS NULL OR decided_on >= sent_on)
) STRICT;
CREATE UNIQUE INDEX absence_excuses_one_standing ON absence_excuses (presence_id) WHERE status <> 'rejected';

-- table electricity_connections: An electricity connection asked for or in use under a concession, with the load it must carry and the days from and until which it runs.
CREATE TABLE electricity_connections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  concession_id INTEGER NOT NULL REFERENCES concessions (id),
  electricity_tariff_id INTEGER NOT NULL REFERENCES electricity_tariffs (id),
  load_kw REAL NOT NULL CHECK (load_kw > 0),
  from_on TEXT NOT NULL CHECK (from_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  until_on TEXT CHECK (until_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('requested', 'connected', 'ended', 'refused')),
  CHECK (until_on IS NULL OR until_on >= from_on),
  CHECK (status <> 'ended' OR until_on IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX electricity_connections_one_per_start ON electricity_connections (concession_id, from_on) WHERE status IN ('requested', 'connected');

-- table spunta_register_entries: A spunta register entry: a spuntista in the register for Thursday or for Sunday, with the front of the stall and the attendances so far.
CREATE TABLE spunta_register_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  trader_id INTEGER NOT NULL REFERENCES traders (id),
  weekday TEXT NOT NULL CHECK (weekday IN ('thursday', 'sunday')),
  price_category_id INTEGER NOT NULL REFERENCES price_categories (id),
  stall_m REAL NOT NULL CHECK (stall_m > 0 AND stall_m * 2 = CAST(stall_m * 2 AS INTEGER)),
  attendances INTEGER NOT NULL CHECK (attendances >= 0),
  entered_on TEXT NOT NULL CHECK (entered_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_seen_on TEXT CHECK (last_seen_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('active', 'clock_stopped', 'withdrawn')),
  UNIQUE (trader_id, weekday),
  CHECK (last_seen_on IS NULL OR last_seen_on >= entered_on)
) STRICT;

-- table spunta_assignments: A spunta assignment: the call of a spuntista on a market day, the pitch called for if one was left, the answer and what it did to the attendances.
CREATE TABLE spunta_assignments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  spunta_register_entry_id INTEGER NOT NULL REFERENCES spunta_register_entries (id),
  market_day_id INTEGER NOT NULL REFERENCES market_days (id),
  pitch_id INTEGER REFERENCES pitches (id),
  status TEXT NOT NULL CHECK (status IN ('called', 'accepted', 'refused', 'no_pitch_left', 'left_early')),
  attendance_change INTEGER NOT NULL CHECK (attendance_change IN (-1, 0, 1)),
  called_at TEXT NOT NULL CHECK (called_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
  answered_at TEXT CHECK (answered_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
  left_at TEXT CHECK (left_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
  UNIQUE (spunta_register_entry_id, market_day_id),
  CHECK ((status = 'no_pitch_left') = (pitch_id IS NULL)),
  CHECK ((status = 'called') = (answered_at IS NULL)),
  CHECK (answered_at IS NULL OR answered_at >= called_at),
  CHECK ((status = 'left_early') = (left_at IS NOT NULL)),
  CHECK (left_at IS NULL OR left_at >= answered_at),
  CHECK (CASE status WHEN 'called' THEN attendance_change = 0 WHEN 'accepted' THEN attendance_change = 1 WHEN 'no_pitch_left' THEN attendance_change = 1 WHEN 'left_early' THEN attendance_change = -1 ELSE attendance_change IN (0, 1) END)
) STRICT;
CREATE UNIQUE INDEX spunta_assignments_one_per_pitch ON spunta_assignments (market_day_id, pitch_id) WHERE status IN ('called', 'accepted');

-- table replacement_turns: A replacement turn: the pitch given to one of the four cheese concessions on a fair Sunday, and the pitch that was its turn by the order.
CREATE TABLE replacement_turns (
  id INTEGER PRIMARY KEY,
  market_day_id INTEGER NOT NULL REFERENCES market_days (id),
  concession_id INTEGER NOT NULL REFERENCES concessions (id),
  turn_pitch_id INTEGER NOT NULL REFERENCES pitches (id),
  pitch_id INTEGER NOT NULL REFERENCES pitches (id),
  committee_decision_id INTEGER NOT NULL REFERENCES committee_decisions (id),
  status TEXT NOT NULL CHECK (status IN ('planned', 'taken', 'missed', 'not_needed')),
  UNIQUE (market_day_id, concession_id),
  UNIQUE (market_day_id, pitch_id),
  UNIQUE (market_day_id, turn_pitch_id)
) STRICT;

-- table fee_charges: A fee charge: what a trader owes or has paid for a concession over a quarter or for one day in the spunta.
CREATE TABLE fee_charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  trader_id INTEGER NOT NULL REFERENCES traders (id),
  kind TEXT NOT NULL CHECK (kind IN ('quarter', 'spunta_day')),
  concession_id INTEGER REFERENCES concessions (id),
  spunta_assignment_id INTEGER UNIQUE REFERENCES spunta_assignments (id),
  period_from TEXT NOT NULL CHECK (period_from GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  period_to TEXT NOT NULL CHECK (period_to GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  pitch_cents INTEGER NOT NULL CHECK (pitch_cents >= 0),
  electricity_cents INTEGER NOT NULL CHECK (electricity_cents >= 0),
  surcharge_cents INTEGER NOT NULL CHECK (surcharge_cents >= 0),
  due_on TEXT NOT NULL CHECK (due_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
  paid_at TEXT CHECK (paid_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
  paid_by TEXT CHECK (paid_by IN ('card', 'bank_transfer')),
  UNIQUE (concession_id, period_from),
  CHECK ((kind = 'quarter') = (concession_id IS NOT NULL)),
  CHECK ((kind = 'spunta_day') = (spunta_assignment_id IS NOT NULL)),
  CHECK (period_to >= period_from),
  CHECK (kind = 'quarter' OR period_to = period_from),
  CHECK (due_on >= period_from),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK ((paid_at IS NULL) = (paid_by IS NULL)),
  CHECK (kind = 'quarter' OR paid_by IS NULL OR paid_by = 'card')
) STRICT;

-- table swap_requests: A swap request: a joint form of two holders to exchange the pitches of two concessions for good.
CREATE TABLE swap_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_concession_id INTEGER NOT NULL REFERENCES concessions (id),
  with_concession_id INTEGER NOT NULL REFERENCES concessions (id),
  asked_on TEXT NOT NULL CHECK (asked_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  answer_due_on TEXT NOT NULL CHECK (answer_due_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('asked', 'approved', 'refused', 'withdrawn')),
  answered_on TEXT CHECK (answered_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  refusal_reason TEXT,
  committee_decision_id INTEGER REFERENCES committee_decisions (id),
  CHECK (from_concession_id <> with_concession_id),
  CHECK (answer_due_on > asked_on),
  CHECK ((status IN ('approved', 'refused')) = (answered_on IS NOT NULL)),
  CHECK (answered_on IS NULL OR answered_on >= asked_on),
  CHECK ((status = 'refused') = (refusal_reason IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX swap_requests_one_asked ON swap_requests (from_concession_id, with_concession_id) WHERE status = 'asked';

-- table business_transfers: A business transfer: the sale or lease of a business before a notary, notified to the office for one concession that goes with it.
CREATE TABLE business_transfers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  concession_id INTEGER NOT NULL REFERENCES concessions (id),
  from_trader_id INTEGER NOT NULL REFERENCES traders (id),
  to_trader_id INTEGER NOT NULL REFERENCES traders (id),
  kind TEXT NOT NULL CHECK (kind IN ('sale', 'lease')),
  notary TEXT NOT NULL,
  deed_on TEXT NOT NULL CHECK (deed_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  starts_on TEXT NOT NULL CHECK (starts_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  ends_on TEXT CHECK (ends_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  notified_on TEXT NOT NULL CHECK (notified_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('notified', 'registered', 'rejected')),
  CHECK (from_trader_id <> to_trader_id),
  CHECK (starts_on >= deed_on),
  CHECK ((kind = 'lease') = (ends_on IS NOT NULL)),
  CHECK (ends_on IS NULL OR ends_on > starts_on),
  CHECK (notified_on >= deed_on)
) STRICT;
CREATE UNIQUE INDEX business_transfers_once_per_deed ON business_transfers (concession_id, deed_on) WHERE status <> 'rejected';

-- table breach_kinds: A kind of breach in the list of fines that a breach report can be for, its reduced sum and whether paying within 5 days is 30 % less.
CREATE TABLE breach_kinds (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  unit TEXT NOT NULL CHECK (unit IN ('flat', 'half_hour', 'half_metre')),
  reduced_cents_per_unit INTEGER NOT NULL CHECK (reduced_cents_per_unit > 0),
  early_discount INTEGER NOT NULL CHECK (early_discount IN (0, 1))
) STRICT;

-- table breach_reports: A breach report of the Polizia Locale served on a trader, with its reduced sum and any suspension.
CREATE TABLE breach_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  trader_id INTEGER NOT NULL REFERENCES traders (id),
  breach_kind_id INTEGER NOT NULL REFERENCES breach_kinds (id),
  market_day_id INTEGER NOT NULL REFERENCES market_days (id),
  pitch_id INTEGER NOT NULL REFERENCES pitches (id),
  facts TEXT NOT NULL,
  units INTEGER NOT NULL CHECK (units > 0),
  reduced_cents INTEGER NOT NULL CHECK (reduced_cents > 0),
  suspension_days INTEGER NOT NULL CHECK (suspension_days >= 0),
  served_on TEXT NOT NULL CHECK (served_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('served', 'paid', 'defended', 'confirmed', 'dismissed')),
  paid_on TEXT CHECK (paid_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  paid_cents INTEGER CHECK (paid_cents > 0),
  closed_on TEXT CHECK (closed_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK ((status = 'paid') = (paid_on IS NOT NULL)),
  CHECK ((paid_on IS NULL) = (paid_cents IS NULL)),
  CHECK (paid_on IS NULL OR paid_on >= served_on),
  CHECK (paid_cents IS NULL OR paid_cents <= reduced_cents),
  CHECK ((status IN ('confirmed', 'dismissed')) = (closed_on IS NOT NULL)),
  CHECK (closed_on IS NULL OR closed_on >= served_on)
) STRICT;

-- table written_defences: A written defence sent to the Comune against a breach report by the trader it was served on.
CREATE TABLE written_defences (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  breach_report_id INTEGER NOT NULL UNIQUE REFERENCES breach_reports (id),
  statement TEXT NOT NULL,
  asks_hearing INTEGER NOT NULL CHECK (asks_hearing IN (0, 1)),
  sent_on TEXT NOT NULL CHECK (sent_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('received', 'upheld', 'rejected')),
  decided_on TEXT CHECK (decided_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK ((status = 'received') = (decided_on IS NULL)),
  CHECK (decided_on IS NULL OR decided_on >= sent_on)
) STRICT;
