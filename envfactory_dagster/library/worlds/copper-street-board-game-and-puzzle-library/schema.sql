-- table members: A row is a Member of the club; row 1 is the user.
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0)
) STRICT;

-- table titles: A row is a Title, a board game or a jigsaw, with the number of pieces that each copy should contain.
CREATE TABLE titles (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0),
  kind TEXT NOT NULL CHECK (kind IN ('board_game', 'jigsaw')),
  piece_count INTEGER NOT NULL CHECK (piece_count > 0),
  UNIQUE (name, piece_count)
) STRICT;

-- table copies: A row is a Copy of a title with the label on its box; it is lendable, or table-only while a piece is missing, or withdrawn.
CREATE TABLE copies (
  id INTEGER PRIMARY KEY,
  title_id INTEGER NOT NULL REFERENCES titles (id),
  label TEXT NOT NULL UNIQUE CHECK (length(label) > 0),
  status TEXT NOT NULL CHECK (status IN ('lendable', 'table_only', 'withdrawn'))
) STRICT;
CREATE INDEX copies_title ON copies (title_id);

-- table loans: A row is a Loan of a copy to a member, with its due day, how often it was renewed and, once counted on return, whether a piece was missing.
CREATE TABLE loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  copy_id INTEGER NOT NULL REFERENCES copies (id),
  status TEXT NOT NULL DEFAULT 'out' CHECK (status IN ('out', 'returned')),
  borrowed_at TEXT NOT NULL CHECK (length(borrowed_at) = 19),
  due_day TEXT NOT NULL CHECK (due_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  renewals INTEGER NOT NULL DEFAULT 0 CHECK (renewals BETWEEN 0 AND 2),
  returned_at TEXT CHECK (length(returned_at) = 19),
  returned_short INTEGER CHECK (returned_short IN (0, 1)),
  CHECK (due_day > substr(borrowed_at, 1, 10)),
  CHECK ((status = 'returned') = (returned_at IS NOT NULL)),
  CHECK ((returned_at IS NULL) = (returned_short IS NULL)),
  CHECK (returned_at IS NULL OR returned_at >= borrowed_at)
) STRICT;
CREATE UNIQUE INDEX loans_copy_out ON loans (copy_id) WHERE status = 'out';
CREATE INDEX loans_member ON loans (member_id, status);

-- table holds: A row is a Hold of a member on a title; once it is ready, it names the copy kept for 7 days.
CREATE TABLE holds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  title_id INTEGER NOT NULL REFERENCES titles (id),
  copy_id INTEGER REFERENCES copies (id),
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'ready', 'collected', 'expired', 'cancelled')),
  placed_at TEXT NOT NULL CHECK (length(placed_at) = 19),
  ready_at TEXT CHECK (length(ready_at) = 19),
  collected_at TEXT CHECK (length(collected_at) = 19),
  expired_at TEXT CHECK (length(expired_at) = 19),
  cancelled_at TEXT CHECK (length(cancelled_at) = 19),
  CHECK (status <> 'waiting' OR ready_at IS NULL),
  CHECK (status NOT IN ('ready', 'collected', 'expired') OR ready_at IS NOT NULL),
  CHECK ((ready_at IS NULL) = (copy_id IS NULL)),
  CHECK ((status = 'collected') = (collected_at IS NOT NULL)),
  CHECK ((status = 'expired') = (expired_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (ready_at IS NULL OR ready_at >= placed_at),
  CHECK (collected_at IS NULL OR collected_at >= ready_at),
  CHECK (expired_at IS NULL OR expired_at >= ready_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= placed_at)
) STRICT;
CREATE UNIQUE INDEX holds_member_title ON holds (member_id, title_id) WHERE status IN ('waiting', 'ready');

-- table piece_reports: A row is a Piece report: what is missing from a copy, reported for the loan in which it was lost, open until a spare part is matched to it.
CREATE TABLE piece_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  copy_id INTEGER NOT NULL REFERENCES copies (id),
  loan_id INTEGER NOT NULL REFERENCES loans (id),
  piece TEXT NOT NULL CHECK (length(piece) > 0),
  pieces_missing INTEGER NOT NULL DEFAULT 1 CHECK (pieces_missing > 0),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
  reported_at TEXT NOT NULL CHECK (length(reported_at) = 19),
  resolved_at TEXT CHECK (length(resolved_at) = 19),
  CHECK ((status = 'resolved') = (resolved_at IS NOT NULL)),
  CHECK (resolved_at IS NULL OR resolved_at >= reported_at)
) STRICT;
CREATE INDEX piece_reports_copy ON piece_reports (copy_id, status);

-- table spare_parts: A row is a Spare part that a member offered for a piece report, waiting to be looked at, matched or rejected.
CREATE TABLE spare_parts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  piece_report_id INTEGER NOT NULL REFERENCES piece_reports (id),
  description TEXT NOT NULL CHECK (length(description) > 0),
  status TEXT NOT NULL DEFAULT 'offered' CHECK (status IN ('offered', 'matched', 'rejected')),
  offered_at TEXT NOT NULL CHECK (length(offered_at) = 19),
  decided_at TEXT CHECK (length(decided_at) = 19),
  CHECK ((status = 'offered') = (decided_at IS NULL)),
  CHECK (decided_at IS NULL OR decided_at >= offered_at)
) STRICT;
CREATE UNIQUE INDEX spare_parts_matched ON spare_parts (piece_report_id) WHERE status = 'matched';

-- table replacement_charges: A row is a Replacement charge to a member for the missing piece of one piece report, unpaid or paid.
CREATE TABLE replacement_charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  piece_report_id INTEGER NOT NULL UNIQUE REFERENCES piece_reports (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL DEFAULT 'unpaid' CHECK (status IN ('unpaid', 'paid')),
  charged_at TEXT NOT NULL CHECK (length(charged_at) = 19),
  paid_at TEXT CHECK (length(paid_at) = 19),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK (paid_at IS NULL OR paid_at >= charged_at)
) STRICT;
CREATE INDEX replacement_charges_member ON replacement_charges (member_id, status);

-- table club_evenings: A row is a Club evening with its start and end.
CREATE TABLE club_evenings (
  id INTEGER PRIMARY KEY,
  starts_at TEXT NOT NULL UNIQUE CHECK (length(starts_at) = 19),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 19),
  status TEXT NOT NULL CHECK (status IN ('planned', 'held', 'cancelled')),
  CHECK (ends_at > starts_at)
) STRICT;

-- table hosting_turns: A row is a Hosting turn of a member at a club evening, signed up for, carried out or given back; an evening has one host.
CREATE TABLE hosting_turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  club_evening_id INTEGER NOT NULL REFERENCES club_evenings (id),
  status TEXT NOT NULL DEFAULT 'signed_up' CHECK (status IN ('signed_up', 'carried_out', 'given_back')),
  signed_up_at TEXT NOT NULL CHECK (length(signed_up_at) = 19),
  given_back_at TEXT CHECK (length(given_back_at) = 19),
  CHECK ((status = 'given_back') = (given_back_at IS NOT NULL)),
  CHECK (given_back_at IS NULL OR given_back_at >= signed_up_at)
) STRICT;
CREATE UNIQUE INDEX hosting_turns_evening ON hosting_turns (club_evening_id) WHERE status IN ('signed_up', 'carried_out');

-- table play_tables: A row is a Play table in the back room with its number of seats.
CREATE TABLE play_tables (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  seats INTEGER NOT NULL CHECK (seats > 0)
) STRICT;

-- table table_bookings: A row is a Table booking: a play table that a member has taken for a club evening and the number of people coming.
CREATE TABLE table_bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  club_evening_id INTEGER NOT NULL REFERENCES club_evenings (id),
  play_table_id INTEGER NOT NULL REFERENCES play_tables (id),
  people INTEGER NOT NULL CHECK (people > 0),
  status TEXT NOT NULL DEFAULT 'booked' CHECK (status IN ('booked', 'kept', 'missed', 'cancelled')),
  booked_at TEXT NOT NULL CHECK (length(booked_at) = 19),
  cancelled_at TEXT CHECK (length(cancelled_at) = 19),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at)
) STRICT;
CREATE UNIQUE INDEX table_bookings_table ON table_bookings (club_evening_id, play_table_id) WHERE status IN ('booked', 'kept', 'missed');
