-- Counts dead letters as the inbox does (services/kernel/inbox/kinds.ts): one whose retry was refused waits for a person, too.
create or replace function what_waits() returns table (kind text, count bigint, oldest_seconds double precision)
  language plpgsql stable security definer set search_path = public, pg_temp set app.tenant = ''
  as $$
declare
  tenant text;
  most constant integer := 10000;
  counts jsonb := '{}';
  ages jsonb := '{}';
  found record;
begin
  for tenant in select t.id from tenants t loop
    perform set_config('app.tenant', tenant, true);
    for found in
      select 'approvals' as kind, count(*) as n, min(x.at) as at from
        (select a.created_at as at from approvals a where a.tenant_id = tenant and a.status = 'pending' and a.expires_at > now() order by a.created_at limit most) x
      union all select 'ambiguous', count(*), min(x.at) from
        (select a.finished_at as at from approvals a where a.tenant_id = tenant and a.status = 'ambiguous' order by a.finished_at limit most) x
      union all select 'reviews', count(*), min(x.at) from
        (select r.created_at as at from reviews r where r.tenant_id = tenant and r.kind = 'entity_match' and r.status = 'pending' order by r.created_at limit most) x
      union all select 'jobs', count(*), min(x.at) from
        (select j.created_at as at from jobs j where j.tenant_id = tenant and j.status in ('queued', 'running') limit most) x
      union all select 'dead_letters', count(*), min(x.at) from
        (select d.first_failed_at as at from dlq_items d where d.tenant_id = tenant and d.status in ('parked', 'refused') limit most) x
      union all select 'undelivered', count(*), min(x.at) from
        (select e.first_failed_at as at from event_deliveries e where e.tenant_id = tenant and e.status = 'dead' order by e.first_failed_at limit most) x
      -- An event that an active subscription has still to be told.
      union all select 'outbox', count(*), min(x.at) from
        (select (select min(o.created_at) from (select o.created_at from outbox o where o.tenant_id = tenant and o.seq > s.seq
            and (cardinality(s.types) = 0 or o.type = any(s.types)) and (s.subject is null or o.subject = s.subject) order by o.seq limit 1) o) as at
          from event_subscriptions s where s.tenant_id = tenant and s.status = 'active') x where x.at is not null
      union all select 'agents_' || g.health, count(*), null from
        (select g.health from agents g where g.tenant_id = tenant and tenant <> 'system' and g.removed_at is null limit most) g group by 1
    loop
      if found.n > 0 then
        counts := jsonb_set(counts, array[found.kind], to_jsonb(coalesce((counts->>found.kind)::bigint, 0) + found.n));
        if found.at is not null then
          ages := jsonb_set(ages, array[found.kind], to_jsonb(greatest(coalesce((ages->>found.kind)::float8, 0), extract(epoch from now() - found.at)::float8)));
        end if;
      end if;
    end loop;
  end loop;
  return query select c.key, c.value::bigint, coalesce((ages->>c.key)::float8, 0) from jsonb_each_text(counts) c;
end $$;
