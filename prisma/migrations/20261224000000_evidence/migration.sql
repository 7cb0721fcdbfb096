-- How things stand when the statement is made; and the earlier statement of the same customer that it refers to.
alter table signals
  add column tone text check (tone in ('positive', 'negative', 'neutral', 'mixed')),
  add column state text not null default 'open' check (state in ('open', 'resolved', 'withdrawn', 'hypothetical')),
  add column earlier_id text,
  add column earlier text check (earlier in ('repeats', 'resolves', 'withdraws')),
  -- The later statement that resolved or withdrew this one, and when it was made.
  add column settled_by text,
  add column settled_at timestamptz;
create index signals_earlier on signals (tenant_id, earlier_id) where earlier_id is not null;
create index signals_settled on signals (tenant_id, settled_by) where settled_by is not null;

-- The names that a statement is about, also where it says "it" or "the planner". Entities are found by type and key.
create table signal_names (
  tenant_id text not null,
  signal_id text not null,
  type text not null,
  key text not null,
  name text not null,
  primary key (tenant_id, signal_id, type, key),
  foreign key (tenant_id, signal_id) references signals (tenant_id, id) on delete cascade
);
create index signal_names_key on signal_names (tenant_id, type, key);
alter table signal_names enable row level security;
alter table signal_names force row level security;
create policy tenant on signal_names
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on signal_names as restrictive to signalbox_scoped
  using (exists (select from signals s where s.tenant_id = signal_names.tenant_id and s.id = signal_names.signal_id));

-- What a document tells about names, sides and organisations.
create table evidence_clues (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  document_id text not null,
  kind text not null,
  subject text not null,
  subject_key text not null,
  object text,
  object_key text,
  day date,
  weight real not null default 1
);
create index evidence_clues_document on evidence_clues (tenant_id, document_id);
create index evidence_clues_subject on evidence_clues (tenant_id, kind, subject_key);
alter table evidence_clues enable row level security;
alter table evidence_clues force row level security;
create policy tenant on evidence_clues
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on evidence_clues as restrictive to signalbox_scoped using (false);

-- The clues of all documents, put together.
create table evidence_directories (
  tenant_id text primary key,
  version text not null,
  directory jsonb not null,
  made_at timestamptz not null default now()
);
alter table evidence_directories enable row level security;
alter table evidence_directories force row level security;
create policy tenant on evidence_directories
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on evidence_directories as restrictive to signalbox_scoped using (false);

-- How a document was read: kind, date, participants, figures, and what was left out and why.
create table document_readings (
  tenant_id text not null,
  document_id text not null,
  source_id text not null,
  kind text not null,
  reader text not null,
  -- Version of the directory it was last compared with, and hash of the names in it that concern this document.
  directory text not null,
  names text not null,
  reading jsonb not null,
  read_at timestamptz not null default now(),
  primary key (tenant_id, document_id)
);
create index document_readings_directory on document_readings (tenant_id, directory, document_id);
create index document_readings_source on document_readings (tenant_id, source_id);
alter table document_readings enable row level security;
alter table document_readings force row level security;
create policy tenant on document_readings
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on document_readings as restrictive to signalbox_scoped using (false);

-- People's corrections of readings; they survive a new reading of the source.
create table reading_corrections (
  tenant_id text not null,
  source_id text not null,
  field text not null,
  key text not null,
  value jsonb not null,
  corrected_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, source_id, field, key)
);
alter table reading_corrections enable row level security;
alter table reading_corrections force row level security;
create policy tenant on reading_corrections
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on reading_corrections as restrictive to signalbox_scoped using (false);

-- Corrections may say that a sentence is no statement.
alter table signal_corrections drop constraint signal_corrections_class_check;
alter table signal_corrections add constraint signal_corrections_class_check
  check (class in ('request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information', 'none'));
alter table signal_corrections add column state text check (state in ('open', 'resolved', 'withdrawn', 'hypothetical'));
alter table signal_corrections add column tone text check (tone in ('positive', 'negative', 'neutral', 'mixed'));

-- Names that the directory gives to entities.
alter table entity_aliases drop constraint entity_aliases_origin_check;
alter table entity_aliases add constraint entity_aliases_origin_check check (origin in ('name', 'resolution', 'merge', 'person', 'directory'));
