-- What the last sweep did, for the metrics of every process: the worker that ran it serves none. Counts only, as it is of all tenants.
create table sweep_reports (
  name text primary key,
  at timestamptz not null default now(),
  started integer not null,
  lost integer not null,
  expired integer not null,
  skipped integer not null
);
