-- What happened to a task, and events that tell of it.

-- Signs of life between two changes. They stand on the task's row, which each heartbeat writes anyway; the next change
-- takes them into its row of the history.
alter table work_tasks
  -- When status, lease or blockers changed last; null: before this migration.
  add column changed_at timestamptz,
  -- When an event last told of it.
  add column told_at timestamptz,
  add column beats integer not null default 0,
  add column first_beat_at timestamptz,
  add column last_beat_at timestamptz,
  add column longest_gap_ms integer;
alter table work_tasks alter column changed_at set default now();

-- One row for each change, and one for each caller whose write was refused since that change.
create table work_task_events (
  tenant_id text not null,
  task_id text not null,
  -- The task's revision after the change.
  rev integer not null,
  -- Empty: a change. Otherwise who was refused what, with which token.
  mark text not null default '',
  at timestamptz not null default now(),
  -- Of a refusal: what the task was when it was refused.
  status text not null,
  agent text,
  token integer not null,
  attempts integer not null,
  lease_expires_at timestamptz,
  ended_by text,
  ended_as text,
  reason text,
  -- Blockers that were not done.
  pending text[] not null default '{}',
  -- Signs of life since the change before.
  beats integer not null default 0,
  first_beat_at timestamptz,
  last_beat_at timestamptz,
  longest_gap_ms integer,
  -- Of a refusal.
  refused_token integer,
  refused_agent text,
  refused_write text,
  refused_times integer,
  refused_last_at timestamptz,
  primary key (tenant_id, task_id, rev, mark)
);
alter table work_task_events enable row level security;
alter table work_task_events force row level security;
create policy tenant on work_task_events
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_task_events as restrictive to signalbox_scoped using (false);
