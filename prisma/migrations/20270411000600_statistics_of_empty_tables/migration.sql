-- A former migration analysed these tables, also while they were empty. Sessions that begin then check references to them
-- by reading the whole table, and keep that plan while it grows. Without statistics they use the index, as for any new table.
do $$
declare
  name text;
begin
  -- Since Postgres 18. Before, the first analysis by autovacuum mends it, within a minute.
  if to_regprocedure('pg_clear_relation_stats(text, text)') is null then
    return;
  end if;
  foreach name in array array['chunks', 'signals', 'opportunity_anchors'] loop
    if pg_relation_size(name::regclass) = 0 then
      execute format('select pg_clear_relation_stats(%L, %L)', current_schema(), name);
    end if;
  end loop;
end
$$;
