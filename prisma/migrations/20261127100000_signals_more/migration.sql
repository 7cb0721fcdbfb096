-- What a person said of a statement. Kept apart from it: statements are made anew whenever their document is read again,
-- under the same id as long as the source says the same. Goes with its source.
create table signal_corrections (
  tenant_id text not null,
  signal_id text not null,
  source_id text not null,
  statement text not null,
  -- What was not corrected is null.
  class text check (class in ('request', 'bug', 'complaint', 'praise', 'question', 'churn_risk', 'information')),
  sentiment real,
  severity smallint check (severity between 0 and 4),
  model text,
  embedding halfvec(384),
  corrected_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, signal_id)
);
create index signal_corrections_source on signal_corrections (tenant_id, source_id);

-- Statements that share one of these are looked at for being nearly the same.
create table signal_blocks (
  tenant_id text not null,
  block bigint not null,
  signal_id text not null,
  primary key (tenant_id, block, signal_id),
  foreign key (tenant_id, signal_id) references signals (tenant_id, id) on delete cascade
);
create index signal_blocks_signal on signal_blocks (tenant_id, signal_id);

create index signals_embedding on signals using hnsw (embedding halfvec_cosine_ops);

do $$
declare
  t text;
begin
  foreach t in array array['signal_corrections', 'signal_blocks'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
    execute format(
      'create policy scope on %1$I as restrictive to signalbox_scoped using
         (exists (select from signals s where s.tenant_id = %1$I.tenant_id and s.id = %1$I.signal_id))', t);
  end loop;
end $$;
