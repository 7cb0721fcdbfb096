-- without transaction
drop index concurrently if exists memories_expiring;
create index concurrently memories_expiring on memories (tenant_id, expires_at) where expires_at is not null and valid_to is null;
