-- without transaction
-- Agents of any kind in the order of their registration, the platform's own as well.
drop index concurrently if exists agents_registered;
create index concurrently agents_registered on agents (tenant_id, registered_at, id) where removed_at is null;
