-- table customers: A customer: a condominium administrator, residents' committee member or shop owner who deals with the company.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) >= 3),
  phone TEXT NOT NULL CHECK (phone GLOB '+351[29]*' AND length(phone) = 13)
) STRICT;

-- table municipalities: A municipality where buildings lie; it decides the local holiday and where inspections are filed.
CREATE TABLE municipalities (
  id INTEGER PRIMARY KEY,
  municipality TEXT NOT NULL UNIQUE CHECK (municipality IN ('lisboa', 'amadora', 'odivelas', 'loures', 'oeiras', 'cascais', 'sintra', 'almada'))
) STRICT;

-- table holidays: A day that is no working day: a national public holiday (no municipality) or the municipal holiday of one municipality.
CREATE TABLE holidays (
  id INTEGER PRIMARY KEY,
  holiday_date TEXT NOT NULL CHECK (holiday_date = date(holiday_date)),
  name TEXT NOT NULL,
  municipality_id INTEGER REFERENCES municipalities (id),
  UNIQUE (holiday_date, municipality_id)
) STRICT;

-- table buildings: A building whose lifts the company looks after; told as BLD- and its id in six digits.
CREATE TABLE buildings (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL,
  postal_code TEXT NOT NULL CHECK (postal_code GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9][0-9]'),
  municipality_id INTEGER NOT NULL REFERENCES municipalities (id),
  building_use TEXT NOT NULL CHECK (building_use IN ('residential', 'mixed', 'commercial')),
  UNIQUE (address, postal_code)
) STRICT;

-- table building_roles: The role that a customer has in a building.
CREATE TABLE building_roles (
  building_id INTEGER NOT NULL REFERENCES buildings (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  customer_role TEXT NOT NULL CHECK (customer_role IN ('administrator', 'committee_member', 'shop_owner')),
  PRIMARY KEY (building_id, customer_id)
) STRICT;
CREATE UNIQUE INDEX building_roles_one_administrator ON building_roles (building_id) WHERE customer_role = 'administrator';

-- table contracts: A maintenance contract, of the condominium (no customer) or of the shop owner named; told as CTR- and its id in six digits.
CREATE TABLE contracts (
  id INTEGER PRIMARY KEY,
  building_id INTEGER NOT NULL REFERENCES buildings (id),
  customer_id INTEGER REFERENCES customers (id),
  contract_kind TEXT NOT NULL CHECK (contract_kind IN ('simple', 'complete')),
  contract_status TEXT NOT NULL CHECK (contract_status IN ('active', 'notice_given', 'ended')),
  term_start TEXT NOT NULL CHECK (term_start = date(term_start)),
  term_end TEXT NOT NULL CHECK (term_end = date(term_end)),
  monthly_cents INTEGER NOT NULL CHECK (monthly_cents >= 0),
  vat_rate INTEGER NOT NULL CHECK (vat_rate IN (6, 23)),
  night_cover INTEGER NOT NULL CHECK (night_cover IN (0, 1)),
  direct_debit_mandate INTEGER NOT NULL CHECK (direct_debit_mandate IN (0, 1)),
  CHECK (term_start < term_end)
) STRICT;
CREATE UNIQUE INDEX contracts_one_of_condominium ON contracts (building_id) WHERE customer_id IS NULL AND contract_status <> 'ended';
CREATE UNIQUE INDEX contracts_one_of_shop_owner ON contracts (building_id, customer_id) WHERE customer_id IS NOT NULL AND contract_status <> 'ended';

-- table lifts: A lift of a building with its contract and present state; told as LFT- and its id in six digits.
CREATE TABLE lifts (
  id INTEGER PRIMARY KEY,
  building_id INTEGER NOT NULL REFERENCES buildings (id),
  contract_id INTEGER NOT NULL REFERENCES contracts (id),
  entrance TEXT NOT NULL,
  municipal_number TEXT NOT NULL UNIQUE CHECK (municipal_number GLOB '[0-9]*/[0-9][0-9][0-9][0-9]'),
  lift_kind TEXT NOT NULL CHECK (lift_kind IN ('passenger', 'goods', 'platform', 'escalator')),
  lift_status TEXT NOT NULL CHECK (lift_status IN ('in_service', 'fault', 'planned_stop', 'sealed')),
  floors INTEGER NOT NULL CHECK (floors >= 2),
  load_kg INTEGER NOT NULL CHECK (load_kg >= 50),
  installed_year INTEGER NOT NULL CHECK (installed_year >= 1900),
  inspection_due_date TEXT NOT NULL CHECK (inspection_due_date = date(inspection_due_date))
) STRICT;

-- table call_outs: A call-out of a technician to a lift with its priority, times, cause, report and frozen cost; told as COT- and its id in six digits.
CREATE TABLE call_outs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  fault_kind TEXT NOT NULL CHECK (fault_kind IN ('trapped_person', 'stopped', 'door_fault', 'levelling', 'noise', 'alarm_or_phone', 'lighting', 'water_or_fire', 'vandalism', 'other')),
  fault_details TEXT NOT NULL CHECK (length(fault_details) >= 10),
  phone TEXT NOT NULL CHECK (phone GLOB '+351[29]*' AND length(phone) = 13),
  lift_stopped INTEGER NOT NULL CHECK (lift_stopped IN (0, 1)),
  priority TEXT NOT NULL CHECK (priority IN ('p1', 'p2', 'p3')),
  call_out_status TEXT NOT NULL CHECK (call_out_status IN ('received', 'dispatched', 'on_site', 'closed', 'cancelled')),
  reported_at TEXT NOT NULL,
  tariff_band TEXT NOT NULL CHECK (tariff_band IN ('day', 'evening', 'night', 'holiday_day', 'holiday_night')),
  arrive_by TEXT NOT NULL,
  arrived_at TEXT,
  closed_at TEXT,
  cancelled_at TEXT,
  cancel_reason TEXT,
  cause_kind TEXT NOT NULL CHECK (cause_kind IN ('wear', 'adjustment', 'misuse', 'vandalism', 'water', 'power_supply', 'recent_work', 'unknown')),
  work_done TEXT NOT NULL,
  covered INTEGER NOT NULL CHECK (covered IN (0, 1)),
  uses_quota INTEGER NOT NULL CHECK (uses_quota IN (0, 1)),
  net_cents INTEGER NOT NULL CHECK (net_cents >= 0),
  vat_rate INTEGER NOT NULL CHECK (vat_rate IN (6, 23)),
  CHECK (arrive_by > reported_at),
  CHECK (arrived_at >= reported_at),
  CHECK (closed_at >= arrived_at),
  CHECK (call_out_status NOT IN ('on_site', 'closed') OR arrived_at IS NOT NULL),
  CHECK ((call_out_status = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((call_out_status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((cancelled_at IS NULL) = (cancel_reason IS NULL))
) STRICT;
CREATE UNIQUE INDEX call_outs_one_open_a_lift ON call_outs (lift_id) WHERE call_out_status IN ('received', 'dispatched', 'on_site');

-- table accidents: An accident file: an accident reported on a lift, with the call-out it caused; told as ACC- and its id in six digits.
CREATE TABLE accidents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  call_out_id INTEGER NOT NULL REFERENCES call_outs (id),
  occurred_at TEXT NOT NULL,
  reported_at TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('damage_only', 'injury', 'death')),
  injured_count INTEGER NOT NULL CHECK (injured_count >= 0),
  fault_details TEXT NOT NULL CHECK (length(fault_details) >= 10),
  phone TEXT NOT NULL CHECK (phone GLOB '+351[29]*' AND length(phone) = 13),
  notify_by TEXT NOT NULL,
  CHECK (reported_at >= occurred_at),
  CHECK (notify_by >= occurred_at),
  CHECK (severity = 'damage_only' OR injured_count >= 1)
) STRICT;

-- table inspections: An inspection of a lift filed with the Câmara Municipal; told as INS- and its id in six digits.
CREATE TABLE inspections (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  inspection_kind TEXT NOT NULL CHECK (inspection_kind IN ('periodic', 'reinspection', 'extraordinary')),
  inspection_status TEXT NOT NULL CHECK (inspection_status IN ('requested', 'scheduled', 'passed', 'passed_with_clauses', 'failed')),
  requested_on TEXT NOT NULL CHECK (requested_on = date(requested_on)),
  inspection_at TEXT,
  fee_receipt_ref TEXT NOT NULL CHECK (fee_receipt_ref GLOB 'DOC-[0-9][0-9][0-9][0-9][0-9][0-9]'),
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
  in_time INTEGER NOT NULL CHECK (in_time IN (0, 1)),
  previous_inspection_id INTEGER REFERENCES inspections (id),
  accident_id INTEGER REFERENCES accidents (id),
  CHECK (inspection_at >= requested_on),
  CHECK ((inspection_status = 'requested') = (inspection_at IS NULL)),
  CHECK ((inspection_kind = 'reinspection') = (previous_inspection_id IS NOT NULL)),
  CHECK (accident_id IS NULL OR inspection_kind = 'extraordinary')
) STRICT;

-- table inspection_unwanted_dates: A day that the inspection body is asked to avoid for an inspection.
CREATE TABLE inspection_unwanted_dates (
  inspection_id INTEGER NOT NULL REFERENCES inspections (id),
  unwanted_date TEXT NOT NULL CHECK (unwanted_date = date(unwanted_date)),
  PRIMARY KEY (inspection_id, unwanted_date)
) STRICT;

-- table quotations: A quotation for repair, modernisation or the cure of clauses on a lift, from request to work done; told as QUO- and its id in six digits.
CREATE TABLE quotations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  customer_id INTEGER REFERENCES customers (id),
  call_out_id INTEGER REFERENCES call_outs (id),
  inspection_id INTEGER REFERENCES inspections (id),
  work_kind TEXT NOT NULL CHECK (work_kind IN ('repair', 'modernisation')),
  title TEXT NOT NULL,
  fault_details TEXT NOT NULL CHECK (length(fault_details) >= 10),
  quotation_status TEXT NOT NULL CHECK (quotation_status IN ('requested', 'issued', 'approved', 'lapsed', 'done')),
  safety_level TEXT NOT NULL CHECK (safety_level IN ('C1', 'C2', 'C3', 'none')),
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
  requested_on TEXT NOT NULL CHECK (requested_on = date(requested_on)),
  issue_due_date TEXT NOT NULL CHECK (issue_due_date = date(issue_due_date)),
  issued_on TEXT CHECK (issued_on = date(issued_on)),
  valid_until TEXT CHECK (valid_until = date(valid_until)),
  duration_minutes INTEGER CHECK (duration_minutes BETWEEN 15 AND 14400),
  vat_rate INTEGER NOT NULL CHECK (vat_rate IN (6, 23)),
  parts_lead_days INTEGER NOT NULL CHECK (parts_lead_days >= 0),
  approved_by_customer_id INTEGER REFERENCES customers (id),
  approved_at TEXT,
  minutes_ref TEXT,
  minutes_due_date TEXT CHECK (minutes_due_date = date(minutes_due_date)),
  withdraw_until TEXT,
  parts_ordered_at TEXT,
  parts_ready_date TEXT CHECK (parts_ready_date = date(parts_ready_date)),
  CHECK (issue_due_date >= requested_on),
  CHECK (issued_on >= requested_on),
  CHECK (valid_until > issued_on),
  CHECK (approved_at >= issued_on),
  CHECK ((quotation_status = 'requested') = (issued_on IS NULL)),
  CHECK ((issued_on IS NULL) = (valid_until IS NULL)),
  CHECK ((issued_on IS NULL) = (duration_minutes IS NULL)),
  CHECK ((quotation_status IN ('approved', 'done')) = (approved_at IS NOT NULL)),
  CHECK ((approved_at IS NULL) = (approved_by_customer_id IS NULL)),
  CHECK ((approved_at IS NULL) = (parts_ready_date IS NULL)),
  CHECK ((approved_at IS NULL) = (withdraw_until IS NULL))
) STRICT;

-- table quotation_lines: A line of a quotation with its net amount; the quotation's total is their sum with IVA.
CREATE TABLE quotation_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  quotation_id INTEGER NOT NULL REFERENCES quotations (id),
  line_number INTEGER NOT NULL CHECK (line_number >= 1),
  line_kind TEXT NOT NULL CHECK (line_kind IN ('monthly_fee', 'call_out', 'surcharge', 'labour', 'parts', 'alternative', 'late_fee', 'credit')),
  line_text TEXT NOT NULL,
  net_cents INTEGER NOT NULL CHECK (net_cents >= 0),
  made_to_order INTEGER NOT NULL CHECK (made_to_order IN (0, 1)),
  UNIQUE (quotation_id, line_number),
  CHECK (made_to_order = 0 OR line_kind = 'parts')
) STRICT;

-- table inspection_clauses: An inspection clause: a fault in the inspector's report, its class, its cure and the quotation for it.
CREATE TABLE inspection_clauses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  inspection_id INTEGER NOT NULL REFERENCES inspections (id),
  clause_code TEXT NOT NULL,
  safety_level TEXT NOT NULL CHECK (safety_level IN ('C1', 'C2', 'C3')),
  line_text TEXT NOT NULL,
  cure_due_date TEXT CHECK (cure_due_date = date(cure_due_date)),
  cured INTEGER NOT NULL CHECK (cured IN (0, 1)),
  due_to_our_maintenance INTEGER NOT NULL CHECK (due_to_our_maintenance IN (0, 1)),
  quotation_id INTEGER REFERENCES quotations (id),
  UNIQUE (inspection_id, clause_code)
) STRICT;

-- table stop_slots: A stop slot: a free time that the planners offer for one kind of work on one lift, held for 30 minutes for whoever finds it; told as SLT- and its id in six digits.
CREATE TABLE stop_slots (
  id INTEGER PRIMARY KEY,
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  work_kind TEXT NOT NULL CHECK (work_kind IN ('maintenance', 'repair', 'modernisation', 'inspection')),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  duration_minutes INTEGER NOT NULL CHECK (duration_minutes BETWEEN 15 AND 14400),
  surcharge_percent INTEGER NOT NULL CHECK (surcharge_percent IN (0, 25, 50, 100)),
  UNIQUE (lift_id, work_kind, starts_at, duration_minutes),
  CHECK (starts_at < ends_at)
) STRICT;

-- table planned_stops: A planned stop of one lift for work, a maintenance visit or an inspection appointment; told as STP- and its id in six digits.
CREATE TABLE planned_stops (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  customer_id INTEGER REFERENCES customers (id),
  slot_id INTEGER REFERENCES stop_slots (id),
  quotation_id INTEGER REFERENCES quotations (id),
  inspection_id INTEGER REFERENCES inspections (id),
  work_kind TEXT NOT NULL CHECK (work_kind IN ('maintenance', 'repair', 'modernisation', 'inspection')),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  duration_minutes INTEGER NOT NULL CHECK (duration_minutes BETWEEN 15 AND 14400),
  stop_status TEXT NOT NULL CHECK (stop_status IN ('awaiting_alternative', 'confirmed', 'in_progress', 'done', 'cancelled', 'lapsed')),
  site_contact_phone TEXT CHECK (site_contact_phone GLOB '+351[29]*' AND length(site_contact_phone) = 13),
  notice_sent_at TEXT,
  moves_used INTEGER NOT NULL CHECK (moves_used >= 0),
  move_reason TEXT,
  deposit_cents INTEGER NOT NULL CHECK (deposit_cents >= 0),
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
  cancelled_at TEXT,
  cancel_ground TEXT CHECK (cancel_ground IN ('own_choice', 'new_dependent', 'no_alternative', 'inspection_body')),
  cancel_reason TEXT,
  refund_cents INTEGER CHECK (refund_cents >= 0),
  CHECK (starts_at < ends_at),
  CHECK (refund_cents <= deposit_cents),
  CHECK (quotation_id IS NULL OR work_kind IN ('repair', 'modernisation')),
  CHECK (inspection_id IS NULL OR work_kind = 'inspection'),
  CHECK ((stop_status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CHECK ((cancelled_at IS NULL) = (refund_cents IS NULL))
) STRICT;
CREATE UNIQUE INDEX planned_stops_one_a_slot ON planned_stops (slot_id) WHERE stop_status NOT IN ('cancelled', 'lapsed');

-- table dependents: A dependent: the registration of a person who depends on lifts of a building, made by a customer; told as DEP- and its id in six digits.
CREATE TABLE dependents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  building_id INTEGER NOT NULL REFERENCES buildings (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  dependent_name TEXT NOT NULL CHECK (length(dependent_name) BETWEEN 3 AND 120),
  unit TEXT NOT NULL CHECK (length(unit) <= 20),
  phone TEXT NOT NULL CHECK (phone GLOB '+351[29]*' AND length(phone) = 13),
  need_kind TEXT NOT NULL CHECK (need_kind IN ('wheelchair', 'reduced_walking', 'medical_equipment', 'regular_treatment', 'temporary_injury')),
  dependent_status TEXT NOT NULL CHECK (dependent_status IN ('provisional', 'active', 'ended')),
  registered_on TEXT NOT NULL CHECK (registered_on = date(registered_on)),
  valid_until TEXT CHECK (valid_until = date(valid_until)),
  proof_due_date TEXT CHECK (proof_due_date = date(proof_due_date)),
  document_ref TEXT CHECK (document_ref GLOB 'DOC-[0-9][0-9][0-9][0-9][0-9][0-9]'),
  consent_given INTEGER NOT NULL CHECK (consent_given = 1),
  end_ground TEXT CHECK (end_ground IN ('moved_away', 'recovered', 'deceased', 'consent_withdrawn')),
  effective_date TEXT CHECK (effective_date = date(effective_date)),
  CHECK (valid_until >= registered_on),
  CHECK (proof_due_date >= registered_on),
  CHECK (effective_date >= registered_on),
  CHECK (need_kind <> 'temporary_injury' OR valid_until IS NOT NULL),
  CHECK ((end_ground IS NULL) = (effective_date IS NULL))
) STRICT;

-- table dependent_lifts: A lift that a dependent relies on.
CREATE TABLE dependent_lifts (
  dependent_id INTEGER NOT NULL REFERENCES dependents (id),
  lift_id INTEGER NOT NULL REFERENCES lifts (id),
  PRIMARY KEY (dependent_id, lift_id)
) STRICT;

-- table alternative_kinds: A kind of alternative with its price to the condominium for one stop, with IVA, and how many the company has.
CREATE TABLE alternative_kinds (
  id INTEGER PRIMARY KEY,
  alternative_kind TEXT NOT NULL UNIQUE CHECK (alternative_kind IN ('other_lift', 'stair_climber', 'carried_assistance', 'temporary_lodging', 'absent')),
  price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  units_available INTEGER CHECK (units_available >= 0)
) STRICT;

-- table alternative_arrangements: An alternative arrangement for one dependent during one planned stop; told as ARR- and its id in six digits.
CREATE TABLE alternative_arrangements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stop_id INTEGER NOT NULL REFERENCES planned_stops (id),
  dependent_id INTEGER NOT NULL REFERENCES dependents (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  alternative_kind_id INTEGER NOT NULL REFERENCES alternative_kinds (id),
  lift_id INTEGER REFERENCES lifts (id),
  alternative_status TEXT NOT NULL CHECK (alternative_status IN ('offered', 'confirmed', 'refused')),
  total_cents INTEGER NOT NULL CHECK (total_cents >= 0),
  arranged_at TEXT NOT NULL,
  voided_at TEXT,
  CHECK (voided_at >= arranged_at)
) STRICT;
CREATE UNIQUE INDEX alternative_arrangements_one_standing ON alternative_arrangements (stop_id, dependent_id) WHERE alternative_status <> 'refused' AND voided_at IS NULL;

-- table arrangement_trips: An outing that is served under an alternative arrangement.
CREATE TABLE arrangement_trips (
  arrangement_id INTEGER NOT NULL REFERENCES alternative_arrangements (id),
  trip_at TEXT NOT NULL,
  PRIMARY KEY (arrangement_id, trip_at)
) STRICT;

-- table invoices: An invoice under a contract, or for the deposit of a quotation; told as INV- and its id in six digits.
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_number TEXT NOT NULL UNIQUE CHECK (invoice_number GLOB 'FT [A-Z0-9]*/[0-9]*'),
  atcud TEXT NOT NULL UNIQUE CHECK (atcud GLOB '[A-Z0-9]*-[0-9]*'),
  contract_id INTEGER NOT NULL REFERENCES contracts (id),
  quotation_id INTEGER UNIQUE REFERENCES quotations (id),
  invoice_status TEXT NOT NULL CHECK (invoice_status IN ('open', 'overdue', 'part_disputed', 'disputed', 'payment_pending', 'paid', 'credited')),
  issued_on TEXT NOT NULL CHECK (issued_on = date(issued_on)),
  due_date TEXT NOT NULL CHECK (due_date = date(due_date)),
  vat_rate INTEGER NOT NULL CHECK (vat_rate IN (6, 23)),
  interest_cents INTEGER NOT NULL CHECK (interest_cents >= 0),
  CHECK (due_date >= issued_on)
) STRICT;

-- table invoice_lines: An invoice line with its net amount and the call-out it charges, if any; the invoice's total is their sum with IVA.
CREATE TABLE invoice_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  line_number INTEGER NOT NULL CHECK (line_number >= 1),
  line_kind TEXT NOT NULL CHECK (line_kind IN ('monthly_fee', 'call_out', 'surcharge', 'labour', 'parts', 'alternative', 'late_fee', 'credit')),
  line_text TEXT NOT NULL,
  net_cents INTEGER NOT NULL CHECK (net_cents >= 0),
  call_out_id INTEGER REFERENCES call_outs (id),
  UNIQUE (invoice_id, line_number)
) STRICT;

-- table payments: A payment of an invoice, whole or in part; told as PAY- and its id in six digits.
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  payment_method TEXT NOT NULL CHECK (payment_method IN ('mb_way', 'multibanco', 'direct_debit', 'bank_transfer')),
  payment_status TEXT NOT NULL CHECK (payment_status IN ('awaiting_customer', 'pending', 'settled', 'refused')),
  total_cents INTEGER NOT NULL CHECK (total_cents >= 1),
  in_part INTEGER NOT NULL CHECK (in_part IN (0, 1)),
  phone TEXT CHECK (phone GLOB '+351[29]*' AND length(phone) = 13),
  mb_entity TEXT CHECK (length(mb_entity) = 5),
  mb_reference TEXT CHECK (length(mb_reference) = 9),
  iban TEXT CHECK (iban GLOB 'PT50*' AND length(iban) = 25),
  created_at TEXT NOT NULL,
  pay_before TEXT,
  CHECK (pay_before > created_at),
  CHECK (payment_method <> 'mb_way' OR (phone IS NOT NULL AND total_cents <= 75000)),
  CHECK ((payment_method = 'multibanco') = (mb_reference IS NOT NULL)),
  CHECK ((payment_method = 'multibanco') = (mb_entity IS NOT NULL)),
  CHECK ((payment_method = 'bank_transfer') = (iban IS NOT NULL)),
  CHECK ((payment_method = 'direct_debit') = (pay_before IS NULL))
) STRICT;
CREATE UNIQUE INDEX payments_in_part_once ON payments (invoice_id) WHERE in_part = 1 AND payment_status <> 'refused';

-- table invoice_disputes: An invoice dispute with its ground and answer; told as DSP- and its id in six digits.
CREATE TABLE invoice_disputes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL REFERENCES invoices (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  dispute_reason TEXT NOT NULL CHECK (dispute_reason IN ('covered_by_contract', 'wrong_tariff_band', 'repeat_fault', 'work_not_done', 'wrong_amount', 'not_approved', 'already_paid')),
  reason TEXT NOT NULL CHECK (length(reason) BETWEEN 5 AND 1000),
  document_ref TEXT CHECK (document_ref GLOB 'DOC-[0-9][0-9][0-9][0-9][0-9][0-9]'),
  dispute_status TEXT NOT NULL CHECK (dispute_status IN ('open', 'upheld', 'part_upheld', 'rejected')),
  opened_on TEXT NOT NULL CHECK (opened_on = date(opened_on)),
  answer_due_date TEXT NOT NULL CHECK (answer_due_date = date(answer_due_date)),
  CHECK (answer_due_date > opened_on)
) STRICT;
CREATE UNIQUE INDEX invoice_disputes_one_an_invoice ON invoice_disputes (invoice_id) WHERE dispute_reason <> 'already_paid';

-- table dispute_lines: An invoice line that an invoice dispute sets aside.
CREATE TABLE dispute_lines (
  dispute_id INTEGER NOT NULL REFERENCES invoice_disputes (id),
  invoice_line_id INTEGER NOT NULL REFERENCES invoice_lines (id),
  PRIMARY KEY (dispute_id, invoice_line_id)
) STRICT;

-- table contract_notices: A contract notice: the notice a customer gives on a contract; told as NTC- and its id in six digits.
CREATE TABLE contract_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contract_id INTEGER NOT NULL REFERENCES contracts (id),
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  notice_kind TEXT NOT NULL CHECK (notice_kind IN ('end_at_term', 'end_early', 'change_kind')),
  effective_date TEXT NOT NULL CHECK (effective_date = date(effective_date)),
  minutes_ref TEXT,
  successor_name TEXT,
  successor_emie TEXT CHECK (successor_emie GLOB 'EMIE-[0-9][0-9][0-9]*'),
  contract_kind TEXT CHECK (contract_kind IN ('simple', 'complete')),
  reason TEXT,
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),
  given_at TEXT NOT NULL,
  withdraw_until TEXT NOT NULL,
  CHECK (effective_date >= given_at),
  CHECK (withdraw_until > given_at),
  CHECK (notice_kind = 'change_kind' OR (successor_name IS NOT NULL AND successor_emie IS NOT NULL)),
  CHECK ((notice_kind = 'change_kind') = (contract_kind IS NOT NULL))
) STRICT;
