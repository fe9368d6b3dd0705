CREATE TABLE harbours (code TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE sailings (
  id INTEGER PRIMARY KEY, origin TEXT NOT NULL REFERENCES harbours(code), destination TEXT NOT NULL REFERENCES harbours(code),
  departs_at TEXT NOT NULL, vessel TEXT NOT NULL, car_places INTEGER NOT NULL
) STRICT;
CREATE TABLE vehicles (plate TEXT PRIMARY KEY, passenger_id INTEGER NOT NULL, length_cm INTEGER NOT NULL) STRICT;
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY AUTOINCREMENT, sailing_id INTEGER NOT NULL REFERENCES sailings(id), passenger_id INTEGER NOT NULL,
  plate TEXT REFERENCES vehicles(plate), status TEXT NOT NULL CHECK (status IN ('valid', 'used', 'refunded'))
) STRICT;
