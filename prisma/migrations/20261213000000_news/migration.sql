-- What lists ask for, also among a million rows: articles by when they were published, and by run or source the newest
-- first; notifications by status, and the one of a job.
-- As `case`: a coalesce may not be looked up in an index before row-level security has been held against the row.
create index articles_dated on articles (tenant_id, (case when published_at is null then stored_at else published_at end) desc);
drop index articles_run;
create index articles_run on articles (tenant_id, run_id, stored_at desc, id desc);
drop index articles_source;
create index articles_source on articles (tenant_id, source_id, stored_at desc, id desc);
create index notifications_job on notifications (tenant_id, job_id) where job_id is not null;
create index notifications_status on notifications (tenant_id, status, created_at desc, id desc);

-- An owner that is no superuser is held by the policies, and is to see these rows whole.
alter table notifications no force row level security;
alter table jobs no force row level security;
-- Repeated before its first attempt, one waited for a job that was over. As failed it can be repeated.
update notifications n set status = 'failed', updated_at = now(),
  error = '{"code": "CONFLICT", "message": "Its repeat did not begin: it was not sent."}'
where status = 'queued' and exists (
  select from jobs j where j.tenant_id = n.tenant_id and j.id = n.job_id and j.status in ('completed', 'failed', 'cancelled'));
alter table notifications force row level security;
alter table jobs force row level security;
