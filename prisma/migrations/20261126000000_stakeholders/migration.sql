-- What a stakeholder team may see holds below every statement: its calls run under a role of their own, and only for
-- that role the tables of knowledge have further policies. Everybody else's plans stay as they are.
do $$
begin
  if not exists (select from pg_roles where rolname = 'signalbox_scoped') then
    create role signalbox_scoped nologin;
  end if;
exception when duplicate_object or unique_violation then
  -- Another database of this server was faster.
  null;
end $$;
-- Without inheriting: the policies must not hold the application's own role.
grant signalbox_scoped to signalbox_app with inherit false, set true;
grant usage on schema public to signalbox_scoped;
grant select, insert, update, delete on all tables in schema public to signalbox_scoped;
grant usage on all sequences in schema public to signalbox_scoped;
alter default privileges in schema public grant select, insert, update, delete on tables to signalbox_scoped;
alter default privileges in schema public grant usage on sequences to signalbox_scoped;
revoke update, delete on ledger_events from signalbox_scoped;
revoke update, delete on ledger_seals from signalbox_scoped;

-- Of a setting with several values; empty: no bounds. Not set at all: nothing is within.
create function within_scope(setting text, value text) returns boolean
  language sql stable parallel safe
  return current_setting(setting, true) = '' or coalesce(value, '') = any (string_to_array(current_setting(setting, true), chr(31)));

create function old_enough(at timestamptz) returns boolean
  language sql stable parallel safe
  return at <= now() - current_setting('app.min_age', true)::interval;

create policy scope on entities as restrictive to signalbox_scoped
  using (within_scope('app.types', type) and within_scope('app.areas', lower(area)) and old_enough(created_at));

create policy scope on entity_mentions as restrictive to signalbox_scoped
  using (old_enough(created_at) and exists (select from entities e where e.tenant_id = entity_mentions.tenant_id and e.id = entity_mentions.entity_id));

do $$
declare
  t text;
begin
  foreach t in array array['entity_aliases', 'entity_links', 'entity_history'] loop
    execute format(
      'create policy scope on %1$I as restrictive to signalbox_scoped using
         (exists (select from entities e where e.tenant_id = %1$I.tenant_id and e.id = %1$I.entity_id))', t);
  end loop;
end $$;

create policy scope on entity_relations as restrictive to signalbox_scoped
  using (exists (select from entities e where e.tenant_id = entity_relations.tenant_id and e.id = entity_relations.source_id)
    and exists (select from entities e where e.tenant_id = entity_relations.tenant_id and e.id = entity_relations.target_id));

create policy scope on graph_facts as restrictive to signalbox_scoped
  using (old_enough(recorded_from)
    and exists (select from entities e where e.tenant_id = graph_facts.tenant_id and e.id = graph_facts.subject_id)
    and (object_id is null or exists (select from entities e where e.tenant_id = graph_facts.tenant_id and e.id = graph_facts.object_id)));

-- Without bounds of area and type a document shows by its age alone; else some entity within them must be in it.
create policy scope on documents as restrictive to signalbox_scoped
  using (old_enough(created_at)
    and ((current_setting('app.areas', true) = '' and current_setting('app.types', true) = '')
      or exists (select from entity_mentions m where m.tenant_id = documents.tenant_id and m.document_id = documents.id)));

create policy scope on chunks as restrictive to signalbox_scoped
  using (exists (select from documents d where d.tenant_id = chunks.tenant_id and d.id = chunks.document_id)
    and ((current_setting('app.areas', true) = '' and current_setting('app.types', true) = '')
      or exists (select from entity_mentions m where m.tenant_id = chunks.tenant_id and m.chunk_id = chunks.id)));

create policy scope on postings as restrictive to signalbox_scoped
  using (exists (select from chunks c where c.tenant_id = postings.tenant_id and c.id = postings.chunk_id));

create policy scope on knowledge_sources as restrictive to signalbox_scoped
  using (exists (select from documents d where d.tenant_id = knowledge_sources.tenant_id and d.id = knowledge_sources.document_id));
