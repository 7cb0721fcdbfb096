-- What a tenant may spend on the language model in a day; no row: as configured.
create table language_budgets (
  tenant_id text primary key,
  -- Null: no limit.
  tokens_per_day bigint check (tokens_per_day >= 0),
  usd_per_day numeric(14, 6) check (usd_per_day >= 0),
  updated_by text not null,
  updated_at timestamptz not null default now()
);

-- What a day's budget is measured by, calls under way included as they were estimated: a call whose end is never
-- learnt stays spent.
create table language_days (
  tenant_id text not null,
  -- UTC
  day date not null,
  tokens bigint not null default 0,
  cost_usd numeric(14, 6) not null default 0,
  primary key (tenant_id, day)
);

-- What ended calls have used.
create table language_usage (
  tenant_id text not null,
  day date not null,
  purpose text not null,
  model text not null,
  calls integer not null default 0,
  failed integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- Of calls whose price was configured.
  cost_usd numeric(14, 6) not null default 0,
  primary key (tenant_id, day, purpose, model)
);

do $$
declare
  t text;
begin
  foreach t in array array['language_budgets', 'language_days', 'language_usage'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (tenant_id = current_setting(''app.tenant'', true)) with check (tenant_id = current_setting(''app.tenant'', true))', t);
  end loop;
end $$;
