-- What of the outbox is told to those outside, in which order, and who wants to be told.

-- contracts/outbound/events.ts has the same list; a test compares them. What is not on it only projections follow.
create function is_event(type text) returns boolean
  language sql immutable parallel safe
  return type = any (array[
    'signal.ingested', 'signal.corrected', 'issue.flagged', 'issue.trend_changed', 'entity.review_requested', 'entity.merged',
    'entity.split', 'opportunity.created', 'opportunity.status_changed', 'report.generated', 'brief.generated',
    'agent.output_pending_review', 'agent.status_changed', 'agent.message_sent', 'approval.requested', 'ingestion.completed',
    'ingestion.failed', 'dlq.item_added', 'subscription.paused']);

-- The place among the tenant's events, given once the event has been committed (number_events below). Neither xid nor
-- id says in which order things happened: a transaction may begin early and change a subject late. What was committed
-- before another change of the same subject was made has the lower id and is seen first, and so has the lower place.
alter table outbox add column seq bigint;
create unique index outbox_seq on outbox (tenant_id, seq) where seq is not null;
create index outbox_unnumbered on outbox (tenant_id, id) where seq is null and is_event(type);

-- The last place given, and by what its holder knows it again.
create table event_heads (
  tenant_id text primary key,
  seq bigint not null,
  mark text not null,
  updated_at timestamptz not null default now()
);

-- By which a place is known again: equal only for the same row of the same database.
create function event_mark(tenant text, id bigint, at timestamptz) returns text
  language sql stable parallel safe
  return left(md5(tenant || '/' || id || '/' || extract(epoch from at)), 12);

-- Gives committed events their places. One at a time per tenant: whoever waited sees what the one before has committed.
create function number_events(tenant text) returns void
  language plpgsql
  as $$
begin
  if not exists (select from outbox o where o.tenant_id = tenant and o.seq is null and is_event(o.type)) then return; end if;
  insert into event_heads (tenant_id, seq, mark) values (tenant, 0, left(md5(tenant), 12)) on conflict do nothing;
  perform from event_heads h where h.tenant_id = tenant for update;
  with places as (
    select o.id, h.seq + row_number() over (order by o.id) as seq from outbox o join event_heads h on h.tenant_id = o.tenant_id
    where o.tenant_id = tenant and o.seq is null and is_event(o.type)
  ), numbered as (
    update outbox o set seq = p.seq from places p where o.tenant_id = tenant and o.id = p.id returning o.seq, o.id, o.created_at
  )
  update event_heads h set seq = n.seq, mark = event_mark(tenant, n.id, n.created_at), updated_at = now()
  from (select * from numbered order by seq desc limit 1) n where h.tenant_id = tenant;
end $$;

-- Until when somebody in some process follows a tenant's events.
create table event_followers (
  tenant_id text primary key,
  until timestamptz not null
);

-- Said again and again while somebody follows; writes once in half a minute.
create function follow_events(tenant text) returns void
  language sql
  as $$
    insert into event_followers (tenant_id, until)
    select tenant, now() + interval '60 seconds'
    where not exists (select from event_followers f where f.tenant_id = tenant and f.until > now() + interval '30 seconds')
    on conflict (tenant_id) do update set until = excluded.until
  $$;

-- Dead letters come about in five places; each of them is an event in the transaction that makes it.
create function note_dead_letter() returns trigger
  language plpgsql
  as $$
begin
  if tg_op = 'UPDATE' and old.status in ('parked', 'refused') then return null; end if;
  insert into outbox (tenant_id, type, subject, data) values (new.tenant_id, 'dlq.item_added', new.id, jsonb_build_object(
    'job_id', new.job_id, 'source_id', new.source_id, 'stage', new.stage, 'step', new.step, 'status', new.status,
    'error_code', new.error_code, 'attempts', new.attempts));
  return null;
end $$;
create trigger note_dead_letter after insert or update of status on dlq_items for each row
  when (new.status in ('parked', 'refused')) execute function note_dead_letter();

-- The end of what takes contents in: single ones and runs.
create function note_ingestion_end() returns trigger
  language plpgsql
  as $$
begin
  insert into outbox (tenant_id, type, subject, data) values (new.tenant_id, 'ingestion.' || new.status, new.id, jsonb_strip_nulls(jsonb_build_object(
    'job_kind', new.kind, 'source_id', new.spec->>'source_id', 'document_id', new.result->>'document_id',
    'counts', new.result->'counts', 'error_code', new.error->>'code')));
  return null;
end $$;
create trigger note_ingestion_end after update of status on jobs for each row
  when (new.status <> old.status and new.status in ('completed', 'failed') and new.kind in ('ingest', 'ingest_run'))
  execute function note_ingestion_end();

-- Who is told, and how far it has been told. -----------------------------------------------------

create table event_subscriptions (
  tenant_id text not null,
  id text not null,
  target text not null check (target in ('webhook', 'notification')),
  -- Of a webhook.
  url text,
  secret text,
  -- Of a notification.
  channel text,
  recipient text,
  -- Empty: all.
  types text[] not null default '{}',
  -- Null: any.
  subject text,
  description text not null default '',
  status text not null default 'active' check (status in ('active', 'paused')),
  paused_reason text,
  -- The last event it has been told or need not be told.
  seq bigint not null,
  -- Of the event after it, while it cannot be delivered.
  attempts integer not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  last_error text,
  last_delivered_at timestamptz,
  delivered bigint not null default 0,
  -- Events given up in a row.
  given_up integer not null default 0,
  -- Events that were pruned before it could be told.
  missed bigint not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);

-- Events that a subscription could not be told, for a person to decide.
create table event_deliveries (
  tenant_id text not null,
  id text not null,
  subscription_id text not null,
  event_id text not null,
  type text not null,
  event jsonb not null,
  status text not null check (status in ('dead', 'retrying', 'delivered')),
  attempts integer not null,
  last_error text,
  first_failed_at timestamptz not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, subscription_id, event_id),
  foreign key (tenant_id, subscription_id) references event_subscriptions (tenant_id, id) on delete cascade
);
create index event_deliveries_listed on event_deliveries (tenant_id, subscription_id, updated_at desc, id);

-- As get_trends last said of each issue; what it says now is held against it.
create table issue_trends (
  tenant_id text not null,
  entity_id text not null,
  direction text not null,
  checked_at timestamptz not null default now(),
  primary key (tenant_id, entity_id)
);

-- Wakes those who follow, in all processes; several events of one transaction are one notice. Commits that notify wait
-- for each other, each for the other's write to the disk (16 writers at once commit a third as much): only where
-- somebody follows. Who begins to follow just then looks by itself within a second.
create function tell_events() returns trigger
  language plpgsql
  as $$
declare
  tenant text;
begin
  for tenant in select distinct tenant_id from added where is_event(type) loop
    if exists (select from event_followers f where f.tenant_id = tenant and f.until > now())
      or exists (select from event_subscriptions s where s.tenant_id = tenant and s.status = 'active') then
      perform pg_notify('signalbox', 'events/' || tenant);
    end if;
  end loop;
  return null;
end $$;
create trigger tell_events after insert on outbox referencing new table as added for each statement execute function tell_events();

do $$
declare
  t text;
begin
  foreach t in array array['event_heads', 'event_followers', 'event_subscriptions', 'event_deliveries', 'issue_trends'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
    -- Events tell of everything; a team's scope would hide most of it.
    execute format('create policy scope on %I as restrictive to signalbox_scoped using (false)', t);
  end loop;
end $$;

-- Who delivers must know for whom before it acts for anybody. It learns the ids of tenants and nothing else.
alter table event_subscriptions no force row level security;
create function subscribed_tenants() returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$ select distinct tenant_id from event_subscriptions where status = 'active' $$;
revoke all on function subscribed_tenants() from public;
grant execute on function subscribed_tenants() to signalbox_app;
