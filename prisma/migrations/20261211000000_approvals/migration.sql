-- Rotated keys are one line: what the first of them began belongs to all of them.
alter table api_keys add column line text;
with recursive lines as (
  select tenant_id, id, id as first from api_keys where replaces is null
  union all
  select k.tenant_id, k.id, l.first from api_keys k join lines l on k.tenant_id = l.tenant_id and k.replaces = l.id
)
update api_keys k set line = l.first from lines l where k.tenant_id = l.tenant_id and k.id = l.id and k.replaces is not null;

alter table approvals add column line text;
-- Kept sealed from now on, as the arguments are; what was kept before stays readable until it is removed.
alter table approvals alter column answer type text using answer::text;

-- An owner that is no superuser is held by the policies, and is to see these rows whole.
alter table approvals no force row level security;
alter table work_sessions no force row level security;
alter table idempotency_records no force row level security;
update approvals a set line = coalesce((select k.line from api_keys k where k.tenant_id = a.tenant_id and k.id = a.key_id), a.key_id);
update work_sessions s set key_id = k.line from api_keys k where k.tenant_id = s.tenant_id and k.id = s.key_id and k.line is not null;
update idempotency_records r set key_id = k.line from api_keys k
  where k.tenant_id = r.tenant_id and k.id = r.key_id and k.line is not null
    -- Two keys of a line that used one name: each record stays with its key.
    and not exists (select from idempotency_records o join api_keys b on b.tenant_id = o.tenant_id and b.id = o.key_id
      where o.tenant_id = r.tenant_id and o.tool = r.tool and o.key = r.key and o.key_id <> r.key_id and coalesce(b.line, b.id) = k.line);
alter table approvals force row level security;
alter table work_sessions force row level security;
alter table idempotency_records force row level security;
alter table approvals alter column line set not null;

-- A name may be used again a day after its call is over: several approvals then stand under it.
drop index approvals_call;
create index approvals_call on approvals (tenant_id, line, tool, call_key, created_at desc);
create index approvals_over on approvals (tenant_id, finished_at) where finished_at is not null;
