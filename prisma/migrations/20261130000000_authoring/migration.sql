-- Documents made from evidence: artifacts (prd, jira, rfc, one_pager) and reports. Written by the process draft/{tenant}/{id}.
create table drafts (
  tenant_id text not null,
  id text not null,
  kind text not null check (kind in ('artifact', 'report')),
  -- prd, jira, rfc, one_pager; or the report's type.
  type text not null,
  audience text not null,
  -- Of reports: executive_summary, detailed, one_pager.
  format text,
  title text not null,
  -- What it is about and how it was asked for, names resolved.
  spec jsonb not null,
  -- Whose product area or customer it is about, in lower case; null: everybody's.
  area text,
  customer_id text,
  -- Of what the team of the scope may see; not scoped: of everything.
  scoped boolean not null default false,
  scope_areas text[] not null default '{}',
  scope_types text[] not null default '{}',
  scope_min_age interval not null default '0',
  -- withdrawn: a source that it quotes was deleted, and its text with it.
  status text not null default 'writing' check (status in ('writing', 'ready', 'withdrawn')),
  job_id text not null,
  -- What one stage leaves for the next; gone when the draft is ready.
  evidence jsonb,
  written jsonb,
  -- Sections or issues as answered.
  body jsonb,
  content text,
  plain text,
  to_fill text[] not null default '{}',
  warnings text[] not null default '{}',
  statements integer not null default 0,
  -- Statements that their sources did not support, so not printed.
  dropped integer not null default 0,
  -- The language model that wrote it; null: assembled from the evidence.
  model text,
  newest_signal_at timestamptz,
  oldest_signal_at timestamptz,
  generated_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index drafts_job on drafts (tenant_id, job_id);
create index drafts_recent on drafts (tenant_id, created_at desc, id desc);
create index drafts_latest on drafts (tenant_id, kind, type, generated_at desc) where status = 'ready';

-- Where each printed statement comes from. Numbers are those printed in brackets.
create table draft_sources (
  tenant_id text not null,
  draft_id text not null,
  number integer not null,
  ref text not null,
  -- signal, fact, opportunity
  kind text not null,
  excerpt text not null,
  occurred_at timestamptz not null,
  weight real not null,
  primary key (tenant_id, draft_id, number),
  foreign key (tenant_id, draft_id) references drafts (tenant_id, id) on delete cascade
);
create index draft_sources_ref on draft_sources (tenant_id, ref);

create table draft_statements (
  tenant_id text not null,
  draft_id text not null,
  ordinal integer not null,
  section text not null,
  statement text not null,
  sources integer[] not null check (cardinality(sources) > 0),
  -- How its numbers were counted, so that anybody can count again.
  figures jsonb not null default '[]',
  primary key (tenant_id, draft_id, ordinal),
  foreign key (tenant_id, draft_id) references drafts (tenant_id, id) on delete cascade
);

do $$
declare
  t text;
begin
  foreach t in array array['drafts', 'draft_sources', 'draft_statements'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;

-- A team sees what was made of no more than it may see itself: within the same or a narrower scope.
create policy scope on drafts as restrictive to signalbox_scoped
  using (scoped
    and (current_setting('app.areas', true) = ''
      or (cardinality(scope_areas) > 0 and scope_areas <@ string_to_array(current_setting('app.areas', true), chr(31))))
    and (current_setting('app.types', true) = ''
      or (cardinality(scope_types) > 0 and scope_types <@ string_to_array(current_setting('app.types', true), chr(31))))
    and scope_min_age >= current_setting('app.min_age', true)::interval);
create policy scope on draft_sources as restrictive to signalbox_scoped
  using (exists (select from drafts d where d.tenant_id = draft_sources.tenant_id and d.id = draft_sources.draft_id));
create policy scope on draft_statements as restrictive to signalbox_scoped
  using (exists (select from drafts d where d.tenant_id = draft_statements.tenant_id and d.id = draft_statements.draft_id));
