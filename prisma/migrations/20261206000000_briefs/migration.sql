-- What a tenant's daily brief is about, when it is made and who gets it.
create table brief_settings (
  tenant_id text primary key,
  enabled boolean not null default false,
  time text not null check (time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone text not null,
  -- [{ name, keywords, weight }]
  topics jsonb not null,
  -- Sealed [{ channel, recipient }]: a webhook's address may let in whoever has it.
  recipients text not null,
  -- Ids of feeds; empty: all that are enabled.
  sources text[] not null,
  lookback_hours int not null check (lookback_hours between 1 and 720),
  max_highlights int not null check (max_highlights between 1 and 20),
  min_relevance real not null check (min_relevance between 0 and 10),
  updated_by text not null,
  updated_at timestamptz not null default now()
);

-- One row per version: the same run and date with the same input is the same version.
create table briefs (
  tenant_id text not null,
  id text not null,
  version int not null,
  date date not null,
  run_id text not null,
  input_hash text not null,
  content jsonb not null,
  -- Null: assembled from the articles' own sentences.
  model text,
  -- Statements of the model that the articles do not bear.
  dropped int not null default 0,
  -- When its readers were told of this version.
  notified_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id, version)
);
create index briefs_date on briefs (tenant_id, date desc, created_at desc);

-- What the sources of a run gave.
create table brief_articles (
  tenant_id text not null,
  run_id text not null,
  -- Hash of the address.
  key text not null,
  feed_id text not null,
  source text not null,
  url text not null,
  title text not null,
  summary text not null,
  content text not null,
  -- Whether its page was asked for.
  page boolean not null default false,
  published_at timestamptz,
  categories text[] not null,
  -- 0 to 10, with what it is made of; null: not scored.
  relevance real,
  factors jsonb,
  -- Key of the article that stands for its story.
  story text,
  harvested_at timestamptz not null default now(),
  primary key (tenant_id, run_id, key)
);
create index brief_articles_age on brief_articles (tenant_id, harvested_at);

-- How each source of a run did.
create table brief_sources (
  tenant_id text not null,
  run_id text not null,
  feed_id text not null,
  ok boolean not null,
  articles int not null,
  attempts int not null,
  duration_ms int not null,
  error_code text,
  error text,
  at timestamptz not null default now(),
  primary key (tenant_id, run_id, feed_id)
);

do $$
declare
  t text;
begin
  foreach t in array array['brief_settings', 'briefs', 'brief_articles', 'brief_sources'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
    -- Whom a brief goes to, and what a run has read, is not for stakeholder teams.
    execute format('create policy scope on %I as restrictive to signalbox_scoped using (false)', t);
  end loop;
end
$$;
