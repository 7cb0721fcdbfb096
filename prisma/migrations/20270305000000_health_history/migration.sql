-- How each part of the platform was, over time. Of the whole installation: it has no tenant.
create table health_spans (
  part text not null,
  status text not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (part, since)
);
revoke all on health_spans from public, signalbox_app, signalbox_scoped;
grant select, insert, update, delete on health_spans to signalbox_app;
