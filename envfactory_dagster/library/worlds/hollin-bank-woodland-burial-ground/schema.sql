-- table family_contacts: A row is a Family contact, who reserves plots and orders trees for their family; row 1 is the user.
CREATE TABLE family_contacts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) > 0)
) STRICT;

-- table soils: A row is a kind of soil found on the ground, such as loam or sand.
CREATE TABLE soils (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0)
) STRICT;

-- table plots: A row is a Plot with its compass bearing and distance from the survey post, its soil, its price, the yearly upkeep and the part of the price given back when a reservation of it is released.
CREATE TABLE plots (
  id INTEGER PRIMARY KEY,
  soil_id INTEGER NOT NULL REFERENCES soils (id),
  bearing_degrees INTEGER NOT NULL CHECK (bearing_degrees BETWEEN 0 AND 359),
  distance_m REAL NOT NULL CHECK (distance_m > 0),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  upkeep_cents INTEGER NOT NULL CHECK (upkeep_cents > 0),
  refund_cents INTEGER NOT NULL CHECK (refund_cents >= 0),
  status TEXT NOT NULL CHECK (status IN ('free', 'reserved', 'opened', 'closed')),
  UNIQUE (bearing_degrees, distance_m),
  CHECK (refund_cents <= price_cents)
) STRICT;

-- table reservations: A row is a Reservation of a plot by a family contact, with the price at that time, the last year for which upkeep has been paid and, once released, the refund.
CREATE TABLE reservations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  family_contact_id INTEGER NOT NULL REFERENCES family_contacts (id),
  plot_id INTEGER NOT NULL REFERENCES plots (id),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  upkeep_paid_until_year INTEGER NOT NULL CHECK (upkeep_paid_until_year BETWEEN 1990 AND 2199),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'released', 'used', 'lapsed')),
  reserved_at TEXT NOT NULL CHECK (length(reserved_at) = 19),
  released_at TEXT CHECK (length(released_at) = 19),
  used_at TEXT CHECK (length(used_at) = 19),
  lapsed_at TEXT CHECK (length(lapsed_at) = 19),
  refund_cents INTEGER CHECK (refund_cents >= 0),
  CHECK ((status = 'released') = (released_at IS NOT NULL)),
  CHECK ((status = 'used') = (used_at IS NOT NULL)),
  CHECK ((status = 'lapsed') = (lapsed_at IS NOT NULL)),
  CHECK ((released_at IS NULL) = (refund_cents IS NULL)),
  CHECK (refund_cents IS NULL OR refund_cents <= price_cents),
  CHECK (released_at IS NULL OR released_at >= reserved_at),
  CHECK (used_at IS NULL OR used_at >= reserved_at),
  CHECK (lapsed_at IS NULL OR lapsed_at >= reserved_at)
) STRICT;
CREATE UNIQUE INDEX reservations_plot ON reservations (plot_id) WHERE status IN ('active', 'used');

-- table tree_species: A row is a Tree species that may be planted on the ground, with its price.
CREATE TABLE tree_species (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (length(name) > 0),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0)
) STRICT;

-- table tree_species_soils: A row says that a tree species is listed for a kind of soil.
CREATE TABLE tree_species_soils (
  tree_species_id INTEGER NOT NULL REFERENCES tree_species (id),
  soil_id INTEGER NOT NULL REFERENCES soils (id),
  PRIMARY KEY (tree_species_id, soil_id)
) STRICT;

-- table memorial_trees: A row is a Memorial tree ordered by a family contact for a plot, with its species, the price at that time, its planting date and its state.
CREATE TABLE memorial_trees (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  family_contact_id INTEGER NOT NULL REFERENCES family_contacts (id),
  plot_id INTEGER NOT NULL REFERENCES plots (id),
  tree_species_id INTEGER NOT NULL REFERENCES tree_species (id),
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  planting_date TEXT NOT NULL CHECK (planting_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND substr(planting_date, 6, 2) IN ('11', '12', '01', '02', '03')),
  status TEXT NOT NULL DEFAULT 'ordered' CHECK (status IN ('ordered', 'planted', 'cancelled', 'dead')),
  ordered_at TEXT NOT NULL CHECK (length(ordered_at) = 19),
  cancelled_at TEXT CHECK (length(cancelled_at) = 19),
  died_on TEXT CHECK (died_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  CHECK (planting_date >= substr(ordered_at, 1, 10)),
  CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((status = 'dead') = (died_on IS NOT NULL)),
  CHECK (cancelled_at IS NULL OR cancelled_at >= ordered_at),
  CHECK (died_on IS NULL OR died_on >= planting_date)
) STRICT;
CREATE UNIQUE INDEX memorial_trees_plot ON memorial_trees (plot_id) WHERE status IN ('ordered', 'planted');
