-- What the application has no business with: the first migration granted "all tables", which includes this one of the
-- runner's (made before the first migration; absent where Prisma replays migrations in a database of its own).
do $$
begin
  if to_regclass('public._prisma_migrations') is not null then
    revoke all on _prisma_migrations from signalbox_app, signalbox_scoped;
  end if;
end $$;
-- The registry is written by whoever migrates, what retention took away by retain_ledger(), both as the owner.
revoke insert, update, delete on tool_definitions, ledger_retained from signalbox_app, signalbox_scoped;
-- A tenant is made by its first key, and stays.
revoke update, delete on tenants from signalbox_app;
revoke insert, update, delete on tenants from signalbox_scoped;

-- `signalbox doctor` asks which migrations are missing. plpgsql, because the table may be absent (see above).
create function applied_migrations() returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
begin
  return query select m.migration_name::text from _prisma_migrations m where m.finished_at is not null and m.rolled_back_at is null;
end $$;
revoke all on function applied_migrations() from public;
grant execute on function applied_migrations() to signalbox_app;

-- Without these a quiet tenant's search of the ledger reads what everybody has written since, in the order of ids.
create index ledger_events_newest on ledger_events (tenant_id, id desc);
create index ledger_events_tool on ledger_events (tenant_id, tool, id desc);
create index ledger_events_called on ledger_events (tenant_id, called_as, id desc);
create index jobs_ledger_verify on jobs (tenant_id, finished_at desc) where kind = 'ledger_verify';
create index work_tasks_assigned on work_tasks (tenant_id, assigned_agent_id, created_at, id);

-- Tags one by one: a GIN index on the array is no use under row-level security, because @> is not leakproof.
create table work_task_tags (
  tenant_id text not null,
  task_id text not null,
  tag text not null,
  created_at timestamptz not null,
  primary key (tenant_id, task_id, tag),
  foreign key (tenant_id, task_id) references work_tasks (tenant_id, id) on delete cascade
);
create index work_task_tags_tag on work_task_tags (tenant_id, tag, created_at, task_id);
insert into work_task_tags (tenant_id, task_id, tag, created_at)
  select distinct t.tenant_id, t.id, tag, t.created_at from work_tasks t, unnest(t.tags) tag;
alter table work_task_tags enable row level security;
alter table work_task_tags force row level security;
create policy tenant on work_task_tags
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));

create function note_task_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from work_task_tags where tenant_id = new.tenant_id and task_id = new.id;
  end if;
  insert into work_task_tags (tenant_id, task_id, tag, created_at)
    select distinct new.tenant_id, new.id, tag, new.created_at from unnest(new.tags) tag;
  return null;
end $$;
create trigger work_tasks_tagged after insert on work_tasks for each row when (new.tags <> '{}') execute function note_task_tags();
create trigger work_tasks_retagged after update of tags on work_tasks
  for each row when (new.tags is distinct from old.tags) execute function note_task_tags();
