-- What is counted of signals, kept with every change of them (services/insight/counting.ts), so that an answer reads as
-- much with a million signals as with some. Everything here can be counted again from signals and signal_entities.

create table insight_counts (
  tenant_id text not null,
  -- '*': all signals. A type: of one entity. 'issue/feature' and the like: of signals about both.
  kind text not null,
  row_id text not null,
  column_id text not null,
  -- d: a day (UTC), m: a month, a: all time
  grain text not null check (grain in ('d', 'm', 'a')),
  -- Its first day; of all time 0001-01-01.
  day date not null,
  signals integer not null,
  -- Sum of severities, 0 to 4 each.
  severity bigint not null,
  -- Sum of sentiments, in thousandths.
  sentiment bigint not null,
  request integer not null,
  bug integer not null,
  complaint integer not null,
  praise integer not null,
  question integer not null,
  churn_risk integer not null,
  information integer not null,
  -- Of all time alone: different customers in its signals, and the day of the last signal.
  customers integer not null default 0,
  last_day date,
  primary key (tenant_id, kind, row_id, column_id, grain, day)
);
create index insight_counts_day on insight_counts (tenant_id, kind, grain, day) include (row_id, column_id, signals, severity);
create index insight_counts_row on insight_counts (tenant_id, kind, row_id) where grain = 'a';
create index insight_counts_column on insight_counts (tenant_id, kind, column_id) where grain = 'a' and column_id <> '';
-- The biggest of each kind, by each metric.
create index insight_counts_signals on insight_counts (tenant_id, kind, signals desc, row_id, column_id) where grain = 'a';
create index insight_counts_severity on insight_counts (tenant_id, kind, severity desc, row_id, column_id) where grain = 'a';
create index insight_counts_customers on insight_counts (tenant_id, kind, customers desc, row_id, column_id) where grain = 'a';
create index insight_counts_last on insight_counts (tenant_id, kind, last_day) where grain = 'a';

-- Whose signals tell of an issue with a feature: for the number of customers since a day.
create table insight_triples (
  tenant_id text not null,
  row_id text not null,
  column_id text not null,
  customer_id text not null,
  signals integer not null,
  last_day date not null,
  primary key (tenant_id, row_id, column_id, customer_id)
);
create index insight_triples_last on insight_triples (tenant_id, last_day) include (row_id, column_id);

do $$
declare
  t text;
begin
  foreach t in array array['insight_counts', 'insight_triples'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
    -- A count mixes what a stakeholder team may see with what it may not: for teams it is counted from their signals.
    execute format('create policy scope on %I as restrictive to signalbox_scoped using (false)', t);
  end loop;
end $$;
