-- What was fetched and kept. The id is derived from the canonical address: the same article is one row.
create table articles (
  tenant_id text not null,
  id text not null,
  canonical_url text not null,
  url text not null,
  title text not null,
  -- The run that stored it first.
  run_id text not null,
  source_id text,
  published_at timestamptz,
  summary text not null default '',
  content text not null default '',
  ai_summary text not null default '',
  ai_tags text[] not null default '{}',
  relevance_score double precision check (relevance_score between 0 and 10),
  categories text[] not null default '{}',
  stored_by text not null,
  stored_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index articles_stored on articles (tenant_id, stored_at desc, id);
create index articles_run on articles (tenant_id, run_id);
create index articles_source on articles (tenant_id, source_id);

-- What those who harvest say of their runs.
create table ingestion_logs (
  tenant_id text not null,
  run_id text not null,
  status text not null check (status in ('running', 'completed', 'failed')),
  -- Counts and flags by name, without the errors.
  stats jsonb not null default '{}',
  errors jsonb not null default '[]',
  started_at timestamptz,
  completed_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  logged_at timestamptz not null default now(),
  primary key (tenant_id, run_id)
);
create index ingestion_logs_logged on ingestion_logs (tenant_id, created_at desc, run_id);

do $$
declare
  t text;
begin
  foreach t in array array['articles', 'ingestion_logs'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
    execute format('create policy scope on %I as restrictive to signalbox_scoped using (false)', t);
  end loop;
end $$;
