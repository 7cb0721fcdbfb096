-- without transaction
-- Of the same content one version is valid.
drop index concurrently if exists memories_key;
create unique index concurrently memories_key on memories (tenant_id, (coalesce(key, id))) where valid_to is null;
