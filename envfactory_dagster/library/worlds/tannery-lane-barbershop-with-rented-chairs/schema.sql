-- table customers: A row is a Customer who books with the barbers of the shop; row 1 is the user.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0),
  phone TEXT UNIQUE
) STRICT;

-- table barbers: A row is a self-employed Barber who rents a chair in the shop by the half-day.
CREATE TABLE barbers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table services: A row is a Service that one barber offers, with that barber's own length and price.
CREATE TABLE services (
  id INTEGER PRIMARY KEY,
  barber_id INTEGER NOT NULL REFERENCES barbers (id),
  name TEXT NOT NULL CHECK (length(name) > 0),
  duration_minutes INTEGER NOT NULL CHECK (duration_minutes BETWEEN 5 AND 240),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  UNIQUE (barber_id, name)
) STRICT;

-- table chair_rentals: A row is a Chair rental: one morning or afternoon for which one barber has taken a chair, and whether it is still active or has been given back.
CREATE TABLE chair_rentals (
  id INTEGER PRIMARY KEY,
  barber_id INTEGER NOT NULL REFERENCES barbers (id),
  day TEXT NOT NULL CHECK (length(day) = 10),
  half TEXT NOT NULL CHECK (half IN ('morning', 'afternoon')),
  starts_at TEXT NOT NULL CHECK (length(starts_at) = 19 AND substr(starts_at, 1, 10) = day),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 19 AND substr(ends_at, 1, 10) = day),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'given_back')),
  given_back_at TEXT CHECK (given_back_at IS NULL OR length(given_back_at) = 19),
  UNIQUE (barber_id, day, half),
  CHECK (starts_at < ends_at),
  CHECK ((status = 'given_back') = (given_back_at IS NOT NULL))
) STRICT;
CREATE INDEX idx_chair_rentals_day ON chair_rentals (day, half);

-- table appointments: A row is an Appointment of a customer for one service of a barber, inside one of that barber's chair rentals, with the time and price as agreed when it was booked or last changed.
CREATE TABLE appointments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  service_id INTEGER NOT NULL REFERENCES services (id),
  chair_rental_id INTEGER NOT NULL REFERENCES chair_rentals (id),
  starts_at TEXT NOT NULL CHECK (length(starts_at) = 19),
  ends_at TEXT NOT NULL CHECK (length(ends_at) = 19),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  status TEXT NOT NULL DEFAULT 'booked' CHECK (status IN ('booked', 'confirmed', 'done', 'cancelled', 'missed')),
  booked_at TEXT NOT NULL CHECK (length(booked_at) = 19),
  confirmed_at TEXT CHECK (confirmed_at IS NULL OR length(confirmed_at) = 19),
  cancelled_at TEXT CHECK (cancelled_at IS NULL OR length(cancelled_at) = 19),
  CHECK (starts_at < ends_at),
  CHECK (booked_at <= starts_at),
  CHECK (confirmed_at IS NULL OR confirmed_at >= booked_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= booked_at),
  CHECK (status <> 'booked' OR confirmed_at IS NULL),
  CHECK (status <> 'confirmed' OR confirmed_at IS NOT NULL),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE INDEX idx_appointments_customer ON appointments (customer_id, starts_at);
CREATE INDEX idx_appointments_chair_rental ON appointments (chair_rental_id, starts_at);
