/** Limits also hold for concurrent writers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
}, 120_000);
afterAll(async () => await stack?.stop());

const sql = <T extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  asTenant(ann.tenant, () => stack.db.query<T>(text, values));
const count = async (table: string): Promise<number> =>
  (await sql<{ n: number }>(`select count(*)::int as n from ${table} where tenant_id = $1`, [ann.tenant]))[0]!.n;
const series = (most: number): string => `generate_series(1, ${most - 1}) as n`;
const atOnce = 8;

/** Lets all of them count before one writes: the table is locked until then. */
async function together<T>(table: string, one: (n: number) => Promise<T>): Promise<T[]> {
  let running: Promise<T>[] = [];
  await asTenant(ann.tenant, () =>
    stack.db.transaction(async (query) => {
      await query(`lock table ${table} in share row exclusive mode`);
      running = Array.from({ length: atOnce }, (_, n) => one(n));
      await eventually('all of them waiting', async () => {
        // Within the transaction the view would stay as it was at first.
        const [row] = await stack.db.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return row!.n >= atOnce;
      });
    }),
  );
  return await Promise.all(running);
}

it.each([
  {
    table: 'external_servers',
    most: 200,
    fill: `insert into external_servers (tenant_id, name, transport, target, created_by) select $1, 's' || n, 'http', '{"url":"https://a.example"}', 'x' from`,
    one: (n: number) => stack.call(ann, 'external.server.add', { name: `more${n}`, url: 'https://mcp.example/mcp', enabled: false }),
  },
  {
    table: 'event_subscriptions',
    most: 200,
    fill: `insert into event_subscriptions (tenant_id, id, target, url, secret, seq, created_by) select $1, 's' || n, 'webhook', 'x', 'x', 0, 'x' from`,
    one: (n: number) => stack.call(ann, 'event.subscription.save', { target: 'webhook', url: `https://hook.example/${n}` }),
  },
  {
    table: 'report_schedules',
    most: 200,
    fill: `insert into report_schedules (tenant_id, id, name, report, timing, timezone, recipients, status, created_by) select $1, 's' || n, 'old ' || n, '{}', '{}', 'UTC', 'x', 'paused', 'x' from`,
    one: (n: number) =>
      stack.call(ann, 'authoring.schedule.save', {
        name: `more ${n}`,
        report_type: 'weekly_digest',
        every: 'week',
        weekday: 'monday',
        at: '08:00',
        timezone: 'UTC',
        recipients: [{ channel: 'webhook', recipient: 'https://hook.example' }],
        paused: true,
      }),
  },
  {
    table: 'feed_sources',
    most: 2_000,
    fill: `insert into feed_sources (tenant_id, feed_id, kind, url, created_by) select $1, 's' || n, 'rss', 'https://a.example', 'x' from`,
    one: (n: number) => stack.call(ann, 'feed.source.save', { feed_id: `more${n}`, url: 'https://news.example/feed' }),
  },
])('$table: of many who take the last place one gets it', async ({ table, most, fill, one }) => {
  await sql(`${fill} ${series(most)}`, [ann.tenant]);
  const answers = await together(table, one);
  expect(await count(table)).toBe(most);
  const refused = answers.filter(({ error }) => error).map(({ error }) => error!.message);
  expect(refused).toHaveLength(atOnce - 1);
  for (const message of refused) expect(message).toMatch(/at most/);
});

it('callbacks of a task, too', async () => {
  await sql(
    `insert into a2a_tasks (tenant_id, id, context_id, key_id, line, principal, state) values ($1, 'task', 'c', 'k', 'k', 'ann', 'working')`,
    [ann.tenant],
  );
  await sql(
    `insert into a2a_push_configs (tenant_id, task_id, id, url, protocol_version) select $1, 'task', 's' || n, 'https://a.example', '1.0' from ${series(10)}`,
    [ann.tenant],
  );
  const { push } = stack.services.a2a;
  const made = await together('a2a_push_configs', () =>
    asTenant(ann.tenant, async () =>
      stack.db.transaction((query) => push.write(query, ann.tenant, 'task', { url: 'https://b.example' }, '1.0', 0)),
    ).then(
      () => 'made',
      () => 'refused',
    ),
  );
  expect(made.filter((each) => each === 'made')).toHaveLength(1);
  expect(await count('a2a_push_configs')).toBe(10);
});
