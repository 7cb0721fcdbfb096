-- Runs of coding agents: what a runner did for one claim of a task, what its agent said, and what runs may cost.

alter table phases
  -- Commands that prepare a worktree, and those that finished work must pass.
  add column setup text[] not null default '{}',
  add column checks text[] not null default '{}',
  -- How finished work reaches the base branch; null: the runner decides.
  add column merge text;

alter table work_comments
  -- The run that a comment is about, and the place in its changes.
  add column run_id text,
  add column path text,
  add column line integer;

-- A key of a run works only while that run does.
alter table api_keys add column run_id text;

-- The state of a run is not here: it follows from its task (services/work/run-state.ts).
create table work_runs (
  tenant_id text not null,
  id text not null,
  task_id text not null,
  phase_id integer not null,
  -- The lease under which it works.
  fencing_token integer not null,
  attempt integer not null,
  agent text not null,
  agent_version text,
  -- Who holds the lease.
  worker text not null,
  principal text not null,
  line text not null,
  host text not null,
  repository text,
  branch text,
  base text,
  base_commit text,
  head_commit text,
  merged_commit text,
  session_id text,
  merge text not null,
  -- The key of its agent.
  key_id text,
  -- What the runner said at the end; null: nothing yet.
  outcome text,
  summary text,
  reason text,
  retry boolean not null default true,
  checks jsonb not null default '[]',
  commits integer not null default 0,
  files_changed integer not null default 0,
  insertions integer not null default 0,
  deletions integer not null default 0,
  patch_artifact text,
  log_artifact text,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cached_tokens bigint not null default 0,
  cost_usd double precision,
  -- Events: the next number, and what is kept of them. The first ones stay; of the others the latest replace older ones.
  next_seq integer not null default 1,
  head_bytes integer not null default 0,
  head_to integer not null default 0,
  tail_bytes integer not null default 0,
  tail_from integer not null default 1,
  dropped_bytes bigint not null default 0,
  verdict text,
  reviewed_by text,
  reviewed_at timestamptz,
  review_note text,
  -- The reviewer as the task's workflow knows them, in whose name merged work is completed.
  reviewer jsonb,
  -- The state, once nothing can change it any more.
  final text,
  started_at timestamptz not null default now(),
  last_event_at timestamptz,
  ended_at timestamptz,
  primary key (tenant_id, id)
);
create unique index work_runs_lease on work_runs (tenant_id, task_id, fencing_token);
create index work_runs_newest on work_runs (tenant_id, started_at, id);
create index work_runs_state on work_runs (tenant_id, final, started_at, id);
create index work_runs_phase on work_runs (tenant_id, phase_id, started_at, id);
alter table work_runs enable row level security;
alter table work_runs force row level security;
create policy tenant on work_runs
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_runs as restrictive to signalbox_scoped using (false);

create table work_run_events (
  tenant_id text not null,
  run_id text not null,
  seq integer not null,
  at timestamptz not null,
  kind text not null,
  text text not null,
  data jsonb,
  bytes integer not null,
  primary key (tenant_id, run_id, seq),
  foreign key (tenant_id, run_id) references work_runs (tenant_id, id) on delete cascade
);
alter table work_run_events enable row level security;
alter table work_run_events force row level security;
create policy tenant on work_run_events
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_run_events as restrictive to signalbox_scoped using (false);

-- What runs may cost per day (UTC).
create table work_budgets (
  tenant_id text not null,
  -- The number of a phase; empty: all phases together.
  scope text not null,
  tokens_per_day bigint,
  usd_per_day double precision,
  -- The last day on which it was told that it is spent.
  told_on date,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, scope)
);
alter table work_budgets enable row level security;
alter table work_budgets force row level security;
create policy tenant on work_budgets
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_budgets as restrictive to signalbox_scoped using (false);
