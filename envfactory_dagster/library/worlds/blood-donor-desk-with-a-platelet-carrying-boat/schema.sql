-- table desk_staff: A member of the staff of the Mesón de Donantes who works with this service for the donors; row 1 is the user.
CREATE TABLE desk_staff (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  full_name TEXT NOT NULL UNIQUE,
  post TEXT NOT NULL CHECK (post IN ('desk_clerk', 'mobile_unit_clerk', 'desk_head')),
  annex TEXT CHECK (annex IS NULL OR length(annex) = 3)
) STRICT;

-- table sites: A Site where donors are received, fixed (Casa Central and the annexes) or mobile, with the kinds of donation it takes.
CREATE TABLE sites (
  id INTEGER PRIMARY KEY,
  site_code TEXT NOT NULL UNIQUE CHECK (site_code IN ('casa_central', 'vina', 'quillota', 'um_portales', 'um_plan')),
  name TEXT NOT NULL UNIQUE,
  mobile INTEGER NOT NULL CHECK (mobile IN (0, 1)),
  takes_whole_blood INTEGER NOT NULL CHECK (takes_whole_blood IN (0, 1)),
  takes_platelets INTEGER NOT NULL CHECK (takes_platelets IN (0, 1)),
  takes_plasma INTEGER NOT NULL CHECK (takes_plasma IN (0, 1)),
  takes_double_red INTEGER NOT NULL CHECK (takes_double_red IN (0, 1)),
  hours TEXT NOT NULL,
  CHECK (takes_whole_blood + takes_platelets + takes_plasma + takes_double_red >= 1)
) STRICT;

-- table hospitals: A Hospital that asks for replacement donors for its patients.
CREATE TABLE hospitals (
  id INTEGER PRIMARY KEY,
  hospital_code TEXT NOT NULL UNIQUE CHECK (hospital_code IN ('van_buren', 'fricke', 'eduardo_pereira', 'quillota', 'claudio_vicuna', 'naval')),
  name TEXT NOT NULL UNIQUE
) STRICT;

-- table donors: The card of a Donor; its id is the card number, donor_id.
CREATE TABLE donors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT UNIQUE CHECK (run IS NULL OR run GLOB '[0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9K]' OR run GLOB '[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9K]'),
  passport TEXT UNIQUE,
  given_names TEXT NOT NULL,
  surnames TEXT NOT NULL,
  born_on TEXT NOT NULL,
  sex TEXT NOT NULL CHECK (sex IN ('F', 'M')),
  blood_group TEXT CHECK (blood_group IS NULL OR blood_group IN ('O+', 'O-', 'A+', 'A-', 'B+', 'B-', 'AB+', 'AB-')),
  phone TEXT,
  email TEXT,
  address TEXT,
  call_preference TEXT NOT NULL CHECK (call_preference IN ('text', 'call', 'none')),
  form_r2_signed INTEGER NOT NULL CHECK (form_r2_signed IN (0, 1)),
  doctor_ok TEXT,
  parent_present INTEGER NOT NULL CHECK (parent_present IN (0, 1)),
  paper_donations INTEGER NOT NULL CHECK (paper_donations >= 0),
  registered_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  CHECK (run IS NOT NULL OR passport IS NOT NULL),
  CHECK (born_on < registered_at)
) STRICT;

-- table weighings: A Weighing of a donor at a site; the latest one is the weight on the card.
CREATE TABLE weighings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  donor_id INTEGER NOT NULL REFERENCES donors (id),
  site_id INTEGER NOT NULL REFERENCES sites (id),
  kg REAL NOT NULL CHECK (kg BETWEEN 30 AND 250 AND kg * 2 = CAST(kg * 2 AS INTEGER)),
  weighed_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  UNIQUE (donor_id, weighed_at)
) STRICT;

-- table deferrals: A Deferral of a donor for some or all kinds of donation; until_on is null while it depends on a test or a doctor.
CREATE TABLE deferrals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  donor_id INTEGER NOT NULL REFERENCES donors (id),
  cause TEXT NOT NULL CHECK (cause IN ('travel', 'medication', 'laboratory', 'interview')),
  defers_whole_blood INTEGER NOT NULL CHECK (defers_whole_blood IN (0, 1)),
  defers_platelets INTEGER NOT NULL CHECK (defers_platelets IN (0, 1)),
  defers_plasma INTEGER NOT NULL CHECK (defers_plasma IN (0, 1)),
  defers_double_red INTEGER NOT NULL CHECK (defers_double_red IN (0, 1)),
  from_on TEXT NOT NULL,
  until_on TEXT,
  place TEXT,
  risk TEXT CHECK (risk IS NULL OR risk IN ('malaria', 'malaria_resident', 'arbovirus', 'chagas')),
  returned_on TEXT,
  medicine TEXT CHECK (medicine IS NULL OR medicine IN ('anti_inflammatory', 'antibiotic', 'isotretinoin', 'finasteride', 'dutasteride', 'anticoagulant', 'acitretin', 'prep', 'other')),
  last_dose_on TEXT,
  note TEXT CHECK (note IS NULL OR length(note) <= 200),
  status TEXT NOT NULL CHECK (status IN ('active', 'lifted')),
  created_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  lifted_at TEXT,
  lift_doctor TEXT,
  lift_reason TEXT CHECK (lift_reason IS NULL OR length(lift_reason) >= 10),
  CHECK (until_on IS NULL OR until_on >= from_on),
  CHECK ((cause = 'travel') = (risk IS NOT NULL AND place IS NOT NULL AND returned_on IS NOT NULL)),
  CHECK ((cause = 'medication') = (medicine IS NOT NULL AND last_dose_on IS NOT NULL)),
  CHECK (medicine IS NULL OR medicine <> 'other' OR note IS NOT NULL),
  CHECK ((status = 'lifted') = (lifted_at IS NOT NULL)),
  CHECK ((lifted_at IS NULL) = (lift_reason IS NULL) AND (lifted_at IS NULL) = (lift_doctor IS NULL)),
  CHECK (lifted_at IS NULL OR lifted_at >= created_at),
  CHECK (defers_whole_blood + defers_platelets + defers_plasma + defers_double_red >= 1)
) STRICT;

-- table slots: A Slot of a site with its places; it shows as full when it is free or kept and every place is taken.
CREATE TABLE slots (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slot_code TEXT NOT NULL UNIQUE,
  site_id INTEGER NOT NULL REFERENCES sites (id),
  starts_at TEXT NOT NULL,
  takes_whole_blood INTEGER NOT NULL CHECK (takes_whole_blood IN (0, 1)),
  takes_platelets INTEGER NOT NULL CHECK (takes_platelets IN (0, 1)),
  takes_plasma INTEGER NOT NULL CHECK (takes_plasma IN (0, 1)),
  takes_double_red INTEGER NOT NULL CHECK (takes_double_red IN (0, 1)),
  places INTEGER NOT NULL CHECK (places >= 1),
  state TEXT NOT NULL CHECK (state IN ('free', 'kept', 'blocked')),
  block_reason TEXT CHECK (block_reason IS NULL OR block_reason IN ('boat', 'equipment', 'staff', 'swell', 'other')),
  block_note TEXT,
  blocked_at TEXT,
  blocked_by INTEGER REFERENCES desk_staff (id),
  UNIQUE (site_id, starts_at),
  CHECK ((state = 'blocked') = (block_reason IS NOT NULL)),
  CHECK ((state = 'blocked') = (blocked_at IS NOT NULL)),
  CHECK ((state = 'blocked') = (blocked_by IS NOT NULL)),
  CHECK (block_note IS NULL OR state = 'blocked'),
  CHECK (takes_whole_blood + takes_platelets + takes_plasma + takes_double_red >= 1)
) STRICT;

-- table boat_sailings: A Sailing of the boat to Robinson Crusoe island on a Thursday, with the units of platelets declared for it and the slot blocked because of them.
CREATE TABLE boat_sailings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sailing_date TEXT NOT NULL UNIQUE CHECK (strftime('%w', sailing_date) = '4'),
  state TEXT NOT NULL CHECK (state IN ('undecided', 'sails', 'no_boat', 'port_closed')),
  units INTEGER NOT NULL CHECK (units BETWEEN 0 AND 6),
  ordered_by TEXT,
  blocked_slot_id INTEGER UNIQUE REFERENCES slots (id),
  declared_at TEXT,
  recorded_by INTEGER REFERENCES desk_staff (id),
  CHECK (units = 0 OR declared_at IS NOT NULL),
  CHECK (blocked_slot_id IS NULL OR units > 0),
  CHECK ((declared_at IS NULL) = (recorded_by IS NULL))
) STRICT;

-- table replacement_requests: A Replacement request of a hospital for one patient, open 60 days; credited is counted from its credits.
CREATE TABLE replacement_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE CHECK (code GLOB '[A-Z][A-Z][A-Z]-[0-9][0-9][0-9][0-9]'),
  hospital_id INTEGER NOT NULL REFERENCES hospitals (id),
  patient_initials TEXT NOT NULL CHECK (length(patient_initials) BETWEEN 1 AND 5),
  patient_birth_year INTEGER NOT NULL CHECK (patient_birth_year BETWEEN 1900 AND 2100),
  procedure TEXT NOT NULL CHECK (procedure IN ('planned_surgery', 'heart_surgery', 'haematology', 'other')),
  asked INTEGER NOT NULL CHECK (asked >= 1),
  opened_at TEXT NOT NULL,
  open_until TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  CHECK (open_until > opened_at)
) STRICT;

-- table appointments: An Appointment of a donor in a slot for one kind of donation, from booking to its end; its moves are counted from appointment_moves.
CREATE TABLE appointments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  donor_id INTEGER NOT NULL REFERENCES donors (id),
  slot_id INTEGER NOT NULL REFERENCES slots (id),
  kind TEXT NOT NULL CHECK (kind IN ('whole_blood', 'platelets', 'plasma', 'double_red')),
  state TEXT NOT NULL CHECK (state IN ('booked', 'checked_in', 'donated', 'turned_away', 'cancelled', 'no_show')),
  replacement_request_id INTEGER REFERENCES replacement_requests (id),
  booked_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  checked_in_at TEXT,
  document_seen TEXT CHECK (document_seen IS NULL OR document_seen IN ('cedula', 'passport')),
  has_eaten INTEGER CHECK (has_eaten IS NULL OR has_eaten IN (0, 1)),
  cancelled_at TEXT,
  cancel_reason TEXT CHECK (cancel_reason IS NULL OR cancel_reason IN ('donor', 'illness', 'site', 'other')),
  CHECK ((state IN ('checked_in', 'donated', 'turned_away')) = (checked_in_at IS NOT NULL)),
  CHECK ((checked_in_at IS NULL) = (document_seen IS NULL) AND (checked_in_at IS NULL) = (has_eaten IS NULL)),
  CHECK (state <> 'cancelled' OR cancelled_at IS NOT NULL),
  CHECK (cancelled_at IS NULL OR state IN ('cancelled', 'no_show')),
  CHECK (cancel_reason IS NULL OR cancelled_at IS NOT NULL),
  CHECK (checked_in_at IS NULL OR checked_in_at >= booked_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at)
) STRICT;
CREATE UNIQUE INDEX appointments_one_open ON appointments (donor_id) WHERE state IN ('booked', 'checked_in');

-- table appointment_moves: An Appointment move from one slot to another, with the sailing that caused it where it was the boat.
CREATE TABLE appointment_moves (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  appointment_id INTEGER NOT NULL REFERENCES appointments (id),
  from_slot_id INTEGER NOT NULL REFERENCES slots (id),
  to_slot_id INTEGER NOT NULL REFERENCES slots (id),
  because_of_boat INTEGER NOT NULL CHECK (because_of_boat IN (0, 1)),
  boat_sailing_id INTEGER REFERENCES boat_sailings (id),
  moved_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  CHECK (from_slot_id <> to_slot_id),
  CHECK ((because_of_boat = 1) = (boat_sailing_id IS NOT NULL))
) STRICT;

-- table breakfast_vouchers: A Breakfast voucher for the kiosk, given at check-in to a donor who has not eaten and then waits 30 minutes.
CREATE TABLE breakfast_vouchers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  appointment_id INTEGER NOT NULL UNIQUE REFERENCES appointments (id),
  amount_clp INTEGER NOT NULL CHECK (amount_clp > 0),
  issued_at TEXT NOT NULL,
  wait_until TEXT NOT NULL,
  CHECK (wait_until > issued_at)
) STRICT;

-- table donations: A Donation or failed puncture since 2 May 2011, with the appointment it came from where there was one.
CREATE TABLE donations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  donation_code TEXT NOT NULL UNIQUE CHECK (donation_code GLOB 'D[0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]'),
  donor_id INTEGER NOT NULL REFERENCES donors (id),
  site_id INTEGER NOT NULL REFERENCES sites (id),
  appointment_id INTEGER UNIQUE REFERENCES appointments (id),
  kind TEXT NOT NULL CHECK (kind IN ('whole_blood', 'platelets', 'plasma', 'double_red')),
  given_on TEXT NOT NULL CHECK (given_on >= '2011-05-02'),
  volume_ml INTEGER NOT NULL CHECK (volume_ml BETWEEN 0 AND 1000),
  failed INTEGER NOT NULL CHECK (failed IN (0, 1))
) STRICT;

-- table replacement_credits: A Replacement credit: an appointment counted for a patient's request, twice for platelets.
CREATE TABLE replacement_credits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  replacement_request_id INTEGER NOT NULL REFERENCES replacement_requests (id),
  appointment_id INTEGER NOT NULL UNIQUE REFERENCES appointments (id),
  donors_counted INTEGER NOT NULL CHECK (donors_counted IN (1, 2)),
  credited_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id)
) STRICT;

-- table rare_list_entries: A Rare list entry: a donor on one of the calling lists, with the comuna the donor would travel from.
CREATE TABLE rare_list_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  list_code TEXT NOT NULL CHECK (list_code IN ('o_neg', 'bombay', 'rh_null', 'kp_b_neg', 'diego_b_neg', 'iga_deficient')),
  donor_id INTEGER NOT NULL REFERENCES donors (id),
  comuna TEXT NOT NULL,
  beyond_fare_line INTEGER NOT NULL CHECK (beyond_fare_line IN (0, 1)),
  listed_on TEXT NOT NULL,
  UNIQUE (list_code, donor_id)
) STRICT;

-- table rare_calls: A Rare call to a donor on a calling list, answered or not; the rest after two refusals in a row is reckoned from these.
CREATE TABLE rare_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rare_list_entry_id INTEGER NOT NULL REFERENCES rare_list_entries (id),
  called_at TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('coming', 'refused', 'no_answer', 'wrong_number', 'ask_later')),
  urgent INTEGER NOT NULL CHECK (urgent IN (0, 1)),
  doctor TEXT,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  CHECK (urgent = 1 OR (substr(called_at, 12, 5) >= '07:30' AND substr(called_at, 12, 5) < '22:00')),
  CHECK (urgent = 0 OR doctor IS NOT NULL)
) STRICT;

-- table fare_refunds: A Fare refund promised to a rare-type donor who said on a call that they are coming, up to a ceiling of $15.000, or $40.000 from beyond La Ligua or San Antonio.
CREATE TABLE fare_refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rare_call_id INTEGER NOT NULL UNIQUE REFERENCES rare_calls (id),
  ceiling_clp INTEGER NOT NULL CHECK (ceiling_clp IN (15000, 40000)),
  status TEXT NOT NULL CHECK (status IN ('promised', 'paid')),
  paid_clp INTEGER CHECK (paid_clp IS NULL OR paid_clp > 0),
  paid_at TEXT,
  CHECK ((status = 'paid') = (paid_clp IS NOT NULL)),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK (paid_clp IS NULL OR paid_clp <= ceiling_clp)
) STRICT;

-- table certificates: A Certificate for the day of an appointment, one row for each copy issued; copy 1 is free and every paper duplicate costs $1.500.
CREATE TABLE certificates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folio TEXT NOT NULL UNIQUE CHECK (folio GLOB 'M[0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),
  appointment_id INTEGER NOT NULL REFERENCES appointments (id),
  copy_number INTEGER NOT NULL CHECK (copy_number >= 1),
  type TEXT NOT NULL CHECK (type IN ('half_day', 'attendance')),
  date TEXT NOT NULL,
  half TEXT CHECK (half IS NULL OR half IN ('morning', 'afternoon', 'until_15')),
  employer TEXT,
  format TEXT NOT NULL CHECK (format IN ('pdf', 'paper')),
  duplicate_fee_clp INTEGER NOT NULL CHECK (duplicate_fee_clp IN (0, 1500)),
  issued_at TEXT NOT NULL,
  recorded_by INTEGER NOT NULL REFERENCES desk_staff (id),
  UNIQUE (appointment_id, copy_number),
  CHECK ((type = 'half_day') = (half IS NOT NULL)),
  CHECK (duplicate_fee_clp = 0 OR (copy_number > 1 AND format = 'paper')),
  CHECK (issued_at >= date)
) STRICT;
