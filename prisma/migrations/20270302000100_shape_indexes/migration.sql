-- without transaction
drop index concurrently if exists work_tasks_parts;
create index concurrently work_tasks_parts on work_tasks (tenant_id, parent_id, created_at, id) where parent_id is not null;
