-- table volunteers in data/volunteers.json: A volunteer of the station, who hosts hours or accompanies others, with or without the studio course; row 1 is the user.
CREATE TABLE volunteers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  studio_course INTEGER NOT NULL CHECK (studio_course IN (0, 1))
) STRICT;

-- table series in data/series.yaml: A series with its host and the weekly hour that it keeps, whether or not a programme is entered there; music_hour says that its programmes are music hours.
CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL UNIQUE CHECK (title <> ''),
  host_id INTEGER NOT NULL REFERENCES volunteers (id),
  weekday TEXT NOT NULL CHECK (weekday IN ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  start_hour INTEGER NOT NULL CHECK (start_hour BETWEEN 0 AND 22),
  music_hour INTEGER NOT NULL CHECK (music_hour IN (0, 1)),
  UNIQUE (weekday, start_hour)
) STRICT;

-- table advert_orders in data/advert_orders.csv: An advert that somebody has ordered: its length, the runs paid for, and the first and last day on which it may run; its runs are the items of running orders that refer to it.
CREATE TABLE advert_orders (
  id INTEGER PRIMARY KEY,
  advertiser TEXT NOT NULL CHECK (advertiser <> ''),
  title TEXT NOT NULL CHECK (title <> ''),
  seconds INTEGER NOT NULL CHECK (seconds BETWEEN 5 AND 120),
  runs_paid INTEGER NOT NULL CHECK (runs_paid > 0),
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  CHECK (last_day >= first_day),
  UNIQUE (advertiser, title, first_day)
) STRICT;

-- table programmes in data/programmes.json: A programme: one hour of a series, live or recorded, with the volunteer who hosts this hour and, where there is one, the companion; it is planned, confirmed, called off or logged.
CREATE TABLE programmes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  series_id INTEGER NOT NULL REFERENCES series (id),
  title TEXT NOT NULL CHECK (title <> ''),
  host_id INTEGER NOT NULL REFERENCES volunteers (id),
  companion_id INTEGER REFERENCES volunteers (id),
  mode TEXT NOT NULL CHECK (mode IN ('live', 'recorded')),
  starts_at TEXT NOT NULL CHECK (substr(starts_at, 14) = ':00:00' AND substr(starts_at, 12, 2) <= '22'),
  status TEXT NOT NULL CHECK (status IN ('planned', 'confirmed', 'called_off', 'logged')),
  confirmed_at TEXT,
  called_off_at TEXT,
  logged_at TEXT,
  CHECK (companion_id IS NULL OR companion_id <> host_id),
  CHECK (status <> 'planned' OR confirmed_at IS NULL),
  CHECK (status NOT IN ('confirmed', 'logged') OR confirmed_at IS NOT NULL),
  CHECK (confirmed_at IS NULL OR confirmed_at < starts_at),
  CHECK ((status = 'called_off') = (called_off_at IS NOT NULL)),
  CHECK ((status = 'logged') = (logged_at IS NOT NULL)),
  CHECK (logged_at IS NULL OR logged_at > starts_at)
) STRICT;
CREATE UNIQUE INDEX programmes_one_per_hour ON programmes (starts_at) WHERE status <> 'called_off';

-- table running_order_items in data/running_orders.jsonl: A running order item: one piece of music, guest's talk with its consent, advert or stretch of the host's speech in a programme, in its place and with its length; once the programme is logged it is what was really played.
CREATE TABLE running_order_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  programme_id INTEGER NOT NULL REFERENCES programmes (id),
  position INTEGER NOT NULL CHECK (position >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('music', 'talk', 'advert', 'speech')),
  title TEXT NOT NULL CHECK (title <> ''),
  seconds INTEGER NOT NULL CHECK (seconds BETWEEN 1 AND 3600),
  artist TEXT,
  estonian INTEGER CHECK (estonian IN (0, 1)),
  guest_name TEXT,
  consent TEXT CHECK (consent IN ('awaited', 'signed', 'withdrawn')),
  consent_on TEXT,
  advert_order_id INTEGER REFERENCES advert_orders (id),
  UNIQUE (programme_id, position),
  CHECK ((kind = 'music') = (artist IS NOT NULL)),
  CHECK ((kind = 'music') = (estonian IS NOT NULL)),
  CHECK ((kind = 'talk') = (guest_name IS NOT NULL)),
  CHECK ((kind = 'talk') = (consent IS NOT NULL)),
  CHECK ((consent IS NOT NULL AND consent <> 'awaited') = (consent_on IS NOT NULL)),
  CHECK ((kind = 'advert') = (advert_order_id IS NOT NULL))
) STRICT;

-- table night_reruns in data/night_reruns.csv: The rerun at 23:00 of one night: the programme that is heard again, its adverts cut, and who has swapped it in, if anybody has.
CREATE TABLE night_reruns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  night TEXT NOT NULL UNIQUE,
  programme_id INTEGER NOT NULL REFERENCES programmes (id),
  swapped_by_id INTEGER REFERENCES volunteers (id),
  swapped_at TEXT NOT NULL,
  CHECK ((swapped_by_id IS NULL) = (swapped_at = '')),
  CHECK (swapped_at <= night || 'T12:00:00')
) STRICT;

-- table bookings in data/bookings.csv: A booking by a volunteer: a studio for half hours of one day, or the recorder for one to three whole days, whose two times are empty.
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  volunteer_id INTEGER NOT NULL REFERENCES volunteers (id),
  item TEXT NOT NULL CHECK (item IN ('studio_1', 'studio_2', 'recorder')),
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  from_time TEXT NOT NULL CHECK (from_time = '' OR (length(from_time) = 5 AND substr(from_time, 3) IN (':00', ':30'))),
  until_time TEXT NOT NULL CHECK (until_time = '' OR (length(until_time) = 5 AND substr(until_time, 3) IN (':00', ':30'))),
  status TEXT NOT NULL CHECK (status IN ('booked', 'called_off')),
  called_off_at TEXT NOT NULL,
  CHECK (last_day >= first_day AND julianday(last_day) - julianday(first_day) <= 2),
  CHECK (item = 'recorder' OR (last_day = first_day AND from_time <> '' AND until_time > from_time)),
  CHECK (item <> 'recorder' OR (from_time = '' AND until_time = '')),
  CHECK ((status = 'called_off') = (called_off_at <> ''))
) STRICT;

-- document docs/house_rules.md: The station's house rules: slots, moving and calling off until 18:00 the day before and the manager's telephone after that, running orders and confirming, guests' consent, the studio course and companions, handing over when ill, logging, night reruns, and bookings of studios and recorder.

-- document docs/price_list.txt: The price list for adverts: what a run costs by length, what is taken off for many runs, and that night reruns do not count as runs since adverts are cut there.

-- document docs/schedule_2026.html: The year's schedule as printed in February 2026, with each series' weekday and hour, which still shows the station's own programmes on Sundays before 11:00.

-- document docs/parish_notice.txt: The parish's notice that from Sunday 1 March 2026 the transmitter is the parish's on Sundays until 11:00, with the station's note that hours entered before must be moved or called off.
