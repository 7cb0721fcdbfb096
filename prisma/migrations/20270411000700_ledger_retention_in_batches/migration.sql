-- Retention of the ledger in batches, each in a transaction of its own: retain_ledger() removes all of it in one statement, which
-- the application's time limit ends when it is much. That function stays, because workers of the release before call it.

-- Removes the oldest links whose rows are older than so many days: as many whole links as have `most` rows together, at least one.
-- Null: nothing is past its retention, or another sweep is removing it. Nobody else deletes from the ledger.
create function retain_ledger_batch(days integer, most integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  as $$
declare
  tenant text := current_setting('app.tenant', true);
  -- What was removed up to here; its last link stands.
  kept ledger_seals;
  last ledger_seals;
  link ledger_seals;
  rows bigint := 0;
  removed bigint;
begin
  if days < 30 then
    raise exception 'the ledger is kept for 30 days at least';
  end if;
  if not pg_try_advisory_xact_lock(hashtextextended('ledger-retention/' || tenant, 0)) then
    return null;
  end if;
  select * into kept from ledger_seals s
    where s.tenant_id = tenant and s.seq = (select max(r.removed_to_seq) from ledger_retained r where r.tenant_id = tenant);
  for link in select * from ledger_seals s where s.tenant_id = tenant and s.seq > coalesce(kept.seq, 0) order by s.seq loop
    exit when link.created_at >= now() - make_interval(days => days) or (last.seq is not null and rows + link.events > most);
    last := link;
    rows := rows + link.events;
  end loop;
  if last.seq is null then
    return null;
  end if;
  -- From where the batch before ended: what it deleted stands in the index until vacuum, and would be read again by each.
  delete from ledger_events e where e.tenant_id = tenant
    and (e.xid, e.id) > (coalesce(kept.to_xid, '0'), coalesce(kept.to_id, 0)) and (e.xid, e.id) <= (last.to_xid, last.to_id);
  get diagnostics removed = row_count;
  -- Its last link stays: the next one hangs on it.
  delete from ledger_seals s where s.tenant_id = tenant and s.seq >= coalesce(kept.seq, 0) and s.seq < last.seq;
  insert into ledger_retained (tenant_id, removed_to_seq, removed_events) values (tenant, last.seq, removed) on conflict do nothing;
  return removed;
end $$;
revoke all on function retain_ledger_batch(integer, integer) from public;
grant execute on function retain_ledger_batch(integer, integer) to signalbox_app;
