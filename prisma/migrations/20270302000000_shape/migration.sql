-- What people decide about a task: its title, who gets it, until when, and whether it is still wanted.
alter table work_tasks
  add column title text,
  add column due_at timestamptz,
  -- A claim gives the task to this worker only.
  add column reserved_for text,
  -- Left out of lists and boards.
  add column archived_at timestamptz,
  -- Ended because nobody wants it any more; its status is failed.
  add column cancelled boolean not null default false,
  -- The task that this one is a part of.
  add column parent_id text,
  -- Counts edits, so that two editors do not overwrite each other.
  add column edits integer not null default 0;
alter table work_task_events
  add column cancelled boolean not null default false,
  -- Of an edit: the fields, each with the value before and after.
  add column edited jsonb;
