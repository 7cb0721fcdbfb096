-- Where articles are fetched from, and how that went last time.
create table feed_sources (
  tenant_id text not null,
  feed_id text not null,
  kind text not null check (kind in ('rss', 'api')),
  title text not null default '',
  url text not null,
  enabled boolean not null default true,
  categories text[] not null default '{}',
  language text,
  settings jsonb not null default '{}',
  -- Sealed: what the settings' ${names} stand for.
  credentials text,
  etag text,
  last_modified text,
  last_fetched_at timestamptz,
  last_status int,
  last_error text,
  -- Fetches in a row that failed.
  failures int not null default 0,
  -- The site asked not to be asked before.
  retry_at timestamptz,
  -- As the seed file has it: nobody has changed it since.
  seeded boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, feed_id)
);

-- What a source gave last, for when it says that nothing has changed (304). Apart, since lists of sources do not need it.
create table feed_copies (
  tenant_id text not null,
  feed_id text not null,
  articles jsonb not null,
  kept_at timestamptz not null default now(),
  primary key (tenant_id, feed_id),
  foreign key (tenant_id, feed_id) references feed_sources (tenant_id, feed_id) on delete cascade
);

-- What the seed file gave last. A source without its row was removed by somebody, and stays so.
create table feed_seeds (
  tenant_id text not null,
  feed_id text not null,
  hash text not null,
  primary key (tenant_id, feed_id)
);

do $$
declare
  t text;
begin
  foreach t in array array['feed_sources', 'feed_copies', 'feed_seeds'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
    execute format('create policy scope on %I as restrictive to signalbox_scoped using (false)', t);
  end loop;
end $$;
