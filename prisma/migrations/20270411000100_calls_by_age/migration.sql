-- without transaction
-- Retention reads calls of connectors from the oldest on.
drop index concurrently if exists connector_calls_created;
create index concurrently connector_calls_created on connector_calls (tenant_id, created_at, call_key);
