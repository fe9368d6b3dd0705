-- table clients: A row is one Client for whom the bureau traces families.
CREATE TABLE clients (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) > 0)
) STRICT;

-- table commissions: A row is one Commission: a client's search for a surname in a region, with its budget in research hours, its state, the last pause for the client's consent and the last consent.
CREATE TABLE commissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id INTEGER NOT NULL REFERENCES clients (id),
  surname TEXT NOT NULL CHECK (length(surname) > 0),
  region TEXT NOT NULL CHECK (length(region) > 0),
  budget_hours REAL NOT NULL CHECK (budget_hours >= 2 AND budget_hours <= 60),
  status TEXT NOT NULL CHECK (status IN ('requested', 'active', 'paused', 'completed', 'cancelled')),
  requested_at TEXT NOT NULL,
  started_at TEXT,
  paused_at TEXT,
  consented_at TEXT,
  completed_at TEXT,
  cancelled_at TEXT,
  CHECK (status <> 'requested' OR started_at IS NULL),
  CHECK (status NOT IN ('active', 'paused', 'completed') OR started_at IS NOT NULL),
  CHECK (status <> 'paused' OR paused_at IS NOT NULL),
  CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (started_at IS NULL OR started_at >= requested_at),
  CHECK (paused_at IS NULL OR (started_at IS NOT NULL AND paused_at >= started_at)),
  CHECK (consented_at IS NULL OR (started_at IS NOT NULL AND consented_at >= started_at)),
  CHECK (completed_at IS NULL OR completed_at >= started_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= requested_at)
) STRICT;

-- table time_entries: A row is one Time entry: the hours a researcher worked on a commission on one day, and the type of source they went into.
CREATE TABLE time_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  commission_id INTEGER NOT NULL REFERENCES commissions (id),
  worked_on TEXT NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('parish_register', 'ship_list', 'census', 'civil_register', 'other')),
  hours REAL NOT NULL CHECK (hours > 0 AND hours <= 12)
) STRICT;

-- table findings: A row is one Finding made in a commission, with the source it rests on, its confidence grade and, if the client disputed it, the reason.
CREATE TABLE findings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  commission_id INTEGER NOT NULL REFERENCES commissions (id),
  statement TEXT NOT NULL CHECK (length(statement) > 0),
  source TEXT NOT NULL CHECK (length(source) > 0),
  confidence_grade INTEGER NOT NULL CHECK (confidence_grade BETWEEN 1 AND 5),
  status TEXT NOT NULL CHECK (status IN ('open', 'disputed', 'withdrawn')),
  recorded_at TEXT NOT NULL,
  disputed_at TEXT,
  dispute_reason TEXT CHECK (length(dispute_reason) > 0),
  withdrawn_at TEXT,
  CHECK (status <> 'open' OR disputed_at IS NULL),
  CHECK (status <> 'disputed' OR disputed_at IS NOT NULL),
  CHECK ((disputed_at IS NULL) = (dispute_reason IS NULL)),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL)),
  CHECK (disputed_at IS NULL OR disputed_at >= recorded_at),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= recorded_at)
) STRICT;

-- table reports: A row is one Report that a client ordered on a commission, with its format, language and state.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  commission_id INTEGER NOT NULL REFERENCES commissions (id),
  format TEXT NOT NULL CHECK (format IN ('printed', 'digital')),
  language TEXT NOT NULL CHECK (language IN ('English', 'German', 'Polish', 'Czech', 'Swedish', 'Norwegian')),
  status TEXT NOT NULL CHECK (status IN ('ordered', 'delivered', 'cancelled')),
  ordered_at TEXT NOT NULL,
  delivered_at TEXT,
  cancelled_at TEXT,
  CHECK ((status = 'delivered') = (delivered_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (delivered_at IS NULL OR delivered_at >= ordered_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= ordered_at)
) STRICT;
CREATE UNIQUE INDEX reports_one_ordered ON reports (commission_id) WHERE status = 'ordered';
