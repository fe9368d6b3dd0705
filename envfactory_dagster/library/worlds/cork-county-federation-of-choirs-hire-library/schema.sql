-- table choirs in data/choirs.csv: A row is a member choir of the federation, with the person who asks for it, its number of singers and the day up to which its subscription is paid.
CREATE TABLE choirs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  contact_name TEXT NOT NULL CHECK (contact_name <> ''),
  singers INTEGER NOT NULL CHECK (singers > 0),
  paid_to TEXT NOT NULL CHECK (paid_to GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;

-- table collectors in data/collectors.csv: A row is a collector named by a choir, who alone may collect a set for it.
CREATE TABLE collectors (
  id INTEGER PRIMARY KEY,
  choir_id INTEGER NOT NULL REFERENCES choirs (id),
  name TEXT NOT NULL CHECK (name <> ''),
  UNIQUE (choir_id, name)
) STRICT;

-- table works in data/works.yaml: A row is a work of which the library holds an edition or two, with its season and the note on it: voices, accompaniment, difficulties.
CREATE TABLE works (
  id INTEGER PRIMARY KEY,
  composer TEXT NOT NULL CHECK (composer <> ''),
  title TEXT NOT NULL CHECK (title <> ''),
  season TEXT NOT NULL CHECK (season IN ('general', 'christmas', 'lent', 'easter')),
  note TEXT NOT NULL CHECK (note <> ''),
  UNIQUE (composer, title)
) STRICT;

-- table editions in data/editions.csv: A row is an edition of a work by one publisher, with the number of copies of it that the library owns now, lost ones no longer counted.
CREATE TABLE editions (
  id INTEGER PRIMARY KEY,
  work_id INTEGER NOT NULL REFERENCES works (id),
  publisher TEXT NOT NULL CHECK (publisher <> ''),
  copies_owned INTEGER NOT NULL CHECK (copies_owned >= 0),
  UNIQUE (work_id, publisher)
) STRICT;

-- table bookings in data/bookings.csv: A row is a booking: a choir wants so many copies of an edition from a day on for a concert, and they are kept for it until 14 days after that concert unless it is cancelled.
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  choir_id INTEGER NOT NULL REFERENCES choirs (id),
  edition_id INTEGER NOT NULL REFERENCES editions (id),
  copies INTEGER NOT NULL CHECK (copies > 0),
  wanted_from TEXT NOT NULL CHECK (wanted_from GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  concert_date TEXT NOT NULL CHECK (concert_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  booked_on TEXT NOT NULL CHECK (booked_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('open', 'collected', 'cancelled')),
  cancelled_on TEXT NOT NULL CHECK (cancelled_on = '' OR cancelled_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK (booked_on <= wanted_from),
  CHECK (wanted_from <= concert_date),
  CHECK ((status = 'cancelled') = (cancelled_on <> '')),
  CHECK (cancelled_on = '' OR cancelled_on >= booked_on)
) STRICT;

-- table loans in data/loans.csv: A row is a loan: a set of copies of one edition put out to a choir for a concert, who collected it and who entered it (librarian, volunteer, or the choir's own request), when it is due, whether it was extended, when it came back and with how many copies lost.
CREATE TABLE loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  choir_id INTEGER NOT NULL REFERENCES choirs (id),
  edition_id INTEGER NOT NULL REFERENCES editions (id),
  copies INTEGER NOT NULL CHECK (copies > 0),
  concert_date TEXT NOT NULL CHECK (concert_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  out_on TEXT NOT NULL CHECK (out_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  due_on TEXT NOT NULL CHECK (due_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  extended INTEGER NOT NULL CHECK (extended IN (0, 1)),
  collector_id INTEGER NOT NULL REFERENCES collectors (id),
  entered_by TEXT NOT NULL CHECK (entered_by IN ('nuala', 'donal', 'aoife', 'choir')),
  status TEXT NOT NULL CHECK (status IN ('out', 'returned')),
  back_on TEXT NOT NULL CHECK (back_on = '' OR back_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  copies_lost INTEGER NOT NULL CHECK (copies_lost >= 0),
  CHECK (out_on <= concert_date),
  CHECK (concert_date < due_on),
  CHECK ((status = 'returned') = (back_on <> '')),
  CHECK (back_on = '' OR back_on >= out_on),
  CHECK (copies_lost <= copies),
  CHECK (status = 'returned' OR copies_lost = 0)
) STRICT;

-- table charges in data/charges.csv: A row is a charge to a choir for one of its loans: the hire, the lateness or the lost copies, paid or not.
CREATE TABLE charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  choir_id INTEGER NOT NULL REFERENCES choirs (id),
  loan_id INTEGER NOT NULL REFERENCES loans (id),
  kind TEXT NOT NULL CHECK (kind IN ('hire', 'late', 'lost')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  charged_on TEXT NOT NULL CHECK (charged_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('unpaid', 'paid')),
  paid_on TEXT NOT NULL CHECK (paid_on = '' OR paid_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  UNIQUE (loan_id, kind),
  CHECK ((status = 'paid') = (paid_on <> '')),
  CHECK (paid_on = '' OR paid_on >= charged_on)
) STRICT;

-- document docs/hire-rules.md: The terms of hire: copies and works a choir may have, when a set falls due, the one extension, debts, and who may collect.

-- document docs/charges.txt: The price list for 2026: hire a copy for paid-up and lapsed choirs, late sets, lost copies, and on which day each is charged.

-- document docs/two-editions.md: A notice on works held in two editions whose page and bar numbers differ, and why copies of both never make one set.
