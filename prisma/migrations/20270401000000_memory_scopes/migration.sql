-- Memories of a user, an agent or a session beside those of the team; versions of a memory; their end.

-- team, user, agent, session. What is not the team's stands in this table alone: no source, document, passage or event has it.
alter table memories add column scope text not null default 'team';
-- Whose it is, as a hash; empty: the team's.
alter table memories add column owner text not null default '';
-- Equal for the same content in the same category, scope and owner: one of them is valid. Null: its id.
alter table memories add column key text;
-- Null: since it was created.
alter table memories add column valid_from timestamptz;
-- Null: it is valid now.
alter table memories add column valid_to timestamptz;
alter table memories add column superseded_by text;
alter table memories add column expires_at timestamptz;
-- The conversation and the turn that it was taken from.
alter table memories add column origin jsonb;
-- Its words in order, and its vector with the model; empty, null: not computed yet.
alter table memories add column terms text[] not null default '{}';
alter table memories add column model text;
alter table memories add column embedding halfvec;

-- What was merged, with what is needed to undo it.
create table memory_merges (
  tenant_id text not null,
  id text not null,
  scope text not null,
  owner text not null,
  kept_id text not null,
  merged_ids text[] not null,
  -- Fields of the kept memory that the merge changed: before and after it.
  before jsonb not null,
  after jsonb not null,
  -- When the merged memories ended to be valid.
  at timestamptz not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  undone_by text,
  undone_at timestamptz,
  primary key (tenant_id, id)
);
create index memory_merges_kept on memory_merges (tenant_id, kept_id);
alter table memory_merges enable row level security;
alter table memory_merges force row level security;
create policy tenant on memory_merges
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on memory_merges as restrictive to signalbox_scoped using (false);
-- Stakeholder teams have no memories of their own.
create policy scope on memories as restrictive to signalbox_scoped using (scope = 'team');
