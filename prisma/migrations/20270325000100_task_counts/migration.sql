-- How many tasks there are by phase and status, of all, of each assignee (empty: nobody) and of each tag: a board tells it of a
-- million tasks at each look. A change appends rows and updates none, so that two claims at once do not wait for each other.
-- The sum is the count; fold_task_counts() adds rows up.
create table work_task_counts (
  tenant_id text not null,
  kind text not null check (kind in ('all', 'agent', 'tag')),
  name text not null,
  id bigint generated always as identity,
  phase_id integer not null,
  status text not null,
  archived boolean not null,
  n integer not null,
  primary key (tenant_id, kind, name, id)
);
-- Rows are short-lived; a reader passes those that are gone until they are cleared away.
alter table work_task_counts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table work_task_counts enable row level security;
alter table work_task_counts force row level security;
create policy tenant on work_task_counts
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));

create function note_task_numbers() returns trigger language plpgsql as $$
declare
  sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into work_task_counts (tenant_id, kind, name, phase_id, status, archived, n)
    select tenant_id, 'all', '', phase_id, status, archived_at is not null, sign * count(*) from changed group by 1, 4, 5, 6
    union all
    select tenant_id, 'agent', coalesce(assigned_agent_id, ''), phase_id, status, archived_at is not null, sign * count(*)
      from changed group by 1, 3, 4, 5, 6
    union all
    select tenant_id, 'tag', tag, phase_id, status, archived_at is not null, sign * count(*)
      from changed, lateral (select distinct unnest(tags) as tag) tagged group by 1, 3, 4, 5, 6;
  return null;
end $$;
create trigger work_tasks_counted_in after insert on work_tasks referencing new table as changed
  for each statement execute function note_task_numbers();
create trigger work_tasks_counted_out after delete on work_tasks referencing old table as changed
  for each statement execute function note_task_numbers();

-- By row and under a condition: heartbeats and reservations, most of all updates, cost one comparison.
create function note_task_move() returns trigger language plpgsql as $$
begin
  insert into work_task_counts (tenant_id, kind, name, phase_id, status, archived, n) values
    (old.tenant_id, 'all', '', old.phase_id, old.status, old.archived_at is not null, -1),
    (old.tenant_id, 'agent', coalesce(old.assigned_agent_id, ''), old.phase_id, old.status, old.archived_at is not null, -1),
    (new.tenant_id, 'all', '', new.phase_id, new.status, new.archived_at is not null, 1),
    (new.tenant_id, 'agent', coalesce(new.assigned_agent_id, ''), new.phase_id, new.status, new.archived_at is not null, 1);
  if old.tags <> '{}' or new.tags <> '{}' then
    insert into work_task_counts (tenant_id, kind, name, phase_id, status, archived, n)
      select old.tenant_id, 'tag', tag, old.phase_id, old.status, old.archived_at is not null, -1
        from (select distinct unnest(old.tags) as tag) former
      union all
      select new.tenant_id, 'tag', tag, new.phase_id, new.status, new.archived_at is not null, 1
        from (select distinct unnest(new.tags) as tag) latter;
  end if;
  return null;
end $$;
create trigger work_tasks_counted_anew after update on work_tasks for each row
  when (old.status <> new.status or old.phase_id <> new.phase_id or old.assigned_agent_id is distinct from new.assigned_agent_id
    or (old.archived_at is null) <> (new.archived_at is null) or old.tags <> new.tags)
  execute function note_task_move();

-- Adds up rows of one sum; those that somebody else adds up are left out. Returns how many there were.
create function fold_task_counts(tenant text, of_kind text, of_name text) returns integer language sql as $$
  with taken as materialized (
    select id from work_task_counts where tenant_id = tenant and kind = of_kind and name = of_name
    order by id limit 10000 for update skip locked),
  gone as (
    delete from work_task_counts c using taken s
    where c.tenant_id = tenant and c.kind = of_kind and c.name = of_name and c.id = s.id returning c.phase_id, c.status, c.archived, c.n),
  summed as (
    insert into work_task_counts (tenant_id, kind, name, phase_id, status, archived, n)
    select tenant, of_kind, of_name, phase_id, status, archived, sum(n) from gone group by phase_id, status, archived having sum(n) <> 0
    returning 1)
  select count(*)::integer from gone
$$;

-- The triggers hold writers back until this is counted: about a second for a million tasks. Row security binds the owner as well.
do $$
declare
  tenant text;
begin
  for tenant in select id from tenants loop
    perform set_config('app.tenant', tenant, true);
    insert into work_task_counts (tenant_id, kind, name, phase_id, status, archived, n)
      select tenant_id, 'all', '', phase_id, status, archived_at is not null, count(*) from work_tasks t
        where t.tenant_id = tenant group by 1, 4, 5, 6
      union all
      select tenant_id, 'agent', coalesce(assigned_agent_id, ''), phase_id, status, archived_at is not null, count(*) from work_tasks t
        where t.tenant_id = tenant group by 1, 3, 4, 5, 6
      union all
      select tenant_id, 'tag', tag, phase_id, status, archived_at is not null, count(*)
        from work_tasks t, lateral (select distinct unnest(t.tags) as tag) tagged where t.tenant_id = tenant group by 1, 3, 4, 5, 6;
  end loop;
  perform set_config('app.tenant', '', true);
end $$;
