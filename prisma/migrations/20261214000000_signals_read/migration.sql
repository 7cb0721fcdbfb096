-- When the statements of a document were last read; null: not yet. Until then nobody knows what the source says now, and
-- what becomes of the signals that its former document had.
alter table documents add column signals_read_at timestamptz default now();
alter table documents alter column signals_read_at drop default;
do $$
begin
  alter table documents no force row level security;
  alter table signals no force row level security;
  update documents d set signals_read_at = null
    where d.status in ('building', 'active') and d.graph is distinct from 'resolved'
      and not exists (select from signals s where s.tenant_id = d.tenant_id and s.document_id = d.id);
  alter table documents force row level security;
  alter table signals force row level security;
end $$;
create index documents_unread on documents (tenant_id, source_id) where status = 'active' and signals_read_at is null;

-- Of which source a signal is that changed: changes of a source that is not read wait.
alter table opportunity_changes add column source_id text;

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
          or (o.model is not null and o.model is distinct from n.model));
  end if;
  return null;
end $$;

create or replace function note_signal_entities() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into opportunity_changes (tenant_id, signal_id, source_id)
      select distinct s.tenant_id, s.id, s.source_id from added e join signals s on s.tenant_id = e.tenant_id and s.id = e.signal_id
      where is_opportunity_class(s.class);
  else
    insert into opportunity_changes (tenant_id, signal_id, source_id)
      select distinct s.tenant_id, s.id, s.source_id from removed e join signals s on s.tenant_id = e.tenant_id and s.id = e.signal_id
      where is_opportunity_class(s.class);
  end if;
  return null;
end $$;

-- Its title and its numbers tell of all its evidence: a stakeholder team sees it when it may see all of that. Where none
-- is left, closed or merged, nobody can tell what it was made of.
alter policy scope on opportunities
  using (exists (select from opportunity_signals m where m.tenant_id = opportunities.tenant_id and m.cluster_id = opportunities.id)
    and not exists (select from opportunity_signals m where m.tenant_id = opportunities.tenant_id and m.cluster_id = opportunities.id
      and not exists (select from signals s where s.tenant_id = m.tenant_id and s.id = m.signal_id)));

-- A title that the machine made is somebody's statement: it stands in the opportunity alone, where it goes with the
-- statement, and history tells of the titles that people gave. A title before the first of those, or between taking one
-- back and giving the next, was the machine's.
do $$
begin
  alter table opportunities no force row level security;
  alter table opportunity_history no force row level security;
  update opportunity_history set data = data - 'title' where event = 'created';
  update opportunity_history h set data = data - 'title' where event = 'merged'
    and exists (select from opportunities o where o.tenant_id = h.tenant_id and o.title_by is null
      and o.id = coalesce((h.data->>'from')::uuid, h.opportunity_id));
  update opportunity_history h set data = data || '{"from": null}' where event = 'title'
    and not exists (select from opportunity_history b where b.tenant_id = h.tenant_id and b.opportunity_id = h.opportunity_id
      and b.event = 'title' and b.id < h.id and b.data->>'to' = h.data->>'from');
  update opportunities set title = 'Untitled opportunity' where title_by is null and closed_reason = 'no_evidence';
  alter table opportunities force row level security;
  alter table opportunity_history force row level security;
end $$;

-- Signals of an author or an area, the newest first. By row-level security a condition on lower(author) would not be
-- looked up in an index.
alter table signals
  add column author_key text generated always as (lower(author)) stored,
  add column area_key text generated always as (lower(area)) stored;
create index signals_author on signals (tenant_id, author_key, occurred_at desc, id desc) where author_key is not null;
create index signals_area on signals (tenant_id, area_key, occurred_at desc, id desc) where area_key is not null;
