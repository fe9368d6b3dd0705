-- table accounts: An account: a person the cinema serves (for a duo two people on one account), who may act as member, as contact of a club or as contact of a school.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  second_name TEXT,
  email TEXT NOT NULL UNIQUE,
  date_of_birth TEXT NOT NULL,
  phone TEXT,
  uitpas_number TEXT UNIQUE,
  kansentarief INTEGER NOT NULL DEFAULT 0 CHECK (kansentarief IN (0, 1)),
  block_reason TEXT,
  CHECK (kansentarief = 0 OR uitpas_number IS NOT NULL)
) STRICT;

-- table halls: One of the cinema's halls, with its seats, whether 35 mm can be run there and what a block of 4 hours costs.
CREATE TABLE halls (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  seats INTEGER NOT NULL CHECK (seats > 0),
  has_35mm INTEGER NOT NULL CHECK (has_35mm IN (0, 1)),
  block_price_cents INTEGER NOT NULL CHECK (block_price_cents > 0)
) STRICT;

-- table clubs: A club: a film club with its treasurer, at most one further contact, and what is still open of last season's settlement.
CREATE TABLE clubs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  treasurer_account_id INTEGER NOT NULL REFERENCES accounts (id),
  second_contact_account_id INTEGER REFERENCES accounts (id),
  partner_since TEXT NOT NULL,
  last_settlement_open_cents INTEGER NOT NULL CHECK (last_settlement_open_cents >= 0),
  CHECK (second_contact_account_id IS NULL OR second_contact_account_id <> treasurer_account_id)
) STRICT;

-- table schools: A school with the account of its one contact and where its invoices go.
CREATE TABLE schools (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  level TEXT NOT NULL CHECK (level IN ('primary', 'secondary')),
  contact_account_id INTEGER NOT NULL UNIQUE REFERENCES accounts (id),
  postcode TEXT NOT NULL,
  invoice_address TEXT NOT NULL
) STRICT;

-- table titles: A title: a film with its Kijkwijzer age (0 is AL, NULL is an unrated archive film).
CREATE TABLE titles (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  year INTEGER NOT NULL CHECK (year BETWEEN 1895 AND 2100),
  director TEXT NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes > 0),
  languages TEXT NOT NULL,
  kijkwijzer_age INTEGER CHECK (kijkwijzer_age IN (0, 6, 9, 12, 14, 16, 18)),
  UNIQUE (name, year)
) STRICT;

-- table copies: A copy of a title on one carrier: a 35 mm print at a lender, or a DCP with the window of its key.
CREATE TABLE copies (
  id INTEGER PRIMARY KEY,
  title_id INTEGER NOT NULL REFERENCES titles (id),
  carrier TEXT NOT NULL CHECK (carrier IN ('35mm', 'DCP')),
  lender TEXT NOT NULL,
  subtitles TEXT,
  reels INTEGER CHECK (reels > 0),
  condition TEXT NOT NULL CHECK (condition IN ('good', 'worn', 'vinegar', 'nitrate')),
  guessed_fee_cents INTEGER NOT NULL CHECK (guessed_fee_cents >= 0),
  key_from TEXT,
  key_until TEXT,
  UNIQUE (title_id, carrier, lender),
  CHECK ((carrier = '35mm') = (reels IS NOT NULL)),
  CHECK (carrier = 'DCP' OR (key_from IS NULL AND key_until IS NULL)),
  CHECK ((key_from IS NULL) = (key_until IS NULL)),
  CHECK (key_until IS NULL OR key_until > key_from)
) STRICT;

-- table rota_slots: A rota slot: the hours in which one projectionist is on the rota, whether still available and whether certified for 35 mm.
CREATE TABLE rota_slots (
  id INTEGER PRIMARY KEY,
  projectionist TEXT NOT NULL,
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  available INTEGER NOT NULL CHECK (available IN (0, 1)),
  certified_35mm INTEGER NOT NULL CHECK (certified_35mm IN (0, 1)),
  UNIQUE (projectionist, starts_at),
  CHECK (ends_at > starts_at)
) STRICT;

-- table payments: A payment by an account, with its structured communication and the part of it paid back so far.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  method TEXT NOT NULL CHECK (method IN ('bancontact', 'credit_card', 'transfer')),
  structured_communication TEXT NOT NULL UNIQUE,
  paid_at TEXT NOT NULL,
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents)
) STRICT;

-- table memberships: A membership: one paid period of 12 months of an account.
CREATE TABLE memberships (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('single', 'under_26', 'duo')),
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  paid_on TEXT NOT NULL,
  payment_id INTEGER REFERENCES payments (id),
  discount_enjoyed_cents INTEGER NOT NULL DEFAULT 0 CHECK (discount_enjoyed_cents >= 0),
  UNIQUE (account_id, starts_on),
  CHECK (ends_on > starts_on)
) STRICT;

-- table programming_requests: A programming request: what a club asks to have shown, its three dates in order of preference, and the quote it got.
CREATE TABLE programming_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  club_id INTEGER NOT NULL REFERENCES clubs (id),
  title_id INTEGER NOT NULL REFERENCES titles (id),
  carrier TEXT NOT NULL CHECK (carrier IN ('35mm', 'DCP')),
  first_wish_at TEXT NOT NULL,
  second_wish_at TEXT NOT NULL,
  third_wish_at TEXT NOT NULL,
  expected_public INTEGER NOT NULL CHECK (expected_public > 0),
  status TEXT NOT NULL CHECK (status IN ('to_be_traced', 'submitted', 'quoted', 'accepted', 'refused', 'withdrawn')),
  submitted_at TEXT NOT NULL,
  quoted_copy_id INTEGER REFERENCES copies (id),
  quoted_hall_id INTEGER REFERENCES halls (id),
  quoted_start_at TEXT,
  quote_hall_cents INTEGER CHECK (quote_hall_cents >= 0),
  quote_loan_fee_cents INTEGER CHECK (quote_loan_fee_cents >= 0),
  quote_35mm_cents INTEGER CHECK (quote_35mm_cents >= 0),
  quote_valid_until TEXT,
  closed_at TEXT,
  CHECK (first_wish_at <> second_wish_at AND first_wish_at <> third_wish_at AND second_wish_at <> third_wish_at),
  CHECK (status NOT IN ('quoted', 'accepted', 'refused') OR (quoted_copy_id IS NOT NULL AND quoted_hall_id IS NOT NULL
    AND quoted_start_at IS NOT NULL AND quote_hall_cents IS NOT NULL AND quote_loan_fee_cents IS NOT NULL
    AND quote_35mm_cents IS NOT NULL AND quote_valid_until IS NOT NULL)),
  CHECK ((status IN ('accepted', 'refused', 'withdrawn')) = (closed_at IS NOT NULL))
) STRICT;

-- table loan_agreements: A loan agreement with a lender for one copy: for which club (or for the cinema itself), how many showings, until when, and an extension asked of the lender.
CREATE TABLE loan_agreements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  copy_id INTEGER NOT NULL REFERENCES copies (id),
  club_id INTEGER REFERENCES clubs (id),
  programming_request_id INTEGER UNIQUE REFERENCES programming_requests (id),
  showings_allowed INTEGER NOT NULL CHECK (showings_allowed > 0),
  showings_used INTEGER NOT NULL DEFAULT 0 CHECK (showings_used BETWEEN 0 AND showings_allowed),
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
  arrive_by TEXT NOT NULL,
  leave_by TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('requested', 'signed', 'released', 'ended')),
  extension_kind TEXT CHECK (extension_kind IN ('extra_showing', 'later_return')),
  extension_leave_by TEXT,
  extension_asked_at TEXT,
  extension_status TEXT CHECK (extension_status IN ('asked', 'granted', 'refused')),
  CHECK (leave_by > arrive_by),
  CHECK (programming_request_id IS NULL OR club_id IS NOT NULL),
  CHECK ((extension_kind IS NULL) = (extension_asked_at IS NULL) AND (extension_kind IS NULL) = (extension_status IS NULL)),
  CHECK ((extension_leave_by IS NOT NULL) = (extension_kind IS NOT NULL AND extension_kind = 'later_return'))
) STRICT;

-- table print_movements: A print movement: the coming in or going out of a loan's print by courier, with its scan and inspection.
CREATE TABLE print_movements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  loan_agreement_id INTEGER NOT NULL REFERENCES loan_agreements (id),
  direction TEXT NOT NULL CHECK (direction IN ('in', 'out')),
  courier_on TEXT NOT NULL,
  scanned_in_at TEXT,
  inspected_at TEXT,
  inspected_by TEXT,
  verdict TEXT CHECK (verdict IN ('passed', 'vinegar', 'nitrate')),
  UNIQUE (loan_agreement_id, direction),
  CHECK (direction = 'in' OR (scanned_in_at IS NULL AND inspected_at IS NULL)),
  CHECK (inspected_at IS NULL OR (scanned_in_at IS NOT NULL AND inspected_at > scanned_in_at)),
  CHECK ((inspected_at IS NULL) = (verdict IS NULL) AND (inspected_at IS NULL) = (inspected_by IS NULL))
) STRICT;

-- table screenings: A screening of a copy in a hall: public, of a club or for schools; seats_held are the seats given to others that no ticket or school booking here stands for.
CREATE TABLE screenings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  copy_id INTEGER NOT NULL REFERENCES copies (id),
  hall_id INTEGER NOT NULL REFERENCES halls (id),
  starts_at TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('public', 'club', 'school')),
  club_id INTEGER REFERENCES clubs (id),
  loan_agreement_id INTEGER REFERENCES loan_agreements (id),
  rota_slot_id INTEGER REFERENCES rota_slots (id),
  is_preview INTEGER NOT NULL DEFAULT 0 CHECK (is_preview IN (0, 1)),
  sale_opens_at TEXT,
  seats_held INTEGER NOT NULL DEFAULT 0 CHECK (seats_held >= 0),
  status TEXT NOT NULL CHECK (status IN ('scheduled', 'shown', 'cancelled')),
  CHECK ((kind = 'club') = (club_id IS NOT NULL)),
  CHECK (kind <> 'public' OR sale_opens_at IS NOT NULL),
  CHECK (sale_opens_at IS NULL OR sale_opens_at < starts_at)
) STRICT;
CREATE UNIQUE INDEX screenings_hall_start ON screenings (hall_id, starts_at) WHERE status <> 'cancelled';

-- table passes: A pass: a tienrittenkaart of an account, with the rides bought and left.
CREATE TABLE passes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  payment_id INTEGER REFERENCES payments (id),
  rides_bought INTEGER NOT NULL CHECK (rides_bought > 0),
  rides_left INTEGER NOT NULL CHECK (rides_left BETWEEN 0 AND rides_bought),
  bought_on TEXT NOT NULL,
  expires_on TEXT NOT NULL,
  CHECK (expires_on > bought_on)
) STRICT;

-- table vouchers: A voucher of an account: a gift, a refund or goodwill, with its value and what is left of it.
CREATE TABLE vouchers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  payment_id INTEGER REFERENCES payments (id),
  origin TEXT NOT NULL CHECK (origin IN ('gift', 'refund', 'goodwill')),
  value_cents INTEGER NOT NULL CHECK (value_cents > 0),
  left_cents INTEGER NOT NULL CHECK (left_cents BETWEEN 0 AND value_cents),
  issued_on TEXT NOT NULL,
  expires_on TEXT NOT NULL,
  CHECK (expires_on > issued_on)
) STRICT;

-- table tickets: A ticket: one seat for a screening, bought by an account at one tariff and paid by pass, voucher, money or voucher and money together.
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  screening_id INTEGER NOT NULL REFERENCES screenings (id),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  tariff TEXT NOT NULL CHECK (tariff IN ('standard', 'member', 'under_26', 'under_12', 'kansentarief')),
  holder_age INTEGER CHECK (holder_age BETWEEN 0 AND 120),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  pass_id INTEGER REFERENCES passes (id),
  voucher_id INTEGER REFERENCES vouchers (id),
  voucher_cents INTEGER NOT NULL DEFAULT 0 CHECK (voucher_cents BETWEEN 0 AND price_cents),
  payment_id INTEGER REFERENCES payments (id),
  swap_payment_id INTEGER REFERENCES payments (id),
  bought_at TEXT NOT NULL,
  swapped INTEGER NOT NULL DEFAULT 0 CHECK (swapped IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('valid', 'used', 'returned')),
  returned_at TEXT,
  refunded_money_cents INTEGER CHECK (refunded_money_cents >= 0),
  refund_voucher_id INTEGER REFERENCES vouchers (id),
  CHECK ((voucher_id IS NOT NULL) = (voucher_cents > 0)),
  CHECK (pass_id IS NULL OR (voucher_id IS NULL AND payment_id IS NULL)),
  CHECK (pass_id IS NOT NULL OR voucher_cents = price_cents OR payment_id IS NOT NULL OR swap_payment_id IS NOT NULL),
  CHECK (swap_payment_id IS NULL OR swapped = 1),
  CHECK ((status = 'returned') = (returned_at IS NOT NULL)),
  CHECK (returned_at IS NULL OR returned_at >= bought_at),
  CHECK (status = 'returned' OR (refunded_money_cents IS NULL AND refund_voucher_id IS NULL))
) STRICT;

-- table waiting_list_entries: A waiting-list entry: the seats an account waits for at a sold-out screening, and the offer that is running.
CREATE TABLE waiting_list_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  screening_id INTEGER NOT NULL REFERENCES screenings (id),
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  seats_wanted INTEGER NOT NULL CHECK (seats_wanted BETWEEN 1 AND 4),
  since TEXT NOT NULL,
  seats_offered INTEGER CHECK (seats_offered >= 1 AND seats_offered <= seats_wanted),
  offer_sent_at TEXT,
  offer_lapses_at TEXT,
  lapsed_offers INTEGER NOT NULL DEFAULT 0 CHECK (lapsed_offers BETWEEN 0 AND 2),
  status TEXT NOT NULL CHECK (status IN ('waiting', 'offered', 'taken', 'declined', 'left', 'dropped')),
  closed_at TEXT,
  CHECK ((offer_sent_at IS NULL) = (offer_lapses_at IS NULL) AND (offer_sent_at IS NULL) = (seats_offered IS NULL)),
  CHECK (offer_lapses_at IS NULL OR offer_lapses_at > offer_sent_at),
  CHECK (status <> 'offered' OR offer_sent_at IS NOT NULL),
  CHECK ((status IN ('waiting', 'offered')) = (closed_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX waiting_list_entries_one_place ON waiting_list_entries (screening_id, account_id) WHERE status IN ('waiting', 'offered');

-- table hall_bookings: A hall booking: a block of a hall that an account (or its club) hires, from option to confirmation or cancellation, with its prices, deposit and fee.
CREATE TABLE hall_bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  club_id INTEGER REFERENCES clubs (id),
  hall_id INTEGER NOT NULL REFERENCES halls (id),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  purpose TEXT NOT NULL,
  copy_id INTEGER REFERENCES copies (id),
  guests INTEGER NOT NULL CHECK (guests > 0),
  youngest_age INTEGER CHECK (youngest_age BETWEEN 0 AND 120),
  hall_cents INTEGER NOT NULL CHECK (hall_cents > 0),
  licence_cents INTEGER NOT NULL DEFAULT 0 CHECK (licence_cents >= 0),
  projection_35mm_cents INTEGER NOT NULL DEFAULT 0 CHECK (projection_35mm_cents >= 0),
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents > 0),
  deposit_payment_id INTEGER UNIQUE REFERENCES payments (id),
  optioned_at TEXT NOT NULL,
  option_until TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('option', 'confirmed', 'lapsed', 'cancelled')),
  cancelled_at TEXT,
  cancellation_fee_cents INTEGER CHECK (cancellation_fee_cents >= 0),
  CHECK (ends_at > starts_at),
  CHECK (option_until > optioned_at AND starts_at > optioned_at),
  CHECK (copy_id IS NOT NULL OR (licence_cents = 0 AND projection_35mm_cents = 0)),
  CHECK (status <> 'confirmed' OR deposit_payment_id IS NOT NULL),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL) AND (cancelled_at IS NULL) = (cancellation_fee_cents IS NULL))
) STRICT;
CREATE UNIQUE INDEX hall_bookings_hall_start ON hall_bookings (hall_id, starts_at) WHERE status IN ('option', 'confirmed');

-- table school_bookings: A school booking: a school's places at a school screening, from option to final headcount or cancellation.
CREATE TABLE school_bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  school_id INTEGER NOT NULL REFERENCES schools (id),
  screening_id INTEGER NOT NULL REFERENCES screenings (id),
  pupils_announced INTEGER NOT NULL CHECK (pupils_announced > 0),
  pupils_final INTEGER CHECK (pupils_final > 0),
  teachers INTEGER NOT NULL CHECK (teachers > 0),
  youngest_age INTEGER NOT NULL CHECK (youngest_age BETWEEN 3 AND 25),
  preview_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (preview_confirmed IN (0, 1)),
  optioned_at TEXT NOT NULL,
  option_until TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('option', 'confirmed', 'lapsed', 'cancelled')),
  cancelled_at TEXT,
  cancellation_fee_cents INTEGER CHECK (cancellation_fee_cents >= 0),
  CHECK (option_until > optioned_at),
  CHECK (pupils_final IS NULL OR status IN ('confirmed', 'cancelled')),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL) AND (cancelled_at IS NULL) = (cancellation_fee_cents IS NULL))
) STRICT;
CREATE UNIQUE INDEX school_bookings_one_each ON school_bookings (school_id, screening_id) WHERE status IN ('option', 'confirmed');
