-- Sessions of the web console, and one-time codes that become one. The cookie and the code are known as hashes only.
create table console_sessions (
  tenant_id text not null,
  id text not null,
  kind text not null check (kind in ('code', 'session')),
  hash bytea not null unique,
  key_id text not null,
  -- The first key of the key's rotation chain: sessions are counted for it.
  line text not null,
  principal text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ends_at timestamptz not null,
  primary key (tenant_id, id)
);
create index console_sessions_line on console_sessions (tenant_id, line, created_at);
alter table console_sessions enable row level security;
alter table console_sessions force row level security;
create policy tenant on console_sessions
  using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy scope on console_sessions as restrictive to signalbox_scoped using (false);

-- A cookie does not name its tenant. Runs as its owner, to whom the policies do not apply.
alter table console_sessions no force row level security;
create function find_console_session(session_hash bytea) returns setof console_sessions
  language sql stable security definer set search_path = public, pg_temp
  as $$ select * from console_sessions where hash = session_hash and ends_at > now() $$;
revoke all on function find_console_session(bytea) from public;
grant execute on function find_console_session(bytea) to signalbox_app;
