-- Jobs and delegated tasks tell what becomes of them, and how far they are, at most every two seconds.

-- When it was last told.
alter table jobs add column told_at timestamptz;
alter table delegated_tasks add column told_at timestamptz;

-- Their rows are written in many places; each change is told in the transaction that makes it.
create function mark_told() returns trigger
  language plpgsql
  as $$
begin
  if tg_op = 'INSERT' or new.status <> old.status or old.told_at is null
    or new.progress is distinct from old.progress and old.told_at < clock_timestamp() - interval '2 seconds' then
    new.told_at := clock_timestamp();
  end if;
  return new;
end $$;
create trigger mark_told before insert or update on jobs for each row execute function mark_told();
create trigger mark_told before insert or update on delegated_tasks for each row execute function mark_told();

create function note_job() returns trigger
  language plpgsql
  as $$
begin
  insert into outbox (tenant_id, type, subject, data) values (new.tenant_id, 'job.changed', new.id, jsonb_strip_nulls(jsonb_build_object(
    'job_kind', new.kind, 'status', new.status, 'progress', new.progress, 'error_code', new.error->>'code')));
  return null;
end $$;
create trigger note_job after insert on jobs for each row execute function note_job();
create trigger note_job_change after update on jobs for each row when (new.told_at is distinct from old.told_at) execute function note_job();

create function note_delegation() returns trigger
  language plpgsql
  as $$
begin
  insert into outbox (tenant_id, type, subject, data) values (new.tenant_id, 'agent.task_changed', new.id, jsonb_strip_nulls(jsonb_build_object(
    'direction', new.direction, 'status', new.status, 'from', new.source_agent, 'to', new.target_agent,
    'progress', jsonb_build_object('done', new.progress->'done', 'total', new.progress->'total'), 'error_code', new.error->>'code')));
  return null;
end $$;
create trigger note_delegation after insert on delegated_tasks for each row execute function note_delegation();
create trigger note_delegation_change after update on delegated_tasks for each row
  when (new.told_at is distinct from old.told_at) execute function note_delegation();

-- The lists of sessions and agents' changes, newest first.
create index a2a_sessions_recent on a2a_sessions (tenant_id, last_active_at desc, id desc);
