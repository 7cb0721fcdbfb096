-- What several apis must agree on: the calls of a key in its minute, its open streams, and messages for the api that
-- holds a session.

-- Each api leases calls from here before it needs them (docs/decisions/0048-limits-over-apis.md). Unlogged: after a crash
-- of the database every minute begins anew.
create unlogged table rate_windows (
  tenant_id text not null,
  -- A key, or a session of the console.
  holder text not null,
  began_at timestamptz not null,
  -- Calls leased in this minute by all apis, and those of the last lease.
  granted bigint not null,
  leased bigint not null,
  primary key (tenant_id, holder)
) with (fillfactor = 50);
alter table rate_windows enable row level security;
alter table rate_windows force row level security;
create policy tenant on rate_windows
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on rate_windows as restrictive to signalbox_scoped using (false);

-- `process` is the name of the api's sessions in pg_stat_activity: when it is missing there, the stream has ended.
create table open_streams (
  tenant_id text not null,
  id text not null,
  kind text not null check (kind in ('events', 'sse', 'a2a')),
  holder text not null,
  process text not null,
  opened_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index open_streams_holder on open_streams (tenant_id, kind, holder);
alter table open_streams enable row level security;
alter table open_streams force row level security;
create policy tenant on open_streams
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on open_streams as restrictive to signalbox_scoped using (false);

-- Messages of a client that reached another api than the one that holds its call or its stream. Deleted when they were
-- taken, and after a few minutes.
create unlogged table mcp_messages (
  tenant_id text not null,
  id text not null,
  -- An MCP session, or a stream of the old transport.
  session_id text not null,
  body jsonb not null,
  sent_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index mcp_messages_session on mcp_messages (tenant_id, session_id);
alter table mcp_messages enable row level security;
alter table mcp_messages force row level security;
create policy tenant on mcp_messages
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on mcp_messages as restrictive to signalbox_scoped using (false);
