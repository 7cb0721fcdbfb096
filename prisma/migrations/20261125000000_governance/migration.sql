-- Governance: what a caller may do and who says so, what was done, other servers' tools, and the platform's own records.

-- keys ---------------------------------------------------------------------------------------

alter table api_keys
  add column expires_at timestamptz,
  add column last_used_at timestamptz,
  -- The key that this one replaces.
  add column replaces text,
  -- What its agent declares: with none, its role and scopes decide alone.
  add column capabilities text[] not null default '{}',
  -- The stakeholder team whose scope holds for every read.
  add column team text;

create or replace function find_api_key(key_hash bytea) returns setof api_keys
  language sql stable security definer set search_path = public, pg_temp
  as $$ select * from api_keys where hash = key_hash and revoked_at is null and (expires_at is null or expires_at > now()) $$;

-- policy -------------------------------------------------------------------------------------

-- A tenant's own version of a level of care: open, standard, careful, strict, or a name of its own.
create table policies (
  tenant_id text not null,
  name text not null,
  version integer not null,
  -- {base, rules: [{when, effect, reason}], ...}
  definition jsonb not null,
  note text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, name, version)
);

-- Which tools a capability stands for, beside those that stand for a domain.
create table tool_capabilities (
  tenant_id text not null,
  name text not null,
  -- Names of tools; a star at the end stands for the rest.
  tools text[] not null,
  description text not null default '',
  updated_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);

-- A span of somebody's work: what is mounted, under which level of care.
create table work_sessions (
  tenant_id text not null,
  id text not null,
  key_id text not null,
  principal text not null,
  name text not null default '',
  -- Null: all but connectors and external servers.
  mounts text[],
  -- Tools found and mounted by name: listed beside the profile's.
  tools text[] not null default '{}',
  policy text,
  profile text,
  metadata jsonb not null default '{}',
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index work_sessions_open on work_sessions (tenant_id, expires_at) where closed_at is null;

-- What a stakeholder team may see.
create table stakeholder_scopes (
  tenant_id text not null,
  team text not null,
  -- Empty: all.
  product_areas text[] not null default '{}',
  entity_types text[] not null default '{}',
  data_freshness text not null default 'realtime' check (data_freshness in ('realtime', 'daily', 'weekly')),
  updated_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, team)
);

-- approvals ----------------------------------------------------------------------------------

-- A call that waits for a person, and what became of it. Bound to caller, tool, arguments and policy; works once.
create table approvals (
  tenant_id text not null,
  id text not null,
  tool_call_id text not null,
  tool text not null,
  tool_version integer not null,
  called_as text not null,
  front text not null,
  key_id text not null,
  principal text not null,
  principal_kind text not null,
  persona text not null,
  session_id text,
  -- The arguments, sealed; and what a person is shown of them, secrets removed.
  arguments text not null,
  shown jsonb not null,
  input_hash text not null,
  policy text not null,
  policy_version text not null,
  -- Why it asks.
  reason text not null,
  -- Names the call's effect: repeats under one key are one approval.
  call_key text not null,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'expired', 'cancelled', 'started', 'completed', 'failed', 'ambiguous')),
  decided_by text,
  decided_by_kind text,
  decision_note text,
  decided_at timestamptz,
  expires_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- The answer, kept for the caller: an envelope.
  answer jsonb,
  -- Of an ambiguous outcome: what a person found out.
  resolution jsonb,
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index approvals_call on approvals (tenant_id, key_id, tool, call_key);
create index approvals_open on approvals (tenant_id, created_at, id) where status in ('pending', 'approved', 'started');
create index approvals_recent on approvals (tenant_id, created_at desc, id);

-- ledger -------------------------------------------------------------------------------------

alter table ledger_events drop constraint ledger_events_type_check;
alter table ledger_events add constraint ledger_events_type_check check (type in (
  'tool.call.started', 'tool.call.completed', 'tool.call.failed', 'tool.call.approval_requested', 'tool.call.approved', 'tool.call.rejected'));
alter table ledger_events
  add column xid xid8 not null default pg_current_xact_id(),
  -- HMAC of the row under this installation's key: an edited row shows.
  add column mac bytea,
  add column policy text,
  add column approval_id text,
  add column session_id text;
create index ledger_events_order on ledger_events (tenant_id, xid, id);

-- Links of the chain: each covers the rows since the one before it, so that a row taken out or put in shows.
create table ledger_seals (
  tenant_id text not null,
  seq bigint not null,
  to_xid xid8 not null,
  to_id bigint not null,
  events integer not null,
  -- Rows of before the chain, retained or not, are not covered.
  hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, seq)
);

-- What retention took away: up to which link.
create table ledger_retained (
  tenant_id text not null,
  removed_to_seq bigint not null,
  removed_events bigint not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, removed_to_seq)
);

-- A run as what was called for it.
create index ledger_events_run on ledger_events (tenant_id, (refs->0->>'id'), at desc) where refs->0->>'type' = 'run';
create index artifacts_recent on artifacts (tenant_id, created_at desc, sha256);

-- external servers ---------------------------------------------------------------------------

create table external_servers (
  tenant_id text not null,
  name text not null check (name ~ '^[a-z0-9][a-z0-9_]{0,31}$'),
  transport text not null check (transport in ('stdio', 'http', 'sse')),
  -- {command, args, cwd} or {url}; what stands in ${…} is filled in when it is used.
  target jsonb not null,
  -- Environment and headers, sealed.
  secrets text,
  enabled boolean not null default true,
  timeout_ms integer not null default 30000,
  concurrency integer not null default 8,
  approval text not null default 'A1' check (approval in ('A0', 'A1', 'A2')),
  server_name text,
  server_version text,
  protocol_version text,
  health text not null default 'unknown' check (health in ('unknown', 'healthy', 'unhealthy')),
  last_error text,
  last_seen_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);

create table external_tools (
  tenant_id text not null,
  server text not null,
  name text not null,
  -- As the server says now.
  definition jsonb not null,
  hash text not null,
  -- As a person has approved it; other than hash: not callable until approved anew. Null: never approved.
  pinned_hash text,
  pinned_definition jsonb,
  pinned_by text,
  pinned_at timestamptz,
  gone_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, server, name),
  foreign key (tenant_id, server) references external_servers (tenant_id, name) on delete cascade
);

-- substrate ----------------------------------------------------------------------------------

-- A named set of artifacts, named by the SHA-256 of its canonical JSON.
create table manifests (
  tenant_id text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  entries integer not null,
  size bigint not null,
  metadata jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, sha256)
);
create table manifest_entries (
  tenant_id text not null,
  manifest text not null,
  path text not null,
  artifact text not null,
  primary key (tenant_id, manifest, path),
  foreign key (tenant_id, manifest) references manifests (tenant_id, sha256),
  foreign key (tenant_id, artifact) references artifacts (tenant_id, sha256)
);
create index manifest_entries_artifact on manifest_entries (tenant_id, artifact);

create table pointers (
  tenant_id text not null,
  id text not null,
  name text not null,
  manifest text not null,
  rev integer not null default 1,
  metadata jsonb not null default '{}',
  updated_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name),
  foreign key (tenant_id, manifest) references manifests (tenant_id, sha256)
);
create table pointer_history (
  tenant_id text not null,
  pointer_id text not null,
  rev integer not null,
  from_manifest text,
  to_manifest text not null,
  reason text,
  moved_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, pointer_id, rev)
);

-- runs, claims, schemas ----------------------------------------------------------------------

create table runs (
  tenant_id text not null,
  id text not null,
  name text not null,
  kind text not null default 'run',
  parent_run_id text,
  status text not null default 'created' check (status in ('created', 'running', 'completed', 'failed', 'cancelled')),
  input jsonb,
  outputs jsonb,
  error text,
  created_by text not null,
  started_at timestamptz,
  finished_at timestamptz,
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index runs_recent on runs (tenant_id, created_at desc, id);
create table run_steps (
  tenant_id text not null,
  run_id text not null,
  seq integer not null,
  id text not null,
  step text not null,
  status text,
  data jsonb,
  refs jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, run_id, seq),
  foreign key (tenant_id, run_id) references runs (tenant_id, id)
);
create unique index run_steps_id on run_steps (tenant_id, run_id, id);
create table run_checkpoints (
  tenant_id text not null,
  run_id text not null,
  id text not null,
  seq integer not null,
  label text,
  state jsonb,
  state_ref text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, run_id, id),
  foreign key (tenant_id, run_id) references runs (tenant_id, id)
);

create table claims (
  tenant_id text not null,
  id text not null,
  statement text not null,
  subject_ref text,
  confidence real check (confidence between 0 and 1),
  status text not null default 'open' check (status in ('open', 'accepted', 'rejected', 'needs_more_evidence')),
  rationale text,
  decided_by text,
  decided_at timestamptz,
  rev integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index claims_recent on claims (tenant_id, status, created_at desc, id);
create table claim_evidence (
  tenant_id text not null,
  claim_id text not null,
  id text not null,
  ref text not null,
  stance text not null check (stance in ('supports', 'refutes', 'context')),
  note text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, claim_id, id),
  unique (tenant_id, claim_id, ref, stance),
  foreign key (tenant_id, claim_id) references claims (tenant_id, id)
);
create table claim_decisions (
  tenant_id text not null,
  claim_id text not null,
  seq integer not null,
  decision text not null,
  rationale text not null,
  decided_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, claim_id, seq)
);

create table registered_schemas (
  tenant_id text not null,
  id text not null,
  name text not null,
  version text not null,
  json_schema jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name, version)
);

-- connectors ---------------------------------------------------------------------------------

create table connector_mounts (
  tenant_id text not null,
  provider text not null check (provider in ('slack', 'hubspot')),
  -- Sealed.
  credentials text,
  settings jsonb not null default '{}',
  -- Nothing leaves: what would be sent is answered and noted.
  dry_run boolean not null default true,
  updated_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, provider)
);

-- Calls to providers, by what makes a repeat the same call.
create table connector_calls (
  tenant_id text not null,
  provider text not null,
  call_key text not null,
  operation text not null,
  request_hash text not null,
  status text not null check (status in ('started', 'completed', 'failed', 'ambiguous')),
  dry_run boolean not null,
  response jsonb,
  error jsonb,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, provider, call_key)
);

do $$
declare
  t text;
begin
  foreach t in array array['policies', 'tool_capabilities', 'work_sessions', 'stakeholder_scopes', 'approvals', 'ledger_seals', 'ledger_retained',
    'external_servers', 'external_tools', 'manifests', 'manifest_entries', 'pointers', 'pointer_history', 'runs', 'run_steps', 'run_checkpoints',
    'claims', 'claim_evidence', 'claim_decisions', 'registered_schemas', 'connector_mounts', 'connector_calls'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;

-- Links are appended to, as the rows that they cover are.
revoke update, delete on ledger_seals from signalbox_app;

-- Whole links older than this many days go, rows and all; what went is noted. Nobody else deletes from the ledger.
create function retain_ledger(days integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  tenant text := current_setting('app.tenant', true);
  last ledger_seals;
  removed bigint;
begin
  select * into last from ledger_seals s
    where s.tenant_id = tenant and s.created_at < now() - make_interval(days => greatest(days, 30)) order by s.seq desc limit 1;
  if not found then return 0; end if;
  delete from ledger_events e where e.tenant_id = tenant and (e.xid, e.id) <= (last.to_xid, last.to_id);
  get diagnostics removed = row_count;
  -- Its last link stays: the next one hangs on it.
  delete from ledger_seals s where s.tenant_id = tenant and s.seq < last.seq;
  insert into ledger_retained (tenant_id, removed_to_seq, removed_events) values (tenant, last.seq, removed) on conflict do nothing;
  return removed;
end $$;
revoke all on function retain_ledger(integer) from public;
grant execute on function retain_ledger(integer) to signalbox_app;
