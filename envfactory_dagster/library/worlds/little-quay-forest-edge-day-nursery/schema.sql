-- table guardians: A row is a Guardian, who decides for their own children at the nursery; row 1 is the user.
CREATE TABLE guardians (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0)
) STRICT;

-- table children: A row is a Child of the nursery with its guardian, birth date and group.
CREATE TABLE children (
  id INTEGER PRIMARY KEY,
  guardian_id INTEGER NOT NULL REFERENCES guardians (id),
  name TEXT NOT NULL CHECK (length(name) > 0),
  birth_date TEXT NOT NULL CHECK (birth_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  group_name TEXT NOT NULL CHECK (group_name IN ('Acorns', 'Saplings', 'Oaks')),
  UNIQUE (guardian_id, name)
) STRICT;

-- table collection_permissions: A row is a Collection permission: one named person may collect one child from the first to the last day, both included, unless it was withdrawn.
CREATE TABLE collection_permissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  child_id INTEGER NOT NULL REFERENCES children (id),
  collector_name TEXT NOT NULL CHECK (length(collector_name) > 0),
  collector_birth_date TEXT NOT NULL CHECK (collector_birth_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  first_day TEXT NOT NULL CHECK (first_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_day TEXT NOT NULL CHECK (last_day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  status TEXT NOT NULL DEFAULT 'given' CHECK (status IN ('given', 'withdrawn')),
  given_at TEXT NOT NULL CHECK (length(given_at) = 19),
  withdrawn_at TEXT CHECK (length(withdrawn_at) = 19),
  CHECK (last_day >= first_day),
  CHECK (first_day > collector_birth_date),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL)),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= given_at)
) STRICT;
CREATE INDEX collection_permissions_child ON collection_permissions (child_id, first_day);

-- table woodland_outings: A row is a Woodland outing with its leaving and return time, which lie on the day it is held, its meeting spot and the number of staff assigned to it.
CREATE TABLE woodland_outings (
  id INTEGER PRIMARY KEY,
  leaves_at TEXT NOT NULL UNIQUE CHECK (length(leaves_at) = 19),
  returns_at TEXT NOT NULL CHECK (length(returns_at) = 19),
  meeting_spot TEXT NOT NULL CHECK (length(meeting_spot) > 0),
  staff_count INTEGER NOT NULL CHECK (staff_count >= 1),
  status TEXT NOT NULL CHECK (status IN ('announced', 'open', 'carried_out', 'called_off')),
  called_off_at TEXT CHECK (length(called_off_at) = 19),
  CHECK (returns_at > leaves_at),
  CHECK (substr(returns_at, 1, 10) = substr(leaves_at, 1, 10)),
  CHECK ((status = 'called_off') = (called_off_at IS NOT NULL))
) STRICT;

-- table outing_places: A row is an Outing place: one child's place on one woodland outing, taken, given up or attended.
CREATE TABLE outing_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  woodland_outing_id INTEGER NOT NULL REFERENCES woodland_outings (id),
  child_id INTEGER NOT NULL REFERENCES children (id),
  status TEXT NOT NULL DEFAULT 'taken' CHECK (status IN ('taken', 'given_up', 'attended')),
  taken_at TEXT NOT NULL CHECK (length(taken_at) = 19),
  given_up_at TEXT CHECK (length(given_up_at) = 19),
  CHECK ((status = 'given_up') = (given_up_at IS NOT NULL)),
  CHECK (given_up_at IS NULL OR given_up_at >= taken_at)
) STRICT;
CREATE UNIQUE INDEX outing_places_child ON outing_places (woodland_outing_id, child_id) WHERE status IN ('taken', 'attended');
