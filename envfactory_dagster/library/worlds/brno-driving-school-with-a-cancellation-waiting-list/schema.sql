-- table pupils: One pupil of the school, with what the head instructor or the first aid teacher has waived for that pupil.
CREATE TABLE pupils (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  phone TEXT NOT NULL UNIQUE,
  born_on TEXT NOT NULL,
  simulator_waived INTEGER NOT NULL DEFAULT 0 CHECK (simulator_waived IN (0, 1)),
  first_aid_excused INTEGER NOT NULL DEFAULT 0 CHECK (first_aid_excused IN (0, 1))
) STRICT;

-- table instructors: One instructor of the school, with working hours and the largest number of pupils.
CREATE TABLE instructors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('head_instructor', 'instructor')),
  works_from TEXT NOT NULL,
  works_until TEXT NOT NULL,
  max_pupils INTEGER NOT NULL CHECK (max_pupils BETWEEN 1 AND 14),
  CHECK (works_from < works_until)
) STRICT;

-- table cars: One car of the school; a car with only_instructor_id is driven with that instructor alone.
CREATE TABLE cars (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  transmission TEXT NOT NULL CHECK (transmission IN ('manual', 'automatic')),
  motorway_allowed INTEGER NOT NULL CHECK (motorway_allowed IN (0, 1)),
  only_instructor_id INTEGER REFERENCES instructors (id)
) STRICT;

-- table workshop_periods: One workshop period: the days on which a car is away and cannot be booked, and why.
CREATE TABLE workshop_periods (
  id INTEGER PRIMARY KEY,
  car_id INTEGER NOT NULL REFERENCES cars (id),
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  reason TEXT NOT NULL,
  UNIQUE (car_id, starts_on),
  CHECK (starts_on <= ends_on)
) STRICT;

-- table calendar_days: One calendar day of the wall calendar: its sunset, and whether it is a public holiday or the school is closed.
CREATE TABLE calendar_days (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE,
  sunset_time TEXT NOT NULL,
  is_public_holiday INTEGER NOT NULL CHECK (is_public_holiday IN (0, 1)),
  is_closed INTEGER NOT NULL CHECK (is_closed IN (0, 1))
) STRICT;

-- table course_packages: One course package that a pupil bought, a course of 28 hours or top-up lessons, with the pupil's instructor and what was agreed about it.
CREATE TABLE course_packages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  kind TEXT NOT NULL CHECK (kind IN ('full_course', 'student_course', 'top_up_lesson', 'five_top_up_lessons')),
  transmission TEXT NOT NULL CHECK (transmission IN ('manual', 'automatic')),
  hours_included INTEGER NOT NULL CHECK (hours_included > 0),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  bought_at TEXT NOT NULL,
  first_lesson_on TEXT,
  expires_on TEXT,
  extended_at TEXT,
  free_move_used_at TEXT,
  instructor_yes_at TEXT,
  early_exam_agreed_at TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'expired')),
  CHECK (expires_on IS NULL OR first_lesson_on IS NULL OR first_lesson_on <= expires_on),
  CHECK (extended_at IS NULL OR expires_on IS NOT NULL)
) STRICT;

-- table simulator_sessions: One simulator session: an hour of a pupil on the school's only simulator.
CREATE TABLE simulator_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  starts_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('booked', 'driven', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX simulator_sessions_one_at_a_time ON simulator_sessions (starts_at) WHERE status <> 'cancelled';

-- table driving_lessons: One driving lesson of 90 minutes, which counts as two hours once the instructor has confirmed it; a moved lesson stays and the new one refers to it.
CREATE TABLE driving_lessons (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  course_package_id INTEGER NOT NULL REFERENCES course_packages (id),
  instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  car_id INTEGER NOT NULL REFERENCES cars (id),
  moved_from_driving_lesson_id INTEGER REFERENCES driving_lessons (id),
  kind TEXT NOT NULL CHECK (kind IN ('ordinary', 'dark', 'motorway')),
  starts_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('booked', 'driven', 'moved', 'cancelled', 'forfeited', 'no_show')),
  booked_at TEXT NOT NULL,
  ended_by TEXT CHECK (ended_by IN ('pupil', 'school')),
  cancelled_at TEXT,
  confirmed_at TEXT,
  returned_hours INTEGER NOT NULL DEFAULT 0 CHECK (returned_hours BETWEEN 0 AND 2),
  CHECK (booked_at < starts_at),
  CHECK ((status IN ('moved', 'cancelled', 'forfeited')) = (cancelled_at IS NOT NULL)),
  CHECK ((cancelled_at IS NULL) = (ended_by IS NULL)),
  CHECK (confirmed_at IS NULL OR (status = 'driven' AND confirmed_at > starts_at)),
  CHECK (returned_hours = 0 OR status = 'forfeited')
) STRICT;

-- table pupil_documents: One pupil document that the desk holds: a paper needed before the first lesson on the road, or a doctor's note for a lesson that was cancelled, moved or forfeited.
CREATE TABLE pupil_documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  driving_lesson_id INTEGER REFERENCES driving_lessons (id),
  kind TEXT NOT NULL CHECK (kind IN ('medical_certificate', 'signed_application', 'parent_signature', 'doctors_note')),
  dated_on TEXT NOT NULL,
  handed_in_at TEXT NOT NULL,
  CHECK (dated_on <= handed_in_at),
  CHECK ((kind = 'doctors_note') = (driving_lesson_id IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX pupil_documents_once ON pupil_documents (pupil_id, kind) WHERE kind <> 'doctors_note';

-- table waiting_list_entries: One waiting list entry: a pupil waits for a freed lesson of a kind between two days.
CREATE TABLE waiting_list_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  kind TEXT NOT NULL CHECK (kind IN ('ordinary', 'dark', 'motorway')),
  from_on TEXT NOT NULL,
  until_on TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'offered', 'filled', 'withdrawn')),
  CHECK (from_on <= until_on)
) STRICT;

-- table lesson_offers: One lesson offer: a freed driving lesson offered by text message to the pupil of a waiting list entry.
CREATE TABLE lesson_offers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  waiting_list_entry_id INTEGER NOT NULL REFERENCES waiting_list_entries (id),
  freed_driving_lesson_id INTEGER NOT NULL REFERENCES driving_lessons (id),
  sent_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined', 'lapsed')),
  answered_at TEXT,
  CHECK (answered_at IS NULL OR answered_at >= sent_at),
  CHECK ((status IN ('accepted', 'declined')) = (answered_at IS NOT NULL)),
  UNIQUE (waiting_list_entry_id, freed_driving_lesson_id)
) STRICT;
CREATE UNIQUE INDEX lesson_offers_one_running ON lesson_offers (freed_driving_lesson_id) WHERE status IN ('open', 'accepted');

-- table exam_blocks: One exam block that the town hall gave the school on a day, with its number of places and the moment names must be in.
CREATE TABLE exam_blocks (
  id INTEGER PRIMARY KEY,
  calendar_day TEXT NOT NULL REFERENCES calendar_days (day),
  kind TEXT NOT NULL CHECK (kind IN ('theory', 'driving')),
  places INTEGER NOT NULL CHECK (places > 0),
  closes_at TEXT NOT NULL,
  UNIQUE (calendar_day, kind),
  CHECK (closes_at < calendar_day)
) STRICT;

-- table exam_places: One exam place: a pupil pencilled in or held in reserve for an exam block, until it is confirmed, given up or lapsed and the exam passed or failed.
CREATE TABLE exam_places (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  exam_block_id INTEGER NOT NULL REFERENCES exam_blocks (id),
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  status TEXT NOT NULL CHECK (status IN ('pencilled', 'reserve', 'confirmed', 'withdrawn', 'lapsed', 'passed', 'failed')),
  pencilled_at TEXT NOT NULL,
  confirmed_at TEXT,
  withdrawn_at TEXT,
  CHECK (confirmed_at IS NULL OR confirmed_at >= pencilled_at),
  CHECK (status NOT IN ('confirmed', 'passed', 'failed') OR confirmed_at IS NOT NULL),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX exam_places_once_per_block ON exam_places (exam_block_id, pupil_id) WHERE status <> 'withdrawn';

-- table first_aid_days: One first aid day, a Saturday with a number of places and a least number of pupils.
CREATE TABLE first_aid_days (
  id INTEGER PRIMARY KEY,
  calendar_day TEXT NOT NULL UNIQUE REFERENCES calendar_days (day),
  places INTEGER NOT NULL CHECK (places > 0),
  least_pupils INTEGER NOT NULL CHECK (least_pupils > 0),
  status TEXT NOT NULL CHECK (status IN ('planned', 'held', 'called_off')),
  CHECK (least_pupils <= places)
) STRICT;

-- table first_aid_bookings: One first aid booking of a pupil for a first aid day.
CREATE TABLE first_aid_bookings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  first_aid_day_id INTEGER NOT NULL REFERENCES first_aid_days (id),
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  status TEXT NOT NULL CHECK (status IN ('booked', 'attended', 'missed', 'cancelled')),
  booked_at TEXT NOT NULL,
  cancelled_at TEXT,
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX first_aid_bookings_once ON first_aid_bookings (first_aid_day_id, pupil_id) WHERE status <> 'cancelled';

-- table instructor_changes: One instructor change of a course package: the first is made at once, a later one waits for the head instructor.
CREATE TABLE instructor_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  course_package_id INTEGER NOT NULL REFERENCES course_packages (id),
  from_instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  to_instructor_id INTEGER NOT NULL REFERENCES instructors (id),
  asked_at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('made', 'waiting_for_head_instructor', 'refused')),
  CHECK (from_instructor_id <> to_instructor_id)
) STRICT;

-- table charges: One charge to a pupil, an instalment, price or fee, with how much of it was turned back into credit and why.
CREATE TABLE charges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  pupil_id INTEGER NOT NULL REFERENCES pupils (id),
  kind TEXT NOT NULL CHECK (kind IN ('first_instalment', 'rest_of_course', 'top_up', 'course_extension', 'lesson_cancelled', 'lesson_moved', 'simulator', 'exam_withdrawal', 'first_aid', 'first_aid_repeat', 'instructor_change')),
  course_package_id INTEGER REFERENCES course_packages (id),
  driving_lesson_id INTEGER REFERENCES driving_lessons (id),
  simulator_session_id INTEGER REFERENCES simulator_sessions (id),
  exam_place_id INTEGER REFERENCES exam_places (id),
  first_aid_booking_id INTEGER REFERENCES first_aid_bookings (id),
  instructor_change_id INTEGER REFERENCES instructor_changes (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  charged_at TEXT NOT NULL,
  due_on TEXT NOT NULL,
  credited_cents INTEGER NOT NULL DEFAULT 0 CHECK (credited_cents BETWEEN 0 AND amount_cents),
  credited_at TEXT,
  credit_reason TEXT CHECK (credit_reason IN ('doctors_note', 'lesson_filled', 'forgiven', 'cancelled_in_time')),
  CHECK ((credited_cents > 0) = (credited_at IS NOT NULL)),
  CHECK ((credited_at IS NULL) = (credit_reason IS NULL)),
  CHECK ((course_package_id IS NOT NULL) + (driving_lesson_id IS NOT NULL) + (simulator_session_id IS NOT NULL) + (exam_place_id IS NOT NULL) + (first_aid_booking_id IS NOT NULL) + (instructor_change_id IS NOT NULL) = 1)
) STRICT;

-- table payments: One payment towards a charge, in whole or in part.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  charge_id INTEGER NOT NULL REFERENCES charges (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_on TEXT NOT NULL
) STRICT;
