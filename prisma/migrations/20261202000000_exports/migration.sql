-- Files of records, kept for a day. The bytes stand in the blob store; only the link leads there.
create table exports (
  tenant_id text not null,
  id text not null,
  job_id text not null,
  kind text not null,
  format text not null check (format in ('json', 'csv', 'jsonl')),
  sha256 text not null,
  size bigint not null,
  filename text not null,
  media_type text not null,
  row_counts jsonb not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant_id, id)
);
create index exports_expiry on exports (tenant_id, expires_at);
create index exports_blob on exports (tenant_id, sha256);

alter table exports enable row level security;
alter table exports force row level security;
create policy tenant on exports using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));

-- A file holds what its team's scope would hide.
create policy scope on exports as restrictive to signalbox_scoped using (false);
