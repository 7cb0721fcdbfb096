-- Issue trackers of other systems: their issues become tasks, and their pull requests carry the work of runs.

-- A comment that a person wrote here goes to the task's issue.
alter table work_comments add column by_person boolean not null default false;

-- Each has a Temporal Schedule that follows its row.
create table work_trackers (
  tenant_id text not null,
  id text not null,
  name text not null,
  kind text not null,
  -- Where its API answers.
  base_url text not null,
  repository text not null,
  -- The repository as runs of agents name it.
  remote text not null,
  filter jsonb not null default '{}',
  phase_id integer not null,
  close_done boolean not null default true,
  credentials text not null,
  every_seconds integer not null,
  -- active, paused, removing
  status text not null,
  -- Issues that changed before have been read; first the open ones, then those of any state.
  since timestamptz,
  begun_at timestamptz,
  all_states boolean not null default false,
  -- Of the last list without news.
  etag text,
  -- The other side limits calls until then.
  limited_until timestamptz,
  last_started_at timestamptz,
  last_ended_at timestamptz,
  last_done jsonb,
  last_error text,
  rev integer not null default 0,
  -- The revision that Temporal's schedule has.
  synced integer not null default -1,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index work_trackers_name on work_trackers (tenant_id, lower(name)) where status <> 'removing';
alter table work_trackers enable row level security;
alter table work_trackers force row level security;
create policy tenant on work_trackers
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_trackers as restrictive to signalbox_scoped using (false);

-- It outlives its task, so that the issue of a deleted task is not imported again.
create table work_task_issues (
  tenant_id text not null,
  tracker_id text not null,
  number integer not null,
  task_id text not null,
  url text not null,
  state text not null,
  -- Hash of the words that the task has from its issue.
  seen text,
  -- The task's edits when it got them: more of them are edits made here.
  task_edits integer not null default 0,
  -- The task's revision that the issue has been told.
  told_rev integer not null default -1,
  comments_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, tracker_id, number),
  foreign key (tenant_id, tracker_id) references work_trackers (tenant_id, id) on delete cascade
);
create unique index work_task_issues_task on work_task_issues (tenant_id, task_id);
alter table work_task_issues enable row level security;
alter table work_task_issues force row level security;
create policy tenant on work_task_issues
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_task_issues as restrictive to signalbox_scoped using (false);

-- Comments that are written to issues, each once.
create table work_issue_messages (
  tenant_id text not null,
  tracker_id text not null,
  number integer not null,
  -- What it tells, e.g. `done:3` or `comment:…`.
  key text not null,
  -- Is part of the comment, by which it is found again.
  marker text not null,
  -- wanted, sending, sent, refused
  state text not null default 'wanted',
  attempts integer not null default 0,
  -- Who has begun to send it may take until then.
  sending_until timestamptz,
  remote_id text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, tracker_id, number, key),
  foreign key (tenant_id, tracker_id) references work_trackers (tenant_id, id) on delete cascade
);
alter table work_issue_messages enable row level security;
alter table work_issue_messages force row level security;
create policy tenant on work_issue_messages
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_issue_messages as restrictive to signalbox_scoped using (false);

-- Pull requests with the approved work of runs.
create table work_pulls (
  tenant_id text not null,
  run_id text not null,
  tracker_id text not null,
  task_id text not null,
  branch text not null,
  base text not null,
  head_commit text not null,
  number integer,
  url text,
  -- wanted, open, merged, closed, dropped
  state text not null default 'wanted',
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, run_id),
  foreign key (tenant_id, tracker_id) references work_trackers (tenant_id, id) on delete cascade,
  foreign key (tenant_id, run_id) references work_runs (tenant_id, id) on delete cascade
);
create index work_pulls_tracker on work_pulls (tenant_id, tracker_id, state);
create index work_pulls_task on work_pulls (tenant_id, task_id, created_at);
alter table work_pulls enable row level security;
alter table work_pulls force row level security;
create policy tenant on work_pulls
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_pulls as restrictive to signalbox_scoped using (false);
