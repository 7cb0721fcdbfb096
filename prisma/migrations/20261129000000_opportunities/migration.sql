-- What customers ask for, suffer from and leave for, gathered from their statements: clusters of signals are the
-- machine's and come and go; an opportunity is what people see of a cluster, and stays.

-- Signals that became, changed or went, in the order of their writing. Rows are added only, so that no change is
-- missed while an earlier one is worked on.
create table opportunity_changes (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  signal_id text not null
);
create index opportunity_changes_order on opportunity_changes (tenant_id, id);

-- Apart from opportunities, so that what people write there does not touch the vectors' index.
create table opportunity_clusters (
  tenant_id text not null,
  id uuid not null,
  -- Of the embedding model, or "words".
  model text not null,
  -- Mean of the statements' vectors, near-duplicates once; not normalised.
  center halfvec(384) not null,
  -- How many of them name an entity: {"entity id": count}
  entities jsonb not null default '{}',
  -- Statements, near-duplicates once.
  size integer not null,
  -- Its size when it was last compared with its neighbours.
  refined integer not null default 1,
  -- What is told of it is to be counted anew.
  recount boolean not null default true,
  primary key (tenant_id, id)
);
create index opportunity_clusters_recount on opportunity_clusters (tenant_id, id) where recount;
create index opportunity_clusters_grown on opportunity_clusters (tenant_id, id) where size >= 2 * refined;
create index opportunity_clusters_model on opportunity_clusters (tenant_id, model);

-- Where clusters are found by nearness. Apart from them, and written only when one is new or has doubled: an index of
-- vectors keeps what was written over until it is vacuumed, and every search would wade through it.
create table opportunity_anchors (
  tenant_id text not null,
  cluster_id uuid not null,
  model text not null,
  center halfvec(384) not null,
  -- The cluster's size when this was written.
  size integer not null,
  primary key (tenant_id, cluster_id),
  foreign key (tenant_id, cluster_id) references opportunity_clusters (tenant_id, id) on delete cascade
);
create index opportunity_anchors_near on opportunity_anchors using hnsw (center halfvec_ip_ops);

-- Which cluster a signal belongs to. Outlives the signal until its change is taken up: signals are made anew under their
-- ids whenever their document is read again.
create table opportunity_signals (
  tenant_id text not null,
  signal_id text not null,
  cluster_id uuid not null,
  group_id text not null,
  added_at timestamptz not null default now(),
  primary key (tenant_id, signal_id)
);
create index opportunity_signals_cluster on opportunity_signals (tenant_id, cluster_id, group_id);
create index opportunity_signals_group on opportunity_signals (tenant_id, group_id);

-- The id is its cluster's. Never deleted, and the id never used again.
create table opportunities (
  tenant_id text not null,
  id uuid not null,
  title text not null,
  -- The person who named it; null: the machine did, and may again.
  title_by text,
  status text not null default 'new' check (status in ('new', 'reviewing', 'accepted', 'rejected')),
  closed_at timestamptz,
  closed_reason text check (closed_reason in ('merged', 'no_evidence')),
  merged_into uuid,
  signal_count integer not null,
  -- Near-duplicates once.
  statement_count integer not null,
  customer_count integer not null,
  -- {"request": 3, …}
  classes jsonb not null default '{}',
  -- Most named features, issues and themes: [{entity_id, name, type, count}]
  entities jsonb not null default '[]',
  trend text not null default 'stable' check (trend in ('emerging', 'growing', 'declining', 'stable')),
  -- As in force: a person's value where there is one. 0 to 10, confidence 0 to 1.
  impact real not null,
  confidence real not null,
  strategic_alignment real not null,
  urgency real not null,
  effort real not null check (effort > 0),
  score real not null,
  -- As computed, with the reasons: {"impact": {value, reason}, …}
  computed jsonb not null,
  first_signal_at timestamptz not null,
  last_signal_at timestamptz not null,
  scored_at timestamptz not null default now(),
  rev integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index opportunities_score on opportunities (tenant_id, score desc, id) where closed_at is null;
create index opportunities_scored on opportunities (tenant_id, scored_at) where closed_at is null;

-- What people say of a factor; in force until they take it back.
create table opportunity_factors (
  tenant_id text not null,
  opportunity_id uuid not null,
  factor text not null check (factor in ('impact', 'confidence', 'strategic_alignment', 'urgency', 'effort')),
  value real not null check (value between 0 and 10),
  reason text,
  set_by text not null,
  set_at timestamptz not null default now(),
  primary key (tenant_id, opportunity_id, factor)
);

-- Product areas and entities that the strategy is about, by the key of their name.
create table opportunity_goals (
  tenant_id text not null,
  key text not null,
  name text not null,
  alignment real not null check (alignment between 0 and 10),
  set_by text not null,
  set_at timestamptz not null default now(),
  primary key (tenant_id, key)
);

create table opportunity_history (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  opportunity_id uuid not null,
  -- created, status, title, factor, merged, split, closed
  event text not null,
  data jsonb not null default '{}',
  by text not null,
  at timestamptz not null default now()
);
create index opportunity_history_of on opportunity_history (tenant_id, opportunity_id, id);

do $$
declare
  t text;
begin
  foreach t in array array['opportunity_changes', 'opportunity_clusters', 'opportunity_anchors', 'opportunity_signals', 'opportunities', 'opportunity_factors',
    'opportunity_goals', 'opportunity_history'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;

-- Its title and its numbers tell of all its evidence: a stakeholder team sees it when it may see all of that.
create policy scope on opportunities as restrictive to signalbox_scoped
  using (not exists (select from opportunity_signals m where m.tenant_id = opportunities.tenant_id and m.cluster_id = opportunities.id
    and not exists (select from signals s where s.tenant_id = m.tenant_id and s.id = m.signal_id)));
create policy scope on opportunity_factors as restrictive to signalbox_scoped
  using (exists (select from opportunities o where o.tenant_id = opportunity_factors.tenant_id and o.id = opportunity_factors.opportunity_id));
create policy scope on opportunity_history as restrictive to signalbox_scoped
  using (exists (select from opportunities o where o.tenant_id = opportunity_history.tenant_id and o.id = opportunity_history.opportunity_id));

-- Whoever writes signals: what it means for opportunities is noted with it, and so is never lost.
create function is_opportunity_class(class text) returns boolean
  language sql immutable parallel safe
  return class in ('request', 'bug', 'complaint', 'churn_risk');

create function note_signal_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into opportunity_changes (tenant_id, signal_id) select tenant_id, id from added where is_opportunity_class(class);
  elsif tg_op = 'DELETE' then
    insert into opportunity_changes (tenant_id, signal_id) select tenant_id, id from removed where is_opportunity_class(class);
  else
    -- A first vector is no change: it is made on the way to a cluster.
    insert into opportunity_changes (tenant_id, signal_id)
      select n.tenant_id, n.id from added n join removed o on o.tenant_id = n.tenant_id and o.id = n.id
      where (is_opportunity_class(n.class) or is_opportunity_class(o.class))
        and (row(o.class, o.severity, o.sentiment, o.occurred_at, o.group_id, o.statement)
            is distinct from row(n.class, n.severity, n.sentiment, n.occurred_at, n.group_id, n.statement)
          or (o.model is not null and o.model is distinct from n.model));
  end if;
  return null;
end $$;
create trigger signals_added after insert on signals referencing new table as added
  for each statement execute function note_signal_change();
create trigger signals_changed after update on signals referencing new table as added old table as removed
  for each statement execute function note_signal_change();
create trigger signals_removed after delete on signals referencing old table as removed
  for each statement execute function note_signal_change();

create function note_signal_entities() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into opportunity_changes (tenant_id, signal_id)
      select distinct s.tenant_id, s.id from added e join signals s on s.tenant_id = e.tenant_id and s.id = e.signal_id where is_opportunity_class(s.class);
  else
    insert into opportunity_changes (tenant_id, signal_id)
      select distinct s.tenant_id, s.id from removed e join signals s on s.tenant_id = e.tenant_id and s.id = e.signal_id where is_opportunity_class(s.class);
  end if;
  return null;
end $$;
create trigger signal_entities_added after insert on signal_entities referencing new table as added
  for each statement execute function note_signal_entities();
create trigger signal_entities_removed after delete on signal_entities referencing old table as removed
  for each statement execute function note_signal_entities();

-- Signals that were there before.
do $$
begin
  alter table signals no force row level security;
  alter table opportunity_changes no force row level security;
  insert into opportunity_changes (tenant_id, signal_id) select tenant_id, id from signals where is_opportunity_class(class) order by occurred_at, id;
  alter table signals force row level security;
  alter table opportunity_changes force row level security;
end $$;
