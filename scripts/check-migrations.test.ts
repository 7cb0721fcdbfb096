import { expect, it } from 'vitest';
import { findingsOf } from './check-migrations.ts';

const problems = (sql: string): string[] => findingsOf(sql).map(({ problem }) => problem.split(/[:.]/)[0]!);

it.each([
  ['create index a on work_tasks (x);', 'creates an index on an existing table'],
  ['create unique index if not exists a on public.work_tasks (x) where y;', 'creates an index on an existing table'],
  ['create index concurrently a on work_tasks (x);', 'creates an index concurrently inside a transaction'],
  [
    '-- without transaction\ncreate index concurrently if not exists a on jobs (x);',
    'takes an index for built that an interrupted attempt left invalid',
  ],
  ['alter table jobs alter column spec type text;', 'changes a type'],
  ['alter table jobs alter spec set data type text using spec::text;', 'changes a type'],
  ['alter table jobs add column a uuid not null default gen_random_uuid();', 'adds a column whose default differs by row'],
  ['alter table jobs add column a text, add column b bigserial;', 'adds a serial column'],
  ['alter table jobs add column a text generated always as (title) stored;', 'adds a generated column'],
  ['alter table jobs add column a text not null;', 'adds a column that is not null without a default'],
  ['alter table jobs alter column spec set not null;', 'sets not null'],
  ['alter table jobs add constraint a foreign key (tenant_id) references tenants (id);', 'adds a foreign key at once'],
  ['alter table jobs add column a text references tenants (id);', 'adds a foreign key at once'],
  [`alter table jobs add constraint a check (status in ('x', 'y'));`, 'adds a check at once'],
  ['alter table jobs add primary key (id);', 'builds an index under an exclusive lock'],
  ["update jobs set status = 'x; y';", 'changes rows of an existing table'],
  ['with a as (delete from jobs returning 1) select 1;', 'changes rows of an existing table'],
  ['lock table jobs;', 'locks the whole table while it works'],
  ["do $$ begin execute format('create index %I on %I (x)', 'a', 'jobs'); end $$;", 'creates an index on an existing table'],
  ['-- without transaction\nalter table jobs add column a text;', 'is in a file without a transaction'],
])('refuses %s', (sql, problem) => {
  expect(problems(sql)).toEqual([problem]);
});

it.each([
  'create table a (id text primary key, b text references tenants (id)); create index b on a (id); alter table a add unique (b); update a set b = null;',
  'alter table jobs add column a text;',
  "alter table jobs add column a text not null default '', add column b timestamptz not null default now();",
  'alter table jobs add constraint a foreign key (tenant_id) references tenants (id) not valid;',
  "alter table jobs add constraint a check (status in ('x', 'y')) not valid;",
  'alter table jobs validate constraint a; alter table jobs alter column spec set not null;',
  'alter table jobs add constraint a unique using index b;',
  '-- without transaction\ndrop index concurrently if exists a;\ncreate index concurrently a on jobs (x);',
  '-- locks: the table has one row per tenant\ncreate index a on tenants (x);',
  "-- create index a on jobs (x);\nselect 'update jobs set x = 1; lock table jobs';",
  'create function a() returns trigger language plpgsql as $$ begin update jobs set x = 1; return new; end $$;',
  "do $$ begin execute format('alter table %I enable row level security', 'jobs'); end $$;",
  'alter table jobs enable row level security; create policy a on jobs using (true); grant select on jobs to signalbox_app;',
])('takes %s', (sql) => {
  expect(findingsOf(sql)).toEqual([]);
});

it('wants a reason, not the bare word', () => {
  expect(problems('-- locks:\ncreate index a on jobs (x);')).toHaveLength(1);
});
