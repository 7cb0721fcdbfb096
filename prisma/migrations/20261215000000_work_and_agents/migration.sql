-- Lists of tasks in the order in which they were made, either way.
create index work_tasks_made on work_tasks (tenant_id, created_at, id);

-- What is over for long is swept away.
create index a2a_tasks_over on a2a_tasks (tenant_id, status_at) where state in ('completed', 'failed', 'canceled', 'rejected');
create index agent_messages_read on agent_messages (tenant_id, acknowledged_at) where acknowledged_at is not null;

-- Whose a task or an agent is: the line's that its key belongs to, so that it stays its owner's when the key is rotated.
-- An owner that is no superuser is held by the policies, and is to see these rows whole.
alter table a2a_tasks add column line text;
alter table a2a_tasks no force row level security;
alter table agents no force row level security;
update a2a_tasks t set line = coalesce((select k.line from api_keys k where k.tenant_id = t.tenant_id and k.id = t.key_id), t.key_id);
update agents a set key_id = k.line from api_keys k where k.tenant_id = a.tenant_id and k.id = a.key_id and k.line is not null;
alter table a2a_tasks force row level security;
alter table agents force row level security;
alter table a2a_tasks alter column line set not null;
drop index a2a_tasks_recent;
create index a2a_tasks_recent on a2a_tasks (tenant_id, line, status_at desc, id);
