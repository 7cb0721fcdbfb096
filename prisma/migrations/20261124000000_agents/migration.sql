-- Agents: who they are, whether they are there, what they say to each other and hand to each other.

-- The platform's own agent lives here: every tenant sees it, none may write it.
insert into tenants (id) values ('system') on conflict do nothing;

create table agents (
  tenant_id text not null,
  id text not null,
  -- managed: versioned and watched by people; worker: takes tasks; peer: reached by its endpoint
  kind text not null check (kind in ('managed', 'worker', 'peer')),
  agent_type text not null,
  name text not null,
  description text not null default '',
  -- How a peer is spoken to. signalbox: POST {endpoint}/a2a/tasks; a2a: the standard, as its card says; local: this platform itself.
  protocol text check (protocol in ('signalbox', 'a2a', 'local')),
  endpoint_url text,
  card_url text,
  card jsonb,
  -- Header that a peer wants from us, sealed.
  credential text,
  -- What its registrant calls it: registered again under the same key, it is the same agent.
  stable_key text,
  -- Administration and health are two things: a paused agent may be healthy.
  admin_status text not null default 'active' check (admin_status in ('active', 'paused')),
  status_reason text,
  -- none: nobody has promised to report; its presence is not watched.
  health text not null default 'none' check (health in ('none', 'healthy', 'unhealthy', 'offline')),
  health_since timestamptz not null default now(),
  last_heartbeat timestamptz,
  coherence_score real check (coherence_score between 0 and 1),
  activity text,
  version integer not null default 1,
  slos jsonb not null default '{}',
  metadata jsonb not null default '{}',
  registered_by text not null,
  key_id text not null,
  registered_at timestamptz not null default now(),
  -- Of the process: raised with every change that it writes.
  rev integer not null default 0,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index agents_stable on agents (tenant_id, stable_key) where stable_key is not null and removed_at is null;
create index agents_listed on agents (tenant_id, kind, registered_at, id) where removed_at is null;

-- What a peer says it can do.
create table agent_capabilities (
  tenant_id text not null,
  agent_id text not null,
  name text not null,
  description text not null default '',
  parameters_schema jsonb not null default '{}',
  returns_schema jsonb not null default '{}',
  estimated_duration_ms integer,
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, agent_id, name),
  foreign key (tenant_id, agent_id) references agents (tenant_id, id) on delete cascade
);
create index agent_capabilities_name on agent_capabilities (tenant_id, name);

create table agent_versions (
  tenant_id text not null,
  agent_id text not null,
  version integer not null,
  definition jsonb not null default '{}',
  note text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, agent_id, version),
  foreign key (tenant_id, agent_id) references agents (tenant_id, id) on delete cascade
);

-- Who did what to an agent and why: paused, activated, rolled back, its health.
create table agent_history (
  tenant_id text not null,
  id bigint generated always as identity,
  agent_id text not null,
  event text not null,
  detail jsonb not null default '{}',
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index agent_history_agent on agent_history (tenant_id, agent_id, id);

-- What agents report to have used, by day.
create table agent_usage (
  tenant_id text not null,
  agent_id text not null,
  day date not null,
  calls integer not null default 0,
  tokens bigint not null default 0,
  cost_usd numeric(14, 6) not null default 0,
  primary key (tenant_id, agent_id, day)
);

-- What an agent produced and a person is to judge. Its process is a review of the same id.
create table agent_outputs (
  tenant_id text not null,
  id text not null,
  agent_id text not null,
  agent_version integer not null,
  kind text not null,
  title text not null,
  content text not null,
  artifact_ref text,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'corrected', 'rejected')),
  correction text,
  notes text,
  decided_by text,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index agent_outputs_open on agent_outputs (tenant_id, status, created_at, id);
create index agent_outputs_agent on agent_outputs (tenant_id, agent_id, created_at desc);

create table agent_messages (
  tenant_id text not null,
  seq bigint generated always as identity,
  id text not null,
  recipient text not null,
  sender text not null,
  body text not null,
  data jsonb,
  reply_to text,
  delivered_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index agent_messages_inbox on agent_messages (tenant_id, recipient, seq);
create index agent_messages_unread on agent_messages (tenant_id, recipient, seq) where acknowledged_at is null;

-- Tasks handed to a peer (sent) and by a peer to this platform (received); the id is the sender's in both.
create table delegated_tasks (
  tenant_id text not null,
  direction text not null check (direction in ('sent', 'received')),
  id text not null,
  source_agent text not null,
  target_agent text not null,
  capability text not null,
  parameters jsonb not null default '{}',
  priority smallint not null default 5 check (priority between 1 and 10),
  timeout_seconds integer not null check (timeout_seconds between 1 and 3600),
  correlation_id text not null,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'running', 'completed', 'failed', 'cancelled')),
  -- {done?, total?, message?}
  progress jsonb,
  result jsonb,
  -- {code, message}
  error jsonb,
  execution_time_ms integer,
  session_id text,
  -- Whom to tell when it is over, and the token to show there, sealed.
  callback_url text,
  callback_token text,
  -- SHA-256 of the token with which the target reports.
  report_token bytea,
  -- What the target calls it, where that is another name: an A2A task.
  remote_id text,
  remote_context text,
  -- The kanban task that it became.
  work_task_id text,
  created_by text not null,
  key_id text not null,
  deadline timestamptz not null,
  sent_at timestamptz,
  completed_at timestamptz,
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, direction, id)
);
create index delegated_tasks_recent on delegated_tasks (tenant_id, created_at desc, id);
create index delegated_tasks_open on delegated_tasks (tenant_id, direction, target_agent) where completed_at is null;
create index delegated_tasks_over on delegated_tasks (tenant_id, completed_at) where completed_at is not null;

-- Conversations of peers: typed messages, and references to the tasks they are about.
create table a2a_sessions (
  tenant_id text not null,
  id text not null,
  participants text[] not null,
  task_references text[] not null default '{}',
  created_by text not null,
  last_active_at timestamptz not null default now(),
  expires_at timestamptz not null,
  closed_at timestamptz,
  closed_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index a2a_sessions_open on a2a_sessions (tenant_id, last_active_at) where closed_at is null;

create table a2a_session_messages (
  tenant_id text not null,
  session_id text not null,
  seq bigint generated always as identity,
  id text not null,
  type text not null check (type in ('capability_query', 'capability_response', 'task_request', 'task_progress', 'task_result', 'heartbeat', 'error')),
  sender text not null,
  recipient text,
  body jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, session_id, id),
  foreign key (tenant_id, session_id) references a2a_sessions (tenant_id, id) on delete cascade
);
create index a2a_session_messages_order on a2a_session_messages (tenant_id, session_id, seq);

-- Tasks of the A2A protocol that this platform works on. Messages and artifacts are kept in the protocol's own JSON, 1.0.
create table a2a_tasks (
  tenant_id text not null,
  id text not null,
  context_id text not null,
  -- Whose task it is: other agents of the tenant do not see it.
  key_id text not null,
  principal text not null,
  state text not null check (state in ('submitted', 'working', 'input_required', 'auth_required', 'completed', 'failed', 'canceled', 'rejected')),
  skill text,
  tool text,
  status_message jsonb,
  status_at timestamptz not null default now(),
  artifacts jsonb not null default '[]',
  history jsonb not null default '[]',
  metadata jsonb,
  -- Answered by a message instead of a task.
  answer jsonb,
  -- The last event's number.
  seq integer not null default 0,
  work_task_id text,
  rev integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index a2a_tasks_recent on a2a_tasks (tenant_id, key_id, status_at desc, id);
create index a2a_tasks_context on a2a_tasks (tenant_id, context_id);

-- What its streams and callbacks tell, in order.
create table a2a_events (
  tenant_id text not null,
  task_id text not null,
  seq integer not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, task_id, seq),
  foreign key (tenant_id, task_id) references a2a_tasks (tenant_id, id) on delete cascade
);

create table a2a_push_configs (
  tenant_id text not null,
  task_id text not null,
  id text not null,
  url text not null,
  -- The client's token and credentials, sealed.
  token text,
  auth_scheme text,
  auth_credentials text,
  -- Of the protocol that its registrant speaks: decides how events are written to it.
  protocol_version text not null,
  sent_seq integer not null default 0,
  failures integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, task_id, id),
  foreign key (tenant_id, task_id) references a2a_tasks (tenant_id, id) on delete cascade
);

-- A process that wants to know what becomes of a task: its workflow's id.
alter table work_tasks add column watcher text;

-- The latest action of each agent.
create index ledger_events_principal on ledger_events (tenant_id, principal, at desc);

do $$
declare
  t text;
begin
  foreach t in array array['agents', 'agent_capabilities', 'agent_versions', 'agent_history', 'agent_usage', 'agent_outputs',
    'agent_messages', 'delegated_tasks', 'a2a_sessions', 'a2a_session_messages', 'a2a_tasks', 'a2a_events', 'a2a_push_configs'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
  foreach t in array array['agents', 'agent_capabilities'] loop
    execute format('create policy platform on %I for select using (tenant_id = ''system'')', t);
  end loop;
end $$;
