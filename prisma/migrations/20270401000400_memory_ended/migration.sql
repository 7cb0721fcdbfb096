-- without transaction
-- Versions that were valid once, and those that the sweep deletes.
drop index concurrently if exists memories_ended;
create index concurrently memories_ended on memories (tenant_id, valid_to) where valid_to is not null;
