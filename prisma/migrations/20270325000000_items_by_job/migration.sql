-- without transaction
-- The deletion of a job looks for its items by the job alone. The same index serves the counts of a run by status.
drop index concurrently if exists ingest_items_job;
create index concurrently ingest_items_job on ingest_items (job_id, tenant_id, status);
drop index concurrently if exists ingest_items_status;
