-- without transaction
drop index concurrently if exists work_tasks_due;
create index concurrently work_tasks_due on work_tasks (tenant_id, due_at, id) where due_at is not null;
