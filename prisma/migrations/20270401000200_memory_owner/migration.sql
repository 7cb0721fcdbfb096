-- without transaction
drop index concurrently if exists memories_owner;
create index concurrently memories_owner on memories (tenant_id, owner, created_at desc, id desc) where owner <> '';
