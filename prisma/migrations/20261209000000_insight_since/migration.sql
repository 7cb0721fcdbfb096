-- Questions since a day count what was told of not before it: from the indexes alone.
drop index insight_counts_last;
create index insight_counts_last on insight_counts (tenant_id, kind, last_day) include (signals, severity, customers) where grain = 'a';
drop index insight_counts_row;
create index insight_counts_row on insight_counts (tenant_id, kind, row_id, last_day) where grain = 'a';
create index insight_triples_pair on insight_triples (tenant_id, row_id, column_id, last_day);
