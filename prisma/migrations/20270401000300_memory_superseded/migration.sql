-- without transaction
drop index concurrently if exists memories_superseded;
create index concurrently memories_superseded on memories (tenant_id, superseded_by) where superseded_by is not null;
