-- table ringers: A row is one Ringer of the band; whether they are a learner or a full member follows from their granted sign-offs.
CREATE TABLE ringers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table bells: A row is one Bell of the tower with its number in the ring, its weight and, for the tenor only, the minutes it may be rung per day.
CREATE TABLE bells (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE CHECK (number BETWEEN 1 AND 8),
  weight_kg INTEGER NOT NULL CHECK (weight_kg > 0),
  is_tenor INTEGER NOT NULL CHECK (is_tenor IN (0, 1)),
  daily_minutes INTEGER CHECK (daily_minutes > 0),
  CHECK ((is_tenor = 1) = (daily_minutes IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX bells_one_tenor ON bells (is_tenor) WHERE is_tenor = 1;

-- table methods: A row is one method that is rung in sessions and can be signed off, such as Grandsire Doubles.
CREATE TABLE methods (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table ringing_sessions: A row is one Ringing session (Sunday ringing, wedding or practice evening) with its method, start, length and state; its date is the day of its start.
CREATE TABLE ringing_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('sunday', 'wedding', 'practice')),
  method_id INTEGER NOT NULL REFERENCES methods (id),
  starts_at TEXT NOT NULL UNIQUE CHECK (starts_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]'),
  length_minutes INTEGER NOT NULL CHECK (length_minutes > 0),
  status TEXT NOT NULL CHECK (status IN ('planned', 'open', 'rung', 'cancelled')),
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;

-- table session_places: A row is one Session place: a ringer's place at one bell in one session, taken, given up or marked as rung.
CREATE TABLE session_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ringing_session_id INTEGER NOT NULL REFERENCES ringing_sessions (id),
  ringer_id INTEGER NOT NULL REFERENCES ringers (id),
  bell_id INTEGER NOT NULL REFERENCES bells (id),
  status TEXT NOT NULL CHECK (status IN ('taken', 'given_up', 'rung')),
  taken_at TEXT NOT NULL,
  given_up_at TEXT,
  CHECK ((status = 'given_up') = (given_up_at IS NOT NULL)),
  CHECK (given_up_at IS NULL OR given_up_at >= taken_at)
) STRICT;
CREATE UNIQUE INDEX session_places_bell ON session_places (ringing_session_id, bell_id) WHERE status IN ('taken', 'rung');
CREATE UNIQUE INDEX session_places_ringer ON session_places (ringing_session_id, ringer_id) WHERE status IN ('taken', 'rung');

-- table method_sign_offs: A row is one Method sign-off that a ringer asked for, with the captain's decision once there is one.
CREATE TABLE method_sign_offs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ringer_id INTEGER NOT NULL REFERENCES ringers (id),
  method_id INTEGER NOT NULL REFERENCES methods (id),
  status TEXT NOT NULL CHECK (status IN ('requested', 'granted', 'declined')),
  requested_at TEXT NOT NULL,
  decided_at TEXT,
  CHECK ((status = 'requested') = (decided_at IS NULL)),
  CHECK (decided_at IS NULL OR decided_at >= requested_at)
) STRICT;
CREATE UNIQUE INDEX method_sign_offs_undecided ON method_sign_offs (ringer_id) WHERE status = 'requested';
CREATE UNIQUE INDEX method_sign_offs_granted ON method_sign_offs (ringer_id, method_id) WHERE status = 'granted';
