-- Who still names bytes, and what is left of sources, is looked up piece by piece: never by reading a whole table.
create index documents_blob on documents (tenant_id, blob);
create index documents_parsed on documents (tenant_id, parsed) where parsed is not null;
create index documents_retired on documents (tenant_id, source_id) where status = 'retired';
create index ingest_items_blob on ingest_items (tenant_id, blob) where blob is not null;
create index ingest_items_source on ingest_items (tenant_id, source_id) where source_id is not null;
create index dlq_items_source on dlq_items (tenant_id, source_id) where source_id is not null;
create index jobs_source on jobs (tenant_id, (spec->>'source_id')) where kind = 'ingest';

-- Lists are paged newest first, and the later id first where times are equal.
create index knowledge_sources_listed on knowledge_sources (tenant_id, created_at desc, id desc);
drop index memories_created;
create index memories_created on memories (tenant_id, created_at desc, id desc);
drop index graph_episodes_listed;
create index graph_episodes_listed on graph_episodes (tenant_id, created_at desc, id desc);

-- The block of names at which the last sample ended: the next one goes on from there.
alter table matcher_models add column sampled_to text;

-- A question that holds no longer may be asked again. An owner that is no superuser is to see these rows whole.
alter table reviews no force row level security;
update reviews set pair = null where kind = 'entity_match' and status = 'withdrawn' and pair is not null;
alter table reviews force row level security;
