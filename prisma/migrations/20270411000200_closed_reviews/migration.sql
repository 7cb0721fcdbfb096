-- without transaction
-- Retention reads questions about entities that may go, from the oldest on. Rejected pairs stay, so they are left out.
drop index concurrently if exists reviews_closed;
create index concurrently reviews_closed on reviews (tenant_id, created_at, id)
  where kind = 'entity_match' and (status in ('confirmed', 'withdrawn') or status = 'rejected' and pair is null);
