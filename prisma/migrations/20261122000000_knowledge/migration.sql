-- Knowledge in full: runs over many contents, parked stages, parsed documents, memories, artifacts, trajectories,
-- and the outbox that feeds projections and events.

-- documents ----------------------------------------------------------------------------------

-- 'parsed': read but not indexed, never searched.
alter table documents drop constraint documents_status_check;
alter table documents add constraint documents_status_check check (status in ('building', 'active', 'retired', 'parsed'));
-- Hash of the blob that holds what the parser read, as JSON.
alter table documents add column parsed text;
-- Transaction of the last change that searches must see. What an index in memory has caught up to is told by it:
-- every change of a transaction at or after pg_snapshot_xmin of the last look may be new.
alter table documents add column changed xid8 not null default pg_current_xact_id();
create index documents_changed on documents (tenant_id, scope, changed);
create function note_document_change() returns trigger language plpgsql as $$
begin
  if old.status is distinct from new.status or old.terms is distinct from new.terms then
    new.changed := pg_current_xact_id();
  end if;
  return new;
end $$;
create trigger documents_changed before update on documents for each row execute function note_document_change();

-- runs over many contents --------------------------------------------------------------------

-- Two who ask for the same at once share one job.
create unique index jobs_under_way on jobs (tenant_id, workflow_id) where status in ('queued', 'running');

create table ingest_items (
  tenant_id text not null,
  job_id text not null references jobs (id) on delete cascade,
  ordinal integer not null,
  -- What makes a re-ingest replace: becomes the source's identity.
  identity text not null,
  title text,
  type text not null,
  url text,
  filename text,
  media_type text,
  -- Null until its bytes were fetched.
  blob text,
  bytes bigint,
  tags text[] not null default '{}',
  metadata jsonb not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'done', 'unchanged', 'refused', 'failed')),
  -- Set when it is taken up: which source and document it becomes.
  source_id text,
  document_id text,
  chunk_count integer,
  error jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, job_id, ordinal)
);
create unique index ingest_items_identity on ingest_items (tenant_id, job_id, identity);
create index ingest_items_status on ingest_items (tenant_id, job_id, status);

-- Stages that used up their attempts, and contents that were refused: what awaits a person's decision.
create table dlq_items (
  tenant_id text not null,
  id text not null,
  job_id text not null,
  workflow_id text not null,
  -- The content it is about; null when a stage of a whole run is parked.
  source_id text,
  signal_id text,
  title text not null,
  stage text not null check (stage in ('extraction', 'entity_resolution', 'neo4j_sync', 'embedding')),
  -- What was being done: fetch, parse, index, publish, …
  step text not null,
  error_code text not null,
  error text not null,
  attempts integer not null,
  -- parked: its process waits; refused: its process has ended, retrying starts it again.
  status text not null check (status in ('parked', 'refused', 'retrying', 'resolved', 'abandoned')),
  decided_by text,
  first_failed_at timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index dlq_items_open on dlq_items (tenant_id, last_failed_at desc, id) where status in ('parked', 'refused', 'retrying');
create index dlq_items_job on dlq_items (tenant_id, job_id);

-- memories -----------------------------------------------------------------------------------

-- The passage itself, its postings and its vector stand in chunks under a document of the same id.
create table memories (
  tenant_id text not null,
  id text not null,
  content text not null,
  category text not null,
  tags text[] not null default '{}',
  metadata jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index memories_created on memories (tenant_id, created_at desc, id);
create index memories_category on memories (tenant_id, category);

-- artifacts ----------------------------------------------------------------------------------

create table artifacts (
  tenant_id text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  media_type text not null,
  filename text,
  size bigint not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, sha256)
);

-- trajectories -------------------------------------------------------------------------------

create table trajectories (
  tenant_id text not null,
  id text not null,
  kind text not null,
  query text not null,
  plan jsonb not null,
  steps jsonb not null,
  sources jsonb not null,
  tool_call_id text,
  principal text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index trajectories_created on trajectories (tenant_id, created_at);

-- outbox -------------------------------------------------------------------------------------

-- Written in the transaction of the change. Ids commit out of order, so whoever follows reads by (xid, id) up to
-- pg_snapshot_xmin(pg_current_snapshot()): what is below that has committed or never will.
create table outbox (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  tenant_id text not null,
  type text not null,
  subject text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index outbox_order on outbox (tenant_id, xid, id);

-- How far each follower has come.
create table outbox_cursors (
  tenant_id text not null,
  follower text not null,
  xid xid8 not null default '0',
  id bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, follower)
);

do $$
declare
  t text;
begin
  foreach t in array array['ingest_items', 'dlq_items', 'memories', 'artifacts', 'trajectories', 'outbox', 'outbox_cursors'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;
