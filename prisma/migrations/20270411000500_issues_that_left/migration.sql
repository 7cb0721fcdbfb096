-- An issue that is no longer among those of its tracker: filter, moved or gone. Null: it is followed.
alter table work_task_issues add column left_as text;
-- When it was looked at by itself, because it was not among them.
alter table work_task_issues add column looked_at timestamptz;
-- Rounds of looking: what an older one has seen is not written any more.
alter table work_trackers add column looks integer not null default 0;
-- When all of them were looked at last.
alter table work_trackers add column looked_at timestamptz;
