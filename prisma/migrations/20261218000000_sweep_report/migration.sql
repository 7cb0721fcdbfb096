-- What the last sweep did, for the metrics of every process: the worker that ran it serves none. Counts only, as it is of all tenants.
create table sweep_reports (
  name text primary key,
  at timestamptz not null default now(),
  started integer not null,
  lost integer not null,
  expired integer not null,
  skipped integer not null
);
-- The worker writes it, each process shows it; no stakeholder team has to do with it.
revoke all on sweep_reports from public, signalbox_app, signalbox_scoped;
grant select, insert, update on sweep_reports to signalbox_app;
