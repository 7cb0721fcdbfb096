-- What the evidence is about: entities with their names, mentions in passages, relations, dated facts, episodes,
-- and the questions that people are asked. Mentions and assertions are the truth; counts, relations and facts are
-- folded from them, so that every merge and split can be undone exactly.
-- Whoever writes any of it holds the tenant's graph lock (services/graph/lock.ts).

-- documents ----------------------------------------------------------------------------------

-- How far the graph has come with an active document, and by which rules; null: not at all.
alter table documents add column graph text check (graph in ('extracted', 'resolved'));
alter table documents add column extractor text;
-- When its content was said or written, as far as known; else when it came.
alter table documents add column said_at timestamptz;
create index documents_graph on documents (tenant_id, id) where status = 'active' and graph is distinct from 'resolved';

-- entities -----------------------------------------------------------------------------------

create table entities (
  tenant_id text not null,
  id text not null,
  -- customer, feature, issue, theme, stakeholder, and open ones
  type text not null check (type ~ '^[a-z][a-z0-9_]{0,31}$'),
  name text not null,
  -- False: the type is a guess; a mention that is certain of its type may change it.
  certain boolean not null default true,
  description text,
  -- Product area, as people call it.
  area text,
  status text not null default 'active' check (status in ('active', 'merged')),
  merged_into text,
  -- Of issues and features, as another system or a person says: open, in_progress, fixed, …
  state text,
  state_source text,
  metadata jsonb not null default '{}',
  -- extraction: gone with its last mention, unless somebody has said something about it.
  origin text not null check (origin in ('extraction', 'person', 'flag')),
  created_by text not null,
  -- Documents and passages' places that mention it.
  signal_count integer not null default 0,
  mention_count integer not null default 0,
  first_seen_at timestamptz,
  last_seen_at timestamptz,
  -- Of its name; null until made.
  model text,
  embedding halfvec(384),
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index entities_listed on entities (tenant_id, type, signal_count desc, id) where status = 'active';
create index entities_area on entities (tenant_id, area) where area is not null;

-- Every name by which an entity is known, its own included: one owner per type and key.
create table entity_aliases (
  tenant_id text not null,
  type text not null,
  -- The name as it is compared (services/graph/names.ts).
  key text not null,
  entity_id text not null,
  alias text not null,
  origin text not null check (origin in ('name', 'resolution', 'merge', 'person')),
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, type, key),
  foreign key (tenant_id, entity_id) references entities (tenant_id, id) on delete cascade
);
create index entity_aliases_entity on entity_aliases (tenant_id, entity_id);
create index entity_aliases_key on entity_aliases (tenant_id, key);

-- Where similar names meet: words, sounds, acronyms of each alias.
create table entity_blocks (
  tenant_id text not null,
  block text not null,
  type text not null,
  key text not null,
  primary key (tenant_id, block, type, key),
  foreign key (tenant_id, type, key) references entity_aliases (tenant_id, type, key) on delete cascade on update cascade
);
create index entity_blocks_alias on entity_blocks (tenant_id, type, key);

-- mentions -----------------------------------------------------------------------------------

create table entity_mentions (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  document_id text not null,
  chunk_id bigint not null,
  -- UTF-16 offsets in the passage; equal: said of the document as a whole (its customer, a participant).
  start_at integer not null,
  end_at integer not null,
  surface text not null,
  type text not null,
  key text not null,
  -- False: the type is a guess, and a known entity of that name wins.
  certain boolean not null,
  confidence real not null,
  origin text not null check (origin in ('rules', 'known', 'title', 'metadata', 'person', 'model')),
  entity_id text,
  -- How it came to its entity.
  assigned_by text check (assigned_by in ('name', 'resolution', 'merge', 'split', 'person')),
  created_at timestamptz not null default now()
);
create unique index entity_mentions_place on entity_mentions (tenant_id, chunk_id, start_at, end_at, type, key);
create index entity_mentions_document on entity_mentions (tenant_id, document_id);
create index entity_mentions_entity on entity_mentions (tenant_id, entity_id, document_id);

-- relations ----------------------------------------------------------------------------------

-- Between active entities, folded from mentions and facts. A row without passages is a tombstone for projections.
create table entity_relations (
  tenant_id text not null,
  source_id text not null,
  target_id text not null,
  -- mentioned_with (undirected: source_id < target_id), or the predicate of current facts
  kind text not null,
  -- Passages that show it, and documents they stand in.
  passages integer not null,
  documents integer not null,
  changed xid8 not null default pg_current_xact_id(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, source_id, target_id, kind)
);
-- Hubs are left by their strongest relations: read in order, from either end.
create index entity_relations_from on entity_relations (tenant_id, source_id, passages desc, target_id collate "C", kind collate "C") where passages > 0;
create index entity_relations_to on entity_relations (tenant_id, target_id, passages desc, source_id collate "C", kind collate "C") where passages > 0;
create index entity_relations_target on entity_relations (tenant_id, target_id, source_id);

-- Links to the same thing elsewhere, e.g. in JIRA.
create table entity_links (
  tenant_id text not null,
  entity_id text not null,
  external_system text not null,
  external_id text not null,
  url text,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, external_system, external_id),
  foreign key (tenant_id, entity_id) references entities (tenant_id, id) on delete cascade
);
create index entity_links_entity on entity_links (tenant_id, entity_id);

-- What happened to an entity, in order; never changed.
create table entity_history (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  entity_id text not null,
  -- created, renamed, alias_added, merged, absorbed, split, restored, linked, state_set, flagged
  event text not null,
  -- Names the merge or split, so that its rows are found again.
  change_id text,
  data jsonb not null default '{}',
  by_whom text not null,
  at timestamptz not null default now()
);
create index entity_history_entity on entity_history (tenant_id, entity_id, id);
create index entity_history_change on entity_history (tenant_id, change_id) where change_id is not null;

-- Which mentions a merge or split moved: what it takes to move them back.
create table mention_moves (
  tenant_id text not null,
  change_id text not null,
  mention_id bigint not null references entity_mentions (id) on delete cascade,
  from_id text not null,
  to_id text not null,
  assigned_by text,
  primary key (tenant_id, change_id, mention_id)
);
create index mention_moves_mention on mention_moves (mention_id);
create index mention_moves_from on mention_moves (tenant_id, from_id, to_id);

-- facts --------------------------------------------------------------------------------------

-- What a passage says: the truth from which facts are folded.
create table graph_assertions (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  document_id text not null,
  chunk_id bigint not null,
  -- The sentence, in the passage.
  start_at integer not null,
  end_at integer not null,
  subject_mention bigint not null references entity_mentions (id) on delete cascade,
  predicate text not null,
  object_mention bigint references entity_mentions (id) on delete cascade,
  -- Instead of a mention: a value, e.g. "4.2" or "Enterprise".
  object_text text,
  statement text not null,
  -- Of one at a time: a newer one ends the older (owner, price, version, …).
  exclusive boolean not null default false,
  -- When it began to hold, and stopped, as far as the text says.
  valid_from timestamptz,
  valid_to timestamptz,
  -- When it was said or written.
  said_at timestamptz not null,
  confidence real not null,
  created_at timestamptz not null default now(),
  check ((object_mention is null) <> (object_text is null))
);
create index graph_assertions_document on graph_assertions (tenant_id, document_id);
create index graph_assertions_subject on graph_assertions (subject_mention);
create index graph_assertions_object on graph_assertions (object_mention);

create table graph_facts (
  tenant_id text not null,
  id text not null,
  subject_id text not null,
  predicate text not null,
  object_id text,
  object_text text,
  statement text not null,
  exclusive boolean not null,
  valid_from timestamptz,
  valid_to timestamptz,
  recorded_from timestamptz not null,
  -- When we learnt that it holds no longer.
  recorded_to timestamptz,
  -- The newer fact that ended it.
  closed_by text,
  passages integer not null,
  confidence real not null,
  model text,
  embedding halfvec(384),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index graph_facts_subject on graph_facts (tenant_id, subject_id, predicate);
create index graph_facts_object on graph_facts (tenant_id, object_id) where object_id is not null;

create table fact_evidence (
  tenant_id text not null,
  fact_id text not null,
  assertion_id bigint not null references graph_assertions (id) on delete cascade,
  primary key (tenant_id, fact_id, assertion_id),
  foreign key (tenant_id, fact_id) references graph_facts (tenant_id, id) on delete cascade
);
create index fact_evidence_assertion on fact_evidence (assertion_id);

-- Said to the graph directly, taken in one after the other per tenant. Its text stands as a document of the same id.
create table graph_episodes (
  tenant_id text not null,
  id text not null,
  seq bigint generated always as identity,
  kind text not null check (kind in ('memory', 'knowledge')),
  name text not null,
  body text not null,
  source text not null check (source in ('text', 'json', 'message')),
  source_description text not null default '',
  metadata jsonb not null default '{}',
  said_at timestamptz not null,
  status text not null default 'queued' check (status in ('queued', 'done', 'failed')),
  attempts integer not null default 0,
  error text,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index graph_episodes_queue on graph_episodes (tenant_id, seq) where status = 'queued';
create index graph_episodes_listed on graph_episodes (tenant_id, created_at desc, id);

-- people's decisions -------------------------------------------------------------------------

-- Everything that waits for a person, of every kind; its workflow is review/{tenant}/{id}.
create table reviews (
  tenant_id text not null,
  id text not null,
  kind text not null check (kind in ('entity_match', 'agent_output', 'claim', 'tool_approval')),
  -- entity_match: merge, split, alias
  action text not null,
  -- What it is about, for lists: of an entity its type.
  type text,
  subject jsonb not null,
  -- Two entities, or an entity and a name: asked about once.
  pair text,
  confidence real,
  evidence jsonb not null default '[]',
  status text not null default 'pending' check (status in ('pending', 'deciding', 'confirmed', 'rejected', 'withdrawn')),
  result jsonb,
  notes text,
  origin text not null,
  created_by text not null,
  decided_by text,
  decided_at timestamptz,
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index reviews_pair on reviews (tenant_id, kind, pair) where pair is not null;
create index reviews_open on reviews (tenant_id, kind, created_at, id) where status in ('pending', 'deciding');
create index reviews_decided on reviews (tenant_id, kind, decided_at) where decided_at is not null;

-- How mentions found their entities, by day.
create table resolution_counts (
  tenant_id text not null,
  day date not null,
  type text not null,
  -- by_name: known under just that name; automatic: similar enough; reviewed: a person is asked; fresh: new
  by_name integer not null default 0,
  automatic integer not null default 0,
  reviewed integer not null default 0,
  fresh integer not null default 0,
  -- Automatic ones that a split has undone.
  undone integer not null default 0,
  primary key (tenant_id, day, type)
);

-- What the matcher has learnt of a tenant's names.
create table matcher_models (
  tenant_id text not null,
  kind text not null,
  model jsonb not null,
  decisions integer not null default 0,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, kind)
);

do $$
declare
  t text;
begin
  foreach t in array array['entities', 'entity_aliases', 'entity_blocks', 'entity_mentions', 'entity_relations', 'entity_links',
    'entity_history', 'mention_moves', 'graph_assertions', 'graph_facts', 'fact_evidence', 'graph_episodes', 'reviews',
    'resolution_counts', 'matcher_models'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;
