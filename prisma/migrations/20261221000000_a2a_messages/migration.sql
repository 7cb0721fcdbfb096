-- The message that began a task: its key, its id and its content. The same again within a day is the same asking. Null: what
-- comes under it now begins a new task. Tasks from before this are not found again by their message.
alter table a2a_tasks add column message_key text;
create unique index a2a_tasks_message on a2a_tasks (tenant_id, message_key);
