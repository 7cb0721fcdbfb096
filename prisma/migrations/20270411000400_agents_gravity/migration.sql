-- without transaction
-- The registry with those first that need somebody: the expression is that of services/agents/queries.ts.
drop index concurrently if exists agents_gravity;
create index concurrently agents_gravity on agents (tenant_id, (case when admin_status = 'paused' then 2 when health = 'offline' then 0
  when health = 'unhealthy' then 1 when health = 'healthy' then 3 else 4 end), registered_at, id) where removed_at is null;
