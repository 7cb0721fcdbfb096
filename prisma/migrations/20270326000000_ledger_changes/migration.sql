-- without transaction
-- Calls that change something are few among those that read.
drop index concurrently if exists ledger_events_changes;
create index concurrently ledger_events_changes on ledger_events (tenant_id, id desc) where effect <> 'read';
