-- A statement that is taken back or settled leaves its opportunity, with its next change at the latest.
create or replace function note_signal_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into opportunity_changes (tenant_id, signal_id, source_id) select tenant_id, id, source_id from added where is_opportunity_class(class);
  elsif tg_op = 'DELETE' then
    insert into opportunity_changes (tenant_id, signal_id, source_id) select tenant_id, id, source_id from removed where is_opportunity_class(class);
  else
    -- A first vector is no change: it is made on the way to a cluster.
    insert into opportunity_changes (tenant_id, signal_id, source_id)
      select n.tenant_id, n.id, n.source_id from added n join removed o on o.tenant_id = n.tenant_id and o.id = n.id
      where (is_opportunity_class(n.class) or is_opportunity_class(o.class))
        and (row(o.class, o.severity, o.sentiment, o.occurred_at, o.group_id, o.statement)
            is distinct from row(n.class, n.severity, n.sentiment, n.occurred_at, n.group_id, n.statement)
          or (o.state = 'withdrawn') <> (n.state = 'withdrawn') or (o.settled_by is null) <> (n.settled_by is null)
          or (o.model is not null and o.model is distinct from n.model));
  end if;
  return null;
end $$;
