-- Signalbox foundation. Status columns are text with a CHECK (not enums): under row-level security
-- only leakproof operators can be index conditions, and enum equality is not one of them.

create extension if not exists vector;

do $$
begin
  if not exists (select from pg_roles where rolname = 'signalbox_app') then
    create role signalbox_app nologin;
  end if;
end $$;

-- governance ---------------------------------------------------------------------------------

create table tenants (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
  created_at timestamptz not null default now()
);

create table api_keys (
  id text primary key,
  tenant_id text not null references tenants (id),
  name text not null,
  hash bytea not null unique,
  principal_kind text not null check (principal_kind in ('human', 'agent')),
  role text not null,
  scopes text[] not null default '{}',
  profile text,
  policy text not null default 'standard',
  rate_rpm integer,
  rate_burst integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_keys_tenant on api_keys (tenant_id, created_at);

create table idempotency_records (
  tenant_id text not null,
  key_id text not null,
  tool text not null,
  key text not null,
  args_hash text not null,
  state text not null check (state in ('started', 'done')),
  answer jsonb,
  owner text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, key_id, tool, key)
);
create index idempotency_records_age on idempotency_records (created_at);

create table ledger_events (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  tool_call_id text not null,
  type text not null check (type in ('tool.call.started', 'tool.call.completed', 'tool.call.failed')),
  tool text not null,
  called_as text not null,
  tool_version integer not null,
  effect text not null,
  front text not null,
  key_id text not null,
  principal text not null,
  principal_kind text not null,
  persona text not null,
  input_hash text not null,
  status text,
  error_code text,
  refs jsonb,
  duration_ms double precision,
  tokens integer,
  trace_id text,
  at timestamptz not null
);
create index ledger_events_recent on ledger_events (tenant_id, at desc, id desc);
create index ledger_events_call on ledger_events (tenant_id, tool_call_id);

create table mcp_sessions (
  tenant_id text not null,
  id text primary key,
  key_id text not null,
  profile text,
  protocol_version text not null,
  client jsonb not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);

create table jobs (
  tenant_id text not null,
  id text primary key,
  kind text not null,
  workflow_id text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  title text not null,
  progress jsonb not null default '{}',
  result jsonb,
  error jsonb,
  spec jsonb not null,
  rev integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz
);
create index jobs_tenant on jobs (tenant_id, created_at desc);
create index jobs_open on jobs (tenant_id, updated_at) where status in ('queued', 'running');

-- The registry of tools is the same for all tenants: what a tenant may call is policy, not data.
create table tool_definitions (
  name text not null,
  version integer not null,
  schema_hash text not null,
  title text not null,
  description text not null,
  effect text not null,
  approval text not null,
  scopes text[] not null,
  aliases text[] not null,
  input_schema jsonb not null,
  output_schema jsonb not null,
  created_at timestamptz not null default now(),
  primary key (name, version)
);

-- work ---------------------------------------------------------------------------------------

create table phases (
  tenant_id text not null references tenants (id),
  id integer not null,
  name text not null,
  description text not null,
  done_definitions text[] not null default '{}',
  additional_notes text,
  working_directory text,
  needs_review boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table work_tasks (
  tenant_id text not null,
  id text not null,
  description text not null,
  phase_id integer not null,
  priority text not null check (priority in ('high', 'medium', 'low')),
  priority_rank smallint not null,
  status text not null check (status in ('blocked', 'ready', 'in_progress', 'review', 'done', 'failed')),
  tags text[] not null default '{}',
  metadata jsonb not null default '{}',
  created_by text not null,
  assigned_agent_id text,
  fencing_token integer not null default 0,
  lease_seconds integer not null,
  lease_expires_at timestamptz,
  attempts integer not null default 0,
  max_attempts integer not null,
  needs_review boolean not null default false,
  progress text,
  result text,
  failure text,
  -- The picker's hint: who holds (or is just reserving) this row, and until when. The workflow decides.
  holder text,
  hold_until timestamptz,
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, phase_id) references phases (tenant_id, id)
);
create index work_tasks_ready on work_tasks (tenant_id, phase_id, priority_rank, created_at, id) where status = 'ready';
create index work_tasks_leased on work_tasks (tenant_id, phase_id, lease_expires_at) where status = 'in_progress';
create index work_tasks_board on work_tasks (tenant_id, status, priority_rank, created_at, id);
create index work_tasks_done on work_tasks (tenant_id, completed_at desc, id) where status = 'done';
-- One task in hand per agent: two claims of one agent at once cannot both reserve.
create unique index work_tasks_holder on work_tasks (tenant_id, holder) where holder is not null;

create table work_task_dependencies (
  tenant_id text not null,
  task_id text not null,
  blocker_id text not null,
  released_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, task_id, blocker_id),
  foreign key (tenant_id, task_id) references work_tasks (tenant_id, id),
  foreign key (tenant_id, blocker_id) references work_tasks (tenant_id, id),
  check (task_id <> blocker_id)
);
create index work_task_dependants on work_task_dependencies (tenant_id, blocker_id);

create table work_comments (
  tenant_id text not null,
  id text not null,
  task_id text not null,
  author text not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, task_id) references work_tasks (tenant_id, id)
);
create index work_comments_task on work_comments (tenant_id, task_id, created_at);

-- knowledge ----------------------------------------------------------------------------------

create table knowledge_bases (
  tenant_id text not null references tenants (id),
  id text not null,
  -- One small integer per tenant and base: what postings and vectors are keyed by.
  scope integer generated always as identity unique,
  name text not null,
  description text,
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

create table knowledge_sources (
  tenant_id text not null,
  id text not null,
  kb_id text not null,
  -- What makes a re-ingest replace: the same identity in the same base is the same source.
  identity text not null,
  title text not null,
  description text,
  type text not null,
  url text,
  tags text[] not null default '{}',
  priority integer not null default 0,
  status text not null check (status in ('indexing', 'active', 'error')),
  metadata jsonb not null default '{}',
  document_id text,
  chunk_count integer not null default 0,
  -- Grows with each submission: what was submitted later is never overwritten by what was submitted before.
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, kb_id, identity),
  foreign key (tenant_id, kb_id) references knowledge_bases (tenant_id, id)
);

create table documents (
  tenant_id text not null,
  id text not null,
  source_id text not null,
  scope integer not null,
  content_hash text not null,
  blob text not null,
  format text not null,
  title text not null,
  metadata jsonb not null default '{}',
  -- Only active documents are searched. Going active, and replacing the former one, is this one column: chunks,
  -- postings and vectors are written before and deleted after, in batches, so that no transaction is long.
  status text not null check (status in ('building', 'active', 'retired')),
  -- The source's revision that this is.
  revision integer not null,
  chunk_count integer not null default 0,
  -- Sum of the chunks' terms: with chunk_count the average length that BM25 asks for.
  terms bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, source_id) references knowledge_sources (tenant_id, id)
);
create index documents_source on documents (tenant_id, source_id);
create index documents_scope on documents (tenant_id, scope);
create unique index documents_active on documents (tenant_id, source_id) where status = 'active';

create table chunks (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  scope integer not null,
  document_id text not null,
  source_id text not null,
  ordinal integer not null,
  title text,
  body text not null,
  place jsonb not null,
  end_place jsonb not null,
  has_code boolean not null default false,
  code_blocks jsonb not null default '[]',
  -- Length in terms; null until the chunk's postings are written.
  terms integer,
  -- Which model made the vector: only vectors of one model are compared.
  model text,
  embedding halfvec(384),
  created_at timestamptz not null default now(),
  unique (tenant_id, document_id, ordinal),
  foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
);
create index chunks_scope on chunks (tenant_id, scope);
create index chunks_vectors on chunks using hnsw (embedding halfvec_cosine_ops);

create table postings (
  tenant_id text not null,
  scope integer not null,
  term text collate "C" not null,
  chunk_id bigint not null references chunks (id) on delete cascade,
  tf real not null,
  dl integer not null,
  primary key (scope, term, chunk_id)
);
create index postings_chunk on postings (chunk_id);

-- tenancy ------------------------------------------------------------------------------------

do $$
declare
  t text;
begin
  for t in
    select c.table_name from information_schema.columns c
    where c.table_schema = current_schema() and c.column_name = 'tenant_id'
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;

alter table tenants enable row level security;
-- The two functions below run as the owner and must see these two tables whole; every other table
-- is forced, so that even an owner that is no superuser is held by the policy.
alter table api_keys no force row level security;
create policy tenant on tenants using (id = current_setting('app.tenant', true)) with check (id = current_setting('app.tenant', true));

grant usage on schema public to signalbox_app;
grant select, insert, update, delete on all tables in schema public to signalbox_app;
-- The ledger is appended to. Retention runs as the owner.
revoke update, delete on ledger_events from signalbox_app;
grant usage on all sequences in schema public to signalbox_app;
alter default privileges in schema public grant select, insert, update, delete on tables to signalbox_app;
alter default privileges in schema public grant usage on sequences to signalbox_app;

-- The two questions that must be answered before a tenant is known. They return no tenant data
-- beyond what the asker already proves (the key's hash) or needs to sweep (the ids).
create function find_api_key(key_hash bytea) returns setof api_keys
  language sql stable security definer set search_path = public, pg_temp
  as $$ select * from api_keys where hash = key_hash and revoked_at is null $$;
create function list_tenants() returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select id from tenants order by id $$;
revoke all on function find_api_key(bytea), list_tenants() from public;
grant execute on function find_api_key(bytea), list_tenants() to signalbox_app;
