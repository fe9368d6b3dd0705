-- table members: A row is a Member, a volunteer of the rescue post; row 1 is the user.
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0)
) STRICT;

-- table skills: A row is a Skill that shifts may require and exercises renew, such as stretcher lowering.
CREATE TABLE skills (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table qualifications: A row is a Qualification of a member in a skill, valid from its first to its last day.
CREATE TABLE qualifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  skill_id INTEGER NOT NULL REFERENCES skills (id),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  UNIQUE (member_id, skill_id, first_day),
  CHECK (last_day >= first_day)
) STRICT;

-- table sectors: A row is a Sector of the ridge, a crag, a gully or the ski-touring pass.
CREATE TABLE sectors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table exercises: A row is an Exercise in one skill, which renews the qualification of those who pass it, with the number of places it allows.
CREATE TABLE exercises (
  id INTEGER PRIMARY KEY,
  skill_id INTEGER NOT NULL REFERENCES skills (id),
  name TEXT NOT NULL CHECK (length(name) > 0),
  starts_at TEXT NOT NULL CHECK (length(starts_at) = 19),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 19),
  most_places INTEGER NOT NULL CHECK (most_places > 0),
  status TEXT NOT NULL CHECK (status IN ('planned', 'held', 'cancelled')),
  UNIQUE (name, starts_at),
  CHECK (ends_at > starts_at)
) STRICT;

-- table exercise_places: A row is an Exercise place of a member: taken, given up, or, after the exercise, passed, failed or missed; those who passed or failed took part.
CREATE TABLE exercise_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  exercise_id INTEGER NOT NULL REFERENCES exercises (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  status TEXT NOT NULL DEFAULT 'taken' CHECK (status IN ('taken', 'given_up', 'passed', 'failed', 'missed')),
  taken_at TEXT NOT NULL CHECK (length(taken_at) = 19),
  given_up_at TEXT CHECK (length(given_up_at) = 19),
  CHECK ((status = 'given_up') = (given_up_at IS NOT NULL)),
  CHECK (given_up_at IS NULL OR given_up_at >= taken_at)
) STRICT;
CREATE UNIQUE INDEX exercise_places_member ON exercise_places (exercise_id, member_id) WHERE status <> 'given_up';

-- table duty_shifts: A row is a Duty shift, by day or by night, with the number of places on it.
CREATE TABLE duty_shifts (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('day', 'night')),
  starts_at TEXT NOT NULL CHECK (length(starts_at) = 19),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 19),
  most_places INTEGER NOT NULL CHECK (most_places > 0),
  UNIQUE (kind, starts_at),
  CHECK (ends_at > starts_at)
) STRICT;

-- table duty_shift_skills: A row says that a duty shift requires a skill of everybody on it.
CREATE TABLE duty_shift_skills (
  duty_shift_id INTEGER NOT NULL REFERENCES duty_shifts (id),
  skill_id INTEGER NOT NULL REFERENCES skills (id),
  PRIMARY KEY (duty_shift_id, skill_id)
) STRICT;

-- table shift_places: A row is a Shift place of a member on a duty shift: taken, offered for swap, handed over, given up or served.
CREATE TABLE shift_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  duty_shift_id INTEGER NOT NULL REFERENCES duty_shifts (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  status TEXT NOT NULL DEFAULT 'taken' CHECK (status IN ('taken', 'offered', 'handed_over', 'given_up', 'served')),
  taken_at TEXT NOT NULL CHECK (length(taken_at) = 19),
  handed_over_at TEXT CHECK (length(handed_over_at) = 19),
  given_up_at TEXT CHECK (length(given_up_at) = 19),
  CHECK ((status = 'handed_over') = (handed_over_at IS NOT NULL)),
  CHECK ((status = 'given_up') = (given_up_at IS NOT NULL)),
  CHECK (handed_over_at IS NULL OR handed_over_at >= taken_at),
  CHECK (given_up_at IS NULL OR given_up_at >= taken_at)
) STRICT;
CREATE UNIQUE INDEX shift_places_member ON shift_places (duty_shift_id, member_id) WHERE status IN ('taken', 'offered', 'served');

-- table swap_offers: A row is a Swap offer of one shift place, open until another member accepts it, it is withdrawn or the shift begins.
CREATE TABLE swap_offers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shift_place_id INTEGER NOT NULL REFERENCES shift_places (id),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'accepted', 'withdrawn', 'expired')),
  offered_at TEXT NOT NULL CHECK (length(offered_at) = 19),
  accepted_by_member_id INTEGER REFERENCES members (id),
  closed_at TEXT CHECK (length(closed_at) = 19),
  CHECK ((status = 'open') = (closed_at IS NULL)),
  CHECK ((status = 'accepted') = (accepted_by_member_id IS NOT NULL)),
  CHECK (closed_at IS NULL OR closed_at >= offered_at)
) STRICT;
CREATE UNIQUE INDEX swap_offers_open ON swap_offers (shift_place_id) WHERE status = 'open';

-- table callouts: A row is a Callout in a sector; it ends when it is stood down and is closed once everybody is back.
CREATE TABLE callouts (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE CHECK (length(code) > 0),
  sector_id INTEGER NOT NULL REFERENCES sectors (id),
  reason TEXT NOT NULL CHECK (length(reason) > 0),
  status TEXT NOT NULL CHECK (status IN ('open', 'stood_down', 'closed')),
  opened_at TEXT NOT NULL CHECK (length(opened_at) = 19),
  stood_down_at TEXT CHECK (length(stood_down_at) = 19),
  closed_at TEXT CHECK (length(closed_at) = 19),
  CHECK ((status = 'open') = (stood_down_at IS NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK (stood_down_at IS NULL OR stood_down_at >= opened_at),
  CHECK (closed_at IS NULL OR closed_at >= stood_down_at)
) STRICT;

-- table callout_assignments: A row is a Callout assignment: a member's answer to a callout and, for those sent out, when they left and were back; those sent out took part.
CREATE TABLE callout_assignments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  callout_id INTEGER NOT NULL REFERENCES callouts (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  status TEXT NOT NULL CHECK (status IN ('coming', 'not_coming', 'sent_out', 'back')),
  answered_at TEXT NOT NULL CHECK (length(answered_at) = 19),
  sent_out_at TEXT CHECK (length(sent_out_at) = 19),
  back_at TEXT CHECK (length(back_at) = 19),
  UNIQUE (callout_id, member_id),
  CHECK ((status IN ('sent_out', 'back')) = (sent_out_at IS NOT NULL)),
  CHECK ((status = 'back') = (back_at IS NOT NULL)),
  CHECK (sent_out_at IS NULL OR sent_out_at >= answered_at),
  CHECK (back_at IS NULL OR back_at >= sent_out_at)
) STRICT;

-- table log_entries: A row is a Log entry of a callout: what happened with a member at what time, and when it was logged.
CREATE TABLE log_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  callout_id INTEGER NOT NULL REFERENCES callouts (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  kind TEXT NOT NULL CHECK (kind IN ('answer', 'sent_out', 'back', 'note')),
  happened_at TEXT NOT NULL CHECK (length(happened_at) = 19),
  logged_at TEXT NOT NULL CHECK (length(logged_at) = 19),
  note TEXT CHECK (length(note) > 0),
  CHECK (logged_at >= happened_at),
  CHECK (kind <> 'note' OR note IS NOT NULL)
) STRICT;
CREATE INDEX log_entries_callout ON log_entries (callout_id, happened_at);

-- table kit_types: A row is a Kit type, such as a 60 metre rope or a hand radio, with the number of falls and years after which its items are retired, where there is such a limit.
CREATE TABLE kit_types (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  most_falls INTEGER CHECK (most_falls >= 0),
  most_years INTEGER CHECK (most_years > 0)
) STRICT;

-- table kit_items: A row is a Kit item with the label on it: ready, on loan, doubtful until it is inspected, or retired.
CREATE TABLE kit_items (
  id INTEGER PRIMARY KEY,
  kit_type_id INTEGER NOT NULL REFERENCES kit_types (id),
  label TEXT NOT NULL UNIQUE CHECK (length(label) > 0),
  bought_on TEXT NOT NULL CHECK (bought_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL CHECK (status IN ('ready', 'on_loan', 'doubtful', 'retired')),
  retired_at TEXT CHECK (length(retired_at) = 19),
  CHECK ((status = 'retired') = (retired_at IS NOT NULL))
) STRICT;
CREATE INDEX kit_items_type ON kit_items (kit_type_id, status);

-- table kit_loans: A row is a Kit loan of a kit item to a member, with the day it is due and, once it is back, when it was returned.
CREATE TABLE kit_loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  kit_item_id INTEGER NOT NULL REFERENCES kit_items (id),
  status TEXT NOT NULL DEFAULT 'out' CHECK (status IN ('out', 'returned')),
  borrowed_at TEXT NOT NULL CHECK (length(borrowed_at) = 19),
  due_day TEXT NOT NULL CHECK (due_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  returned_at TEXT CHECK (length(returned_at) = 19),
  CHECK (due_day >= substr(borrowed_at, 1, 10)),
  CHECK ((status = 'returned') = (returned_at IS NOT NULL)),
  CHECK (returned_at IS NULL OR returned_at >= borrowed_at)
) STRICT;
CREATE UNIQUE INDEX kit_loans_out ON kit_loans (kit_item_id) WHERE status = 'out';
CREATE INDEX kit_loans_member ON kit_loans (member_id, status);

-- table inspections: A row is an Inspection of a kit item with its result, or a fall that it took, which makes it doubtful; the falls of an item are counted from these rows.
CREATE TABLE inspections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kit_item_id INTEGER NOT NULL REFERENCES kit_items (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  kind TEXT NOT NULL CHECK (kind IN ('inspection', 'fall')),
  happened_on TEXT NOT NULL CHECK (happened_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  result TEXT NOT NULL CHECK (result IN ('passed', 'doubtful', 'failed')),
  sector_id INTEGER REFERENCES sectors (id),
  reported_at TEXT NOT NULL CHECK (length(reported_at) = 19),
  CHECK (substr(reported_at, 1, 10) >= happened_on),
  CHECK (kind = 'inspection' OR result = 'doubtful'),
  CHECK (kind = 'fall' OR sector_id IS NULL)
) STRICT;
CREATE INDEX inspections_item ON inspections (kit_item_id, happened_on);

-- table expense_claims: A row is an Expense claim of a member for one callout or one exercise, with its amount and what became of it.
CREATE TABLE expense_claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  callout_id INTEGER REFERENCES callouts (id),
  exercise_id INTEGER REFERENCES exercises (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents BETWEEN 1 AND 15000),
  description TEXT NOT NULL CHECK (length(description) > 0),
  status TEXT NOT NULL DEFAULT 'submitted' CHECK (status IN ('submitted', 'approved', 'paid', 'refused', 'withdrawn')),
  submitted_at TEXT NOT NULL CHECK (length(submitted_at) = 19),
  decided_at TEXT CHECK (length(decided_at) = 19),
  paid_at TEXT CHECK (length(paid_at) = 19),
  withdrawn_at TEXT CHECK (length(withdrawn_at) = 19),
  CHECK ((callout_id IS NOT NULL) + (exercise_id IS NOT NULL) = 1),
  CHECK ((status IN ('approved', 'paid', 'refused')) = (decided_at IS NOT NULL)),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL)),
  CHECK (decided_at IS NULL OR decided_at >= submitted_at),
  CHECK (paid_at IS NULL OR paid_at >= decided_at),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= submitted_at)
) STRICT;
CREATE UNIQUE INDEX expense_claims_callout ON expense_claims (member_id, callout_id) WHERE status <> 'withdrawn' AND callout_id IS NOT NULL;
CREATE UNIQUE INDEX expense_claims_exercise ON expense_claims (member_id, exercise_id) WHERE status <> 'withdrawn' AND exercise_id IS NOT NULL;
