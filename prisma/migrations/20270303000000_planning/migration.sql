-- Tasks that are made again and again, and what belongs to them.
create table work_templates (
  tenant_id text not null,
  name text not null,
  -- Fields of a new task; title, description and tags may name variables.
  task jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);
alter table work_templates enable row level security;
alter table work_templates force row level security;
create policy tenant on work_templates
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_templates as restrictive to signalbox_scoped using (false);

-- Each has a Temporal Schedule that follows its row.
create table work_recurrences (
  tenant_id text not null,
  id text not null,
  name text not null,
  template text not null,
  variables jsonb not null default '{}',
  timing jsonb not null,
  timezone text not null,
  -- active, paused, removing
  status text not null,
  -- The time of the schedule that made a task last, and when that was.
  last_fired_at timestamptz,
  last_ran_at timestamptz,
  last_task_id text,
  last_error text,
  rev integer not null default 0,
  -- The revision that Temporal's schedule has.
  synced integer not null default -1,
  created_by text not null,
  created_line text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, template) references work_templates (tenant_id, name)
);
create unique index work_recurrences_name on work_recurrences (tenant_id, lower(name)) where status <> 'removing';
create index work_recurrences_template on work_recurrences (tenant_id, template);
alter table work_recurrences enable row level security;
alter table work_recurrences force row level security;
create policy tenant on work_recurrences
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_recurrences as restrictive to signalbox_scoped using (false);

-- A named filter of the board.
create table work_boards (
  tenant_id text not null,
  name text not null,
  filter jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);
alter table work_boards enable row level security;
alter table work_boards force row level security;
create policy tenant on work_boards
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_boards as restrictive to signalbox_scoped using (false);

create table work_attachments (
  tenant_id text not null,
  task_id text not null,
  -- The artifact's hash.
  artifact_id text not null,
  name text not null,
  attached_by text not null,
  attached_at timestamptz not null default now(),
  primary key (tenant_id, task_id, artifact_id),
  foreign key (tenant_id, task_id) references work_tasks (tenant_id, id) on delete cascade
);
alter table work_attachments enable row level security;
alter table work_attachments force row level security;
create policy tenant on work_attachments
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on work_attachments as restrictive to signalbox_scoped using (false);
