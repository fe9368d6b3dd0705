-- table members: A row is a member of the mutual with the fund they came from: Lombok or Oost when they joined before the merger of 2017, otherwise none.
CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_number TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  phone TEXT,
  old_fund TEXT NOT NULL CHECK (old_fund IN ('lombok', 'oost', 'none')),
  joined_on TEXT NOT NULL
) STRICT;

-- table addresses: A row is an address of a member: a home, which ends when a removal begins the next one, or a temporary one for the post with its first and last day; a member with more than one home since joining has moved for good.
CREATE TABLE addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  kind TEXT NOT NULL CHECK (kind IN ('home', 'temporary')),
  street TEXT NOT NULL,
  house_number TEXT NOT NULL,
  postcode TEXT NOT NULL,
  city TEXT NOT NULL,
  starts_on TEXT NOT NULL,
  ends_on TEXT,
  filed_at TEXT NOT NULL,
  CHECK (ends_on IS NULL OR ends_on >= starts_on),
  CHECK (kind = 'home' OR ends_on IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX one_current_home ON addresses (member_id) WHERE kind = 'home' AND ends_on IS NULL;

-- table policies: A row is the policy that a member holds for themselves or for the whole household.
CREATE TABLE policies (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  policy_number TEXT NOT NULL UNIQUE,
  member_id INTEGER NOT NULL REFERENCES members (id),
  kind TEXT NOT NULL CHECK (kind IN ('single', 'family')),
  starts_on TEXT NOT NULL,
  ends_on TEXT,
  CHECK (ends_on IS NULL OR ends_on >= starts_on)
) STRICT;
CREATE UNIQUE INDEX one_running_policy ON policies (member_id) WHERE ends_on IS NULL;

-- table bicycles: A row is a bicycle that was put on a policy, with who rides it; its age counts from the day it was first sold as new, also when it was acquired second hand.
CREATE TABLE bicycles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  policy_id INTEGER NOT NULL REFERENCES policies (id),
  rider_name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('city_bicycle', 'electric', 'cargo')),
  make TEXT NOT NULL,
  model TEXT,
  colour TEXT,
  frame_number TEXT NOT NULL UNIQUE,
  first_sold_on TEXT NOT NULL,
  acquired_on TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  battery_wh INTEGER CHECK (battery_wh > 0),
  added_at TEXT NOT NULL,
  CHECK (acquired_on >= first_sold_on),
  CHECK (battery_wh IS NULL OR kind <> 'city_bicycle')
) STRICT;

-- table locks: A row is a lock of a bicycle with its approval category.
CREATE TABLE locks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bicycle_id INTEGER NOT NULL REFERENCES bicycles (id),
  make TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('ring', 'chain', 'folding', 'u_lock')),
  category INTEGER NOT NULL CHECK (category BETWEEN 1 AND 5),
  added_on TEXT NOT NULL
) STRICT;

-- table covers: A row is a cover on the policy of a bicycle, or of its battery apart, with the monthly premium agreed before the no-claim reduction; a cancelled one runs on until its last day.
CREATE TABLE covers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bicycle_id INTEGER NOT NULL REFERENCES bicycles (id),
  kind TEXT NOT NULL CHECK (kind IN ('city_bicycle', 'electric', 'cargo', 'battery')),
  insured_value_cents INTEGER NOT NULL CHECK (insured_value_cents > 0),
  monthly_premium_cents INTEGER NOT NULL CHECK (monthly_premium_cents > 0),
  starts_on TEXT NOT NULL,
  ends_on TEXT,
  cancelled_at TEXT,
  CHECK (ends_on IS NULL OR ends_on >= starts_on),
  CHECK (cancelled_at IS NULL OR ends_on IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX one_cover_of_a_kind ON covers (bicycle_id, kind) WHERE ends_on IS NULL;

-- table repair_shops: A row is a repair shop in or near Utrecht, with or without an agreement with the mutual.
CREATE TABLE repair_shops (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  street TEXT NOT NULL,
  district TEXT NOT NULL,
  phone TEXT,
  has_agreement INTEGER NOT NULL CHECK (has_agreement IN (0, 1))
) STRICT;

-- table claims: A row is a claim under a cover, for a theft or for damage, with the own risk that was taken for it and, for damage, the shop and the state of the repair.
CREATE TABLE claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_number TEXT NOT NULL UNIQUE,
  member_id INTEGER NOT NULL REFERENCES members (id),
  cover_id INTEGER NOT NULL REFERENCES covers (id),
  kind TEXT NOT NULL CHECK (kind IN ('theft', 'damage')),
  status TEXT NOT NULL CHECK (status IN ('reported', 'submitted', 'approved', 'refused', 'withdrawn', 'paid')),
  happened_at TEXT NOT NULL,
  discovered_at TEXT,
  place TEXT NOT NULL,
  description TEXT NOT NULL,
  police_number TEXT,
  repair_shop_id INTEGER REFERENCES repair_shops (id),
  repair_amount_cents INTEGER CHECK (repair_amount_cents > 0),
  brought_in_on TEXT,
  repair_expected_on TEXT,
  repair_ready_on TEXT,
  own_risk_cents INTEGER NOT NULL CHECK (own_risk_cents IN (3500, 5000, 6000, 8500)),
  reported_at TEXT NOT NULL,
  submitted_at TEXT,
  decided_at TEXT,
  withdrawn_at TEXT,
  CHECK (kind = 'damage' OR discovered_at IS NOT NULL),
  CHECK (kind = 'damage' OR (repair_shop_id IS NULL AND repair_amount_cents IS NULL)),
  CHECK (discovered_at IS NULL OR discovered_at >= happened_at),
  CHECK (reported_at >= happened_at),
  CHECK (discovered_at IS NULL OR reported_at >= discovered_at),
  CHECK (brought_in_on IS NULL OR repair_shop_id IS NOT NULL),
  CHECK (repair_expected_on IS NULL OR (brought_in_on IS NOT NULL AND repair_expected_on >= brought_in_on)),
  CHECK (repair_ready_on IS NULL OR (brought_in_on IS NOT NULL AND repair_ready_on >= brought_in_on)),
  CHECK (submitted_at IS NULL OR submitted_at >= reported_at),
  CHECK (submitted_at IS NOT NULL OR status IN ('reported', 'withdrawn')),
  CHECK (submitted_at IS NULL OR status <> 'reported'),
  CHECK ((decided_at IS NOT NULL) = (status IN ('approved', 'refused', 'paid'))),
  CHECK (decided_at IS NULL OR decided_at >= submitted_at),
  CHECK ((withdrawn_at IS NOT NULL) = (status = 'withdrawn')),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= reported_at)
) STRICT;

-- table claim_papers: A row is a claim paper: a receipt, photographs or another piece that was added to a claim.
CREATE TABLE claim_papers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_id INTEGER NOT NULL REFERENCES claims (id),
  kind TEXT NOT NULL CHECK (kind IN ('receipt', 'photographs', 'police_report', 'proof_of_purchase', 'letter')),
  description TEXT NOT NULL,
  added_at TEXT NOT NULL
) STRICT;

-- table handed_in_keys: A row is one handed-in key of a lock, put down for a theft claim, original or copy.
CREATE TABLE handed_in_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_id INTEGER NOT NULL REFERENCES claims (id),
  lock_id INTEGER NOT NULL REFERENCES locks (id),
  quality TEXT NOT NULL CHECK (quality IN ('original', 'copy')),
  way TEXT NOT NULL CHECK (way IN ('counter', 'post')),
  handed_in_at TEXT NOT NULL
) STRICT;

-- table estimates: A row is a shop's estimate of a repair that the mutual was asked to look at for a damage claim.
CREATE TABLE estimates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_id INTEGER NOT NULL REFERENCES claims (id),
  repair_shop_id INTEGER NOT NULL REFERENCES repair_shops (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  description TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('asked', 'approved', 'refused')),
  asked_at TEXT NOT NULL,
  decided_at TEXT,
  CHECK ((decided_at IS NULL) = (status = 'asked')),
  CHECK (decided_at IS NULL OR decided_at >= asked_at)
) STRICT;

-- table loan_bicycles: A row is a loan bicycle of the mutual that stands at a shop with an agreement.
CREATE TABLE loan_bicycles (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE,
  repair_shop_id INTEGER NOT NULL REFERENCES repair_shops (id),
  kind TEXT NOT NULL CHECK (kind IN ('city_bicycle', 'electric', 'cargo')),
  description TEXT NOT NULL
) STRICT;

-- table loans: A row is the loan of a loan bicycle during the repair of a damage claim, with the day it is due, extension included, and the price of each extra day.
CREATE TABLE loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  loan_bicycle_id INTEGER NOT NULL REFERENCES loan_bicycles (id),
  claim_id INTEGER NOT NULL REFERENCES claims (id),
  starts_on TEXT NOT NULL,
  due_on TEXT NOT NULL,
  extended_at TEXT,
  extra_days INTEGER CHECK (extra_days BETWEEN 1 AND 14),
  day_price_cents INTEGER CHECK (day_price_cents > 0),
  returned_on TEXT,
  created_at TEXT NOT NULL,
  CHECK (due_on > starts_on),
  CHECK (returned_on IS NULL OR returned_on >= starts_on),
  CHECK ((extended_at IS NULL) = (extra_days IS NULL)),
  CHECK ((extended_at IS NULL) = (day_price_cents IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_loan_of_a_bicycle ON loans (loan_bicycle_id) WHERE returned_on IS NULL;
CREATE UNIQUE INDEX one_loan_for_a_claim ON loans (claim_id) WHERE returned_on IS NULL;

-- table payments: A row is a payment of the mutual on a claim: the payout after own risk, or a correction afterwards.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  claim_id INTEGER NOT NULL REFERENCES claims (id),
  kind TEXT NOT NULL CHECK (kind IN ('payout', 'correction')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  paid_on TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_payout_of_a_claim ON payments (claim_id) WHERE kind = 'payout';

-- table no_claim_entries: A row is a no-claim entry of a policy: how many steps of 5 percent were added or taken off, and how many there are after it; the latest one holds.
CREATE TABLE no_claim_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  policy_id INTEGER NOT NULL REFERENCES policies (id),
  claim_id INTEGER UNIQUE REFERENCES claims (id),
  reason TEXT NOT NULL CHECK (reason IN ('start', 'taken_over', 'claim_free_year', 'approved_claim')),
  entered_on TEXT NOT NULL,
  change INTEGER NOT NULL CHECK (change BETWEEN -2 AND 5),
  steps_after INTEGER NOT NULL CHECK (steps_after BETWEEN 0 AND 5),
  CHECK ((claim_id IS NOT NULL) = (reason = 'approved_claim')),
  CHECK (reason <> 'approved_claim' OR change <= 0)
) STRICT;

-- table travel_notices: A row is a travel notice for one bicycle, inside the Benelux and Germany or elsewhere, with its first and last day.
CREATE TABLE travel_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bicycle_id INTEGER NOT NULL REFERENCES bicycles (id),
  countries TEXT NOT NULL,
  area TEXT NOT NULL CHECK (area IN ('benelux_germany', 'elsewhere')),
  starts_on TEXT NOT NULL,
  ends_on TEXT NOT NULL,
  filed_at TEXT NOT NULL,
  withdrawn_at TEXT,
  CHECK (ends_on >= starts_on),
  CHECK (withdrawn_at IS NULL OR withdrawn_at >= filed_at)
) STRICT;

-- table objections: A row is a member's objection to the own risk taken for a claim or to the end date of a cancelled cover.
CREATE TABLE objections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  member_id INTEGER NOT NULL REFERENCES members (id),
  claim_id INTEGER REFERENCES claims (id),
  cover_id INTEGER REFERENCES covers (id),
  about TEXT NOT NULL CHECK (about IN ('own_risk', 'end_date')),
  asked_own_risk_cents INTEGER CHECK (asked_own_risk_cents IN (3500, 5000, 6000, 8500)),
  asked_end_on TEXT,
  reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('filed', 'upheld', 'rejected')),
  filed_at TEXT NOT NULL,
  decided_at TEXT,
  CHECK ((about = 'own_risk') = (claim_id IS NOT NULL)),
  CHECK ((about = 'own_risk') = (asked_own_risk_cents IS NOT NULL)),
  CHECK ((about = 'end_date') = (cover_id IS NOT NULL)),
  CHECK ((about = 'end_date') = (asked_end_on IS NOT NULL)),
  CHECK ((decided_at IS NULL) = (status = 'filed')),
  CHECK (decided_at IS NULL OR decided_at >= filed_at)
) STRICT;
