-- table people in data/people.json: A person who comes to the desk: a researcher in one or more projects with the day of the last snowmobile course, or the station's technician.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('researcher', 'technician')),
  home TEXT NOT NULL,
  phone TEXT NOT NULL,
  course_on TEXT
) STRICT;

-- table projects in data/projects.yaml: A research project with its leader, its last day and the day on which the leader signed for a third rack, empty as long as no rack signature is entered.
CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  leader_id INTEGER NOT NULL REFERENCES people (id),
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  rack_signed_on TEXT,
  CHECK (ends_on >= starts_on)
) STRICT;

-- table project_members in data/project_members.csv: That a person belongs to a project; the leader of a project is a member too.
CREATE TABLE project_members (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  UNIQUE (project_id, person_id)
) STRICT;

-- table sites in data/sites.csv: A lake, mire or slope where samples are taken and equipment is used, with its altitude.
CREATE TABLE sites (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('lake', 'mire', 'slope')),
  altitude_m INTEGER NOT NULL CHECK (altitude_m >= 0)
) STRICT;

-- table store_places in data/store_places.csv: A rack or box of the store: a freezer rack A1 to A6 or B1 to B6, the latter on the circuit that is cut at generator tests, or one of the eight shared Kiruna boxes.
CREATE TABLE store_places (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('rack', 'box')),
  capacity_vials INTEGER NOT NULL CHECK (capacity_vials > 0),
  cut_at_tests INTEGER NOT NULL CHECK (cut_at_tests IN (0, 1)),
  week_price_cents INTEGER NOT NULL CHECK (week_price_cents >= 0),
  CHECK ((kind = 'rack' AND capacity_vials = 80) OR (kind = 'box' AND capacity_vials = 60 AND cut_at_tests = 0 AND week_price_cents = 0))
) STRICT;

-- table equipment in data/equipment.json: A corer, snow tube or snowmobile that is lent, with its length where it has one that matters and what a day and a late day cost.
CREATE TABLE equipment (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('gravity_corer', 'piston_corer', 'freeze_corer', 'russian_corer', 'snow_tube', 'snowmobile')),
  length_cm INTEGER CHECK (length_cm > 0),
  day_price_cents INTEGER NOT NULL CHECK (day_price_cents >= 0),
  late_day_price_cents INTEGER NOT NULL CHECK (late_day_price_cents >= 0),
  CHECK ((kind = 'snowmobile') = (length_cm IS NULL))
) STRICT;

-- table bookings in bookings/2026.json: A booking of equipment or rack by a project: a loan of one piece of equipment for one site, or a rack that the project has taken, from its first to its last day, with the moments it went out and came back.
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  equipment_id INTEGER REFERENCES equipment (id),
  store_place_id INTEGER REFERENCES store_places (id),
  site_id INTEGER REFERENCES sites (id),
  driver_id INTEGER REFERENCES people (id),
  snow_depth_cm INTEGER CHECK (snow_depth_cm > 0),
  booked_by_id INTEGER NOT NULL REFERENCES people (id),
  booked_at TEXT NOT NULL,
  from_on TEXT NOT NULL,
  until_on TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('booked', 'out', 'back', 'cancelled')),
  out_at TEXT,
  back_at TEXT,
  cancelled_at TEXT,
  CHECK (until_on >= from_on),
  CHECK ((equipment_id IS NOT NULL AND store_place_id IS NULL AND site_id IS NOT NULL) OR (equipment_id IS NULL AND store_place_id IS NOT NULL AND site_id IS NULL AND driver_id IS NULL AND snow_depth_cm IS NULL)),
  CHECK ((status IN ('out', 'back')) = (out_at IS NOT NULL)),
  CHECK ((status = 'back') = (back_at IS NOT NULL)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK (back_at IS NULL OR back_at >= out_at)
) STRICT;

-- table samples in samples/2026.json: A sample of a project, numbered on arrival: so many vials of one material from one site, which stand together in one rack or box until the last of them has left.
CREATE TABLE samples (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  number TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  site_id INTEGER NOT NULL REFERENCES sites (id),
  material TEXT NOT NULL,
  vials INTEGER NOT NULL CHECK (vials BETWEEN 1 AND 80),
  arrived_at TEXT NOT NULL,
  registered_by_id INTEGER NOT NULL REFERENCES people (id),
  status TEXT NOT NULL CHECK (status IN ('in_store', 'gone')),
  store_place_id INTEGER REFERENCES store_places (id),
  placed_at TEXT NOT NULL,
  CHECK ((status = 'in_store') = (store_place_id IS NOT NULL)),
  CHECK (placed_at >= arrived_at)
) STRICT;

-- table departures in samples/departures_2026.jsonl: That some or all vials of a sample left the store on a day: sent to a place, used up or discarded.
CREATE TABLE departures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sample_id INTEGER NOT NULL REFERENCES samples (id),
  vials INTEGER NOT NULL CHECK (vials > 0),
  reason TEXT NOT NULL CHECK (reason IN ('sent', 'used_up', 'discarded')),
  destination TEXT,
  left_on TEXT NOT NULL,
  recorded_by_id INTEGER NOT NULL REFERENCES people (id),
  recorded_at TEXT NOT NULL,
  CHECK ((reason = 'sent') = (destination IS NOT NULL))
) STRICT;

-- table notes in notes/2026.jsonl: A text about a piece of equipment: a handover note on the loan it was handed out or taken back with, or a breakdown note, open until the technician closes it.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('handover', 'breakdown')),
  equipment_id INTEGER NOT NULL REFERENCES equipment (id),
  booking_id INTEGER REFERENCES bookings (id),
  text TEXT NOT NULL,
  written_by_id INTEGER NOT NULL REFERENCES people (id),
  written_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('filed', 'open', 'closed')),
  closed_at TEXT,
  CHECK ((kind = 'handover') = (status = 'filed')),
  CHECK (kind = 'breakdown' OR booking_id IS NOT NULL),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK (closed_at IS NULL OR closed_at >= written_at)
) STRICT;

-- document docs/desk_rules.md: The rules of the desk, open daily 07:00–18:00: who may do what, how loans and racks are booked, changed, handed out, taken back and given back, which corer goes where, what overdue things and open breakdown notes stop, and how samples are numbered, placed and leave.

-- document docs/price_list.md: What a rack, a corer, a snowmobile and a snow tube cost per week begun, per day and per late day, and how weeks and days are counted.

-- document docs/freezer_notice.txt: The notice on the −80 freezer since November's breakdown: racks A1–A6 and B1–B6, the generator-test Wednesdays of 2026, the hours of the cut, and when and how the eight Kiruna boxes on dry ice may be used.

-- document docs/telephone_list.txt: Whom to telephone for what: the desk, and the office for freight and snowmobile refresher courses.
