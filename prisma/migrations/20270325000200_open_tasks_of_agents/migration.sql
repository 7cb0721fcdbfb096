-- without transaction
-- The board of an assignee: most of its tasks are done, and those are found by when they were done.
drop index concurrently if exists work_tasks_open_of;
create index concurrently work_tasks_open_of on work_tasks (tenant_id, assigned_agent_id, status) where status <> 'done';
