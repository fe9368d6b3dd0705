-- table soci in data/soci.json: A row is one socio, a sworn translator who is a member of the cooperative; row 1 is the user.
CREATE TABLE soci (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  telephone TEXT NOT NULL UNIQUE
) STRICT;

-- table assenze in data/assenze.csv: A row is one day on which a socio is away and neither goes to court nor takes a file over.
CREATE TABLE assenze (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  socio_id INTEGER NOT NULL REFERENCES soci (id),
  day TEXT NOT NULL CHECK (length(day) = 10),
  UNIQUE (socio_id, day)
) STRICT;

-- table combinazioni in data/combinazioni.tsv: A row is one combination a socio is sworn for, from one language into another, one of the two being Italian.
CREATE TABLE combinazioni (
  id INTEGER PRIMARY KEY,
  socio_id INTEGER NOT NULL REFERENCES soci (id),
  from_language TEXT NOT NULL,
  into_language TEXT NOT NULL,
  UNIQUE (socio_id, from_language, into_language),
  CHECK (from_language <> into_language),
  CHECK (from_language = 'Italian' OR into_language = 'Italian')
) STRICT;

-- table clienti in data/clienti.yaml: A row is one cliente, a private person or a firm whose papers are translated and sworn.
CREATE TABLE clienti (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('private', 'firm')),
  telephone TEXT NOT NULL,
  email TEXT,
  address TEXT NOT NULL,
  tax_code TEXT NOT NULL UNIQUE
) STRICT;

-- table incarichi in data/incarichi.json: A row is one incarico, a document of a cliente to be translated and sworn by the socio whose job it now is, from the quote until it is collected or withdrawn.
CREATE TABLE incarichi (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  cliente_id INTEGER NOT NULL REFERENCES clienti (id),
  socio_id INTEGER NOT NULL REFERENCES soci (id),
  document TEXT NOT NULL,
  from_language TEXT NOT NULL,
  into_language TEXT NOT NULL,
  lines INTEGER NOT NULL CHECK (lines > 0),
  original_received_on TEXT,
  ready_on TEXT NOT NULL,
  deadline TEXT NOT NULL,
  urgent INTEGER NOT NULL CHECK (urgent IN (0, 1)),
  exempt INTEGER NOT NULL CHECK (exempt IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('quoted', 'accepted', 'sworn', 'collected', 'withdrawn')),
  quoted_at TEXT NOT NULL,
  accepted_at TEXT,
  collected_at TEXT,
  withdrawn_at TEXT,
  CHECK (from_language <> into_language),
  CHECK (from_language = 'Italian' OR into_language = 'Italian'),
  CHECK (deadline > ready_on),
  CHECK (accepted_at IS NULL OR accepted_at >= quoted_at),
  CHECK (collected_at IS NULL OR collected_at > accepted_at),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= quoted_at),
  CHECK (status <> 'quoted' OR accepted_at IS NULL),
  CHECK (status NOT IN ('accepted', 'sworn', 'collected') OR accepted_at IS NOT NULL),
  CHECK (status NOT IN ('sworn', 'collected') OR original_received_on IS NOT NULL),
  CHECK ((status = 'collected') = (collected_at IS NOT NULL)),
  CHECK ((status = 'withdrawn') = (withdrawn_at IS NOT NULL))
) STRICT;

-- table festivi in data/festivi.tsv: A row is one public holiday, which like Saturdays and Sundays is no working day.
CREATE TABLE festivi (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE CHECK (length(day) = 10),
  name TEXT NOT NULL
) STRICT;

-- table mattine in data/mattine.json: A row is one mattina, a Tuesday or Thursday on which the Tribunale swears translations or which is lost, naming the holiday where one is the cause.
CREATE TABLE mattine (
  id INTEGER PRIMARY KEY,
  day TEXT NOT NULL UNIQUE CHECK (length(day) = 10),
  status TEXT NOT NULL CHECK (status IN ('open', 'lost')),
  festivo_id INTEGER UNIQUE REFERENCES festivi (id),
  CHECK (festivo_id IS NULL OR status = 'lost')
) STRICT;

-- table giuramenti in data/giuramenti.jsonl: A row is one giuramento, the place of a job on a court morning, with the time it was entered and what came of it.
CREATE TABLE giuramenti (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  incarico_id INTEGER NOT NULL REFERENCES incarichi (id),
  mattina_id INTEGER NOT NULL REFERENCES mattine (id),
  entered_at TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('awaited', 'sworn', 'not_sworn', 'cancelled')),
  outcome_at TEXT,
  cancelled_at TEXT,
  CHECK (outcome_at IS NULL OR outcome_at > entered_at),
  CHECK (cancelled_at IS NULL OR cancelled_at >= entered_at),
  CHECK ((outcome IN ('sworn', 'not_sworn')) = (outcome_at IS NOT NULL)),
  CHECK ((outcome = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX giuramenti_one_live ON giuramenti (incarico_id) WHERE outcome IN ('awaited', 'sworn');

-- table movimenti_di_cassa in data/cassa.csv: A row is one payment into the cassa on a job, with its day and method.
CREATE TABLE movimenti_di_cassa (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  incarico_id INTEGER NOT NULL REFERENCES incarichi (id),
  day TEXT NOT NULL CHECK (length(day) = 10),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  method TEXT NOT NULL CHECK (method IN ('cash', 'card', 'transfer'))
) STRICT;

-- document docs/tariffa.md: The tariff: price a line and minimum, urgent surcharge, swearing, VAT, stamps and exemption, the two worked totals for 80 lines, the deposit, how firms and private customers pay, and what goes to the secretary by telephone.

-- document docs/chiusure.txt: The court mornings lost in 2026 with their reasons, the office's closing days until March 2027, and when booking, moving and cancelling close.

-- document docs/note_clienti.md: Notes on single customers: how they like to be reached, who collects for them, how names are to be spelt, which member has their papers in which language.
