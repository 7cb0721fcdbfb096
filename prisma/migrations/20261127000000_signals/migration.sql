-- Customer evidence, statement by statement. Made of published documents, and made anew whenever they are read again:
-- the id names the place, so that what people said about a statement (corrections) finds it again.
create table signals (
  tenant_id text not null,
  id text not null,
  document_id text not null,
  source_id text not null,
  chunk_id bigint not null references chunks (id) on delete cascade,
  -- UTF-16 offsets in the passage.
  start_at integer not null,
  end_at integer not null,
  statement text not null,
  -- slack, meeting_transcript, document, web_scrape, jira, wiki
  source text not null,
  author text,
  -- When it was said or written.
  occurred_at timestamptz not null,
  -- Product area, in the words of the source.
  area text,
  url text,
  class text not null check (class in ('request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information')),
  class_confidence real not null,
  -- -1 (bad) to 1 (good)
  sentiment real not null,
  -- 0 none, 1 low, 2 medium, 3 high, 4 critical
  severity smallint not null check (severity between 0 and 4),
  -- Nearly the same statements carry the id of the first of them.
  group_id text not null,
  classifier text not null,
  -- A person said otherwise; the classifier does not touch it again.
  corrected_by text,
  model text,
  embedding halfvec(384),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index signals_document on signals (tenant_id, document_id);
create index signals_chunk on signals (chunk_id);
create index signals_time on signals (tenant_id, occurred_at desc, id);
create index signals_group on signals (tenant_id, group_id);

-- Who and what a signal is about, after all merges and splits. The type is the entity's.
create table signal_entities (
  tenant_id text not null,
  signal_id text not null,
  entity_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  primary key (tenant_id, signal_id, entity_id),
  foreign key (tenant_id, signal_id) references signals (tenant_id, id) on delete cascade
);
create index signal_entities_entity on signal_entities (tenant_id, entity_id, occurred_at desc);

do $$
declare
  t text;
begin
  foreach t in array array['signals', 'signal_entities'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;

-- As for passages: what a stakeholder team may see (20261126000000_stakeholders).
create policy scope on signal_entities as restrictive to signalbox_scoped
  using (exists (select from entities e where e.tenant_id = signal_entities.tenant_id and e.id = signal_entities.entity_id));
create policy scope on signals as restrictive to signalbox_scoped
  using (old_enough(created_at)
    and (within_scope('app.areas', lower(area))
      or exists (select from signal_entities s where s.tenant_id = signals.tenant_id and s.signal_id = signals.id))
    and (current_setting('app.types', true) = ''
      or exists (select from signal_entities s where s.tenant_id = signals.tenant_id and s.signal_id = signals.id)));
