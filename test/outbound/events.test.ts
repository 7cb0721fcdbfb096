/** Followers receive the events of their own tenant only, in order, once each per reader, also across restarts. */
import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { eventTypes, type Event } from '../../contracts/outbound/events.ts';
import { pruneOutbox } from '../../services/kernel/outbox.ts';
import { apiOf } from '../setup/api.ts';
import { openSource, type Source } from '../setup/event-source.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Keyed = Caller & { apiKey: string };
interface Page {
  events: Event[];
  next: string;
}

let stack: TestStack;
let port: number;
let app: ReturnType<typeof apiOf> | null = null;
const sources: Source[] = [];

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false, env: { EVENT_STREAMS_PER_KEY: '40' } });
  port = await freePort();
  await openApi();
});
afterAll(async () => {
  for (const source of sources) source.close();
  await app?.close();
  await stack.stop();
});

async function openApi(): Promise<void> {
  app = apiOf(stack);
  await app.listen({ host: '127.0.0.1', port });
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address() as { port: number };
      server.close(() => resolve(free));
    });
  });

const insert = `insert into outbox (tenant_id, type, subject, data) values ($1, $2, $3, $4)`;

/** As services write events: in the transaction of a change. */
const write = (tenant: string, type: string, subject: string, data: object = {}): Promise<unknown> =>
  asTenant(tenant, () => stack.db.query(insert, [tenant, type, subject, JSON.stringify(data)]));

const url = (query = ''): string => `http://127.0.0.1:${port}/api/agents/v1/events${query}`;

function listen(who: Keyed, query = '', options: { lastId?: string; frozen?: boolean } = {}): Source {
  const source = openSource(url(query), { key: who.apiKey, ...options });
  sources.push(source);
  return source;
}

const told = (source: Source): Event[] => source.heard.map(({ data }) => JSON.parse(data) as Event);
const read = (who: Caller, args: object = {}): Promise<Page> => stack.ok<Page>(who, 'event.stream.subscribe', args);

it('the database and the contract know the same types', async () => {
  const [row] = await stack.db.query<{ prosrc: string; definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc where proname = 'is_event'`,
  );
  const known = [...row!.definition.matchAll(/'([a-z0-9_.]+)'/g)].map((match) => match[1]);
  expect(new Set(known)).toEqual(new Set(eventTypes));
});

describe('order', () => {
  it('is that of the changes of a subject, whichever transaction began first, and nobody is held back by a long one', async () => {
    const who = await stack.caller({ tenant: 'order' });
    const clients = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new pg.Client({ connectionString: stack.databaseUrl });
        await client.connect();
        await client.query(`select set_config('app.tenant', 'order', false)`);
        await client.query('begin');
        // Takes its transaction number before it changes anything.
        await client.query('select pg_current_xact_id()');
        return client;
      }),
    );
    const [early, long, late] = clients as [pg.Client, pg.Client, pg.Client];
    const { next } = await read(who);
    await late.query(insert, ['order', 'issue.flagged', 'ent_1', '{"n":1}']);
    await late.query('commit');
    await early.query(insert, ['order', 'issue.flagged', 'ent_1', '{"n":2}']);
    await early.query('commit');
    const { events } = await read(who, { after: next, wait_seconds: 5 });
    expect(events.map(({ data }) => data['n'])).toEqual([1, 2]);
    await long.query(insert, ['order', 'issue.flagged', 'ent_1', '{"n":3}']);
    await long.query('commit');
    expect((await read(who, { after: events[1]!.id })).events.map(({ data }) => data['n'])).toEqual([3]);
    await Promise.all(clients.map((client) => client.end()));
  });

  it('holds under many writers for many readers', async () => {
    const who = await stack.caller({ tenant: 'many' });
    const { next } = await read(who);
    const source = listen(who);
    await source.ready;
    const subjects = ['a', 'b', 'c', 'd', 'e'];
    const counts = new Map<string, number>();
    const writer = async (seed: number): Promise<void> => {
      for (let i = 0; i < 40; i += 1) {
        const subject = subjects[(seed * 7 + i * 3) % subjects.length]!;
        await asTenant('many', () =>
          stack.db.transaction(async (query) => {
            await query('select pg_current_xact_id()');
            await query('select pg_advisory_xact_lock(hashtext($1))', [`events-test/${subject}`]);
            const n = (counts.get(subject) ?? 0) + 1;
            counts.set(subject, n);
            await query(insert, ['many', 'agent.status_changed', subject, JSON.stringify({ n })]);
          }),
        );
      }
    };
    const paged: Event[] = [];
    let writing = true;
    const reader = (async () => {
      for (let after = next; ;) {
        const over = !writing;
        const page: Page = await read(who, { after, limit: 7 });
        paged.push(...page.events);
        after = page.next;
        if (over && page.events.length === 0) return;
      }
    })();
    await Promise.all(Array.from({ length: 8 }, (_, seed) => writer(seed)));
    writing = false;
    await reader;
    await eventually('the stream has all', async () => source.heard.length >= 320);
    for (const events of [paged, told(source)]) {
      expect(events).toHaveLength(320);
      expect(new Set(events.map(({ id }) => id)).size).toBe(320);
      for (const subject of subjects) {
        const numbers = events.filter((event) => event.subject === subject).map(({ data }) => data['n']);
        expect(numbers).toEqual(Array.from({ length: counts.get(subject)! }, (_, i) => i + 1));
      }
    }
    expect(paged.map(({ id }) => id)).toEqual(paged.map(({ id }) => id).toSorted());
    expect(told(source)).toEqual(paged);
    source.close();
  });
});

describe('places', () => {
  it('belong to one tenant of one database, and say when what came after them is gone', async () => {
    const [here, there] = [await stack.caller({ tenant: 'here' }), await stack.caller({ tenant: 'there' })];
    // Of the keys themselves.
    for (const tenant of ['here', 'there']) {
      await asTenant(tenant, () =>
        stack.db.query(`update outbox set created_at = now() - interval '9 days' where tenant_id = $1`, [tenant]),
      );
    }
    const start = (await read(here)).next;
    // The second event is younger than the third: pruning must not leave a gap.
    for (const tenant of ['here', 'there']) {
      for (const [n, days] of [9, 0, 9, 0, 0].entries()) {
        await asTenant(tenant, () =>
          stack.db.query(
            `insert into outbox (tenant_id, type, subject, created_at) values ($1, 'opportunity.created', $2, now() - make_interval(days => $3))`,
            [tenant, `opp_${n}`, days],
          ),
        );
      }
    }
    const mine = await read(here, { after: start });
    expect(mine.events.map(({ subject }) => subject)).toEqual(['opp_0', 'opp_1', 'opp_2', 'opp_3', 'opp_4']);
    expect(mine.events[0]).toMatchObject({ type: 'opportunity.created', tenant_id: 'here', refs: [{ type: 'opportunity', id: 'opp_0' }] });
    expect((await read(here, { after: mine.events[1]!.id, limit: 2 })).events.map(({ subject }) => subject)).toEqual(['opp_2', 'opp_3']);

    const gone = async (who: Caller, after: string): Promise<unknown> => {
      const { error } = await stack.call(who, 'event.stream.subscribe', { after });
      return [error?.code, error?.details?.['reason']];
    };
    await read(there, { after: 'oldest' });
    expect(await gone(there, mine.events[1]!.id)).toEqual(['GONE', 'unknown']);
    expect(await gone(there, start)).toEqual(['GONE', 'unknown']);
    const last = mine.events[4]!.id;
    expect(await gone(here, `${last.slice(0, 14)}z${last.slice(15)}`)).toEqual(['GONE', 'unknown']);
    expect((await stack.call(here, 'event.stream.subscribe', { after: '42' })).error?.code).toBe('VALIDATION_ERROR');

    expect(await asTenant('here', () => pruneOutbox(stack.db, 'here', 7))).toBe(2);
    expect(await gone(here, start)).toEqual(['GONE', 'expired']);
    expect((await read(here, { after: mine.events[1]!.id })).events.map(({ subject }) => subject)).toEqual(['opp_2', 'opp_3', 'opp_4']);
    expect((await read(here, { after: 'oldest' })).events).toHaveLength(4);
    expect(await asTenant('here', () => pruneOutbox(stack.db, 'here', 0))).toBe(3);
    expect(await gone(here, mine.events[3]!.id)).toEqual(['GONE', 'expired']);
    expect((await read(here, { after: last })).events).toEqual([]);
    await write('here', 'opportunity.created', 'opp_5');
    expect((await read(here, { after: last })).events.map(({ subject }) => subject)).toEqual(['opp_5']);
  });
});

it('are noticed by all processes where somebody follows, and cost nothing where nobody does', async () => {
  const heard: string[] = [];
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await client.query('listen signalbox');
  const followed = await stack.caller({ tenant: 'followed' });
  await read(followed, { wait_seconds: 0.01 });
  await asTenant('followed', () => stack.db.query(insert, ['followed', 'document.published', 'd', '{}']));
  await write('unfollowed', 'issue.flagged', 'ent_1');
  await asTenant('followed', () =>
    stack.db.transaction(async (query) => {
      for (let i = 0; i < 3; i += 1) await query(insert, ['followed', 'issue.flagged', 'ent_1', '{}']);
    }),
  );
  await eventually('the notice', async () => heard.includes('events/followed'));
  expect(heard.filter((topic) => topic.startsWith('events/') && topic.endsWith('followed'))).toEqual(['events/followed']);
  await client.end();
});

describe('a long poll', () => {
  it('waits for the first that is wanted', async () => {
    const who = await stack.caller({ tenant: 'poll' });
    const waiting = read(who, { types: ['issue.flagged'], subject: 'ent_2', wait_seconds: 20 });
    const { next } = await read(who);
    await eventually('it is heard', async () => {
      await write('poll', 'opportunity.created', 'ent_2');
      await write('poll', 'issue.flagged', 'ent_1');
      await write('poll', 'issue.flagged', 'ent_2');
      return (await Promise.race([waiting, read(who)])).events.length > 0;
    });
    expect((await waiting).events[0]).toMatchObject({ type: 'issue.flagged', subject: 'ent_2' });
    expect((await read(who, { after: next, types: ['opportunity.created'], limit: 1 })).events).toHaveLength(1);
  });
});

describe('a stream', () => {
  it('tells all to thirty, although the api is closed and opened again in between', async () => {
    const who = await stack.caller({ tenant: 'thirty' });
    const far = await stack.caller({ tenant: 'far' });
    const all = Array.from({ length: 30 }, () => listen(who));
    const issues = listen(who, '?types=issue.flagged,dlq.item_added');
    const others = listen(far);
    await Promise.all([...all, issues, others].map(({ ready }) => ready));
    const events = Array.from({ length: 300 }, (_, n) => ({ type: n % 10 === 0 ? 'issue.flagged' : 'report.generated', n }));
    const send = async (some: typeof events): Promise<void> => {
      for (const { type, n } of some) await write('thirty', type, `s${n % 3}`, { n });
    };
    await send(events.slice(0, 100));
    const closing = app!.close();
    await send(events.slice(100, 200));
    await closing;
    await openApi();
    await send(events.slice(200));
    await eventually('all have heard all', async () => all.every(({ heard }) => heard.length >= 300));
    for (const source of all) {
      expect(told(source).map(({ data }) => data['n'])).toEqual(events.map(({ n }) => n));
      expect(source.ends).toBe(1);
    }
    expect(told(issues).map(({ data }) => data['n'])).toEqual(events.filter(({ type }) => type === 'issue.flagged').map(({ n }) => n));
    expect(others.heard).toEqual([]);
    expect(all[0]!.heard[0]).toMatchObject({ event: 'issue.flagged', id: told(all[0]!)[0]!.id });
    for (const source of [...all, issues, others]) source.close();
  });

  it('is not held up by a reader that takes nothing', async () => {
    const who = await stack.caller({ tenant: 'slow' });
    const slow = listen(who, '', { frozen: true });
    const quick = listen(who);
    await Promise.all([slow.ready, quick.ready]);
    const text = 'x'.repeat(50_000);
    for (let n = 0; n < 60; n += 1) await write('slow', 'report.generated', 's', { n, text });
    await eventually('the quick one has all', async () => quick.heard.length === 60);
    slow.close();
    const late = listen(who, '', { lastId: told(quick)[9]!.id });
    await eventually('the rest', async () => late.heard.length === 50);
    expect(told(late).map(({ data }) => data['n'])).toEqual(Array.from({ length: 50 }, (_, i) => i + 10));
  });

  it('is refused to whoever may not, asks for what is not, or has too many', async () => {
    const who = await stack.caller({ tenant: 'refused' });
    const get = (query: string, key: string, headers: Record<string, string> = {}) =>
      fetch(url(query), { headers: { 'x-api-key': key, ...headers } });
    const unknown = await get('?types=issue.flagged,issue.burnt', who.apiKey);
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain('opportunity.status_changed');
    expect((await get('?tipes=issue.flagged', who.apiKey)).status).toBe(400);
    expect((await get('', who.apiKey, { 'last-event-id': '17' })).status).toBe(400);
    expect((await get('', who.apiKey, { 'last-event-id': 'evt_00000000zzz0123456789ab' })).status).toBe(410);
    expect((await get('', 'wrong')).status).toBe(401);
    const stakeholder = await stack.caller({ tenant: 'refused', role: 'stakeholder', team: 'sales' });
    expect((await get('', stakeholder.apiKey)).status).toBe(403);

    const open = Array.from({ length: 40 }, () => listen(who));
    await Promise.all(open.map(({ ready }) => ready));
    const further = await get('', who.apiKey);
    expect([further.status, further.headers.get('retry-after')]).toEqual([429, '30']);
    open[0]!.close();
    const again = await eventually('a place is free', async () => {
      const response = await get('', who.apiKey);
      return response.status === 200 && response;
    });
    expect(again.headers.get('content-type')).toContain('text/event-stream');
    await again.body?.cancel();
    for (const source of open) source.close();
  });

  it('ends when its key is revoked', async () => {
    const who = await stack.caller({ tenant: 'revoked' });
    const source = listen(who);
    await source.ready;
    await stack.services.governance.keys.revoke('revoked', who.keyId);
    await eventually('it has ended', async () => source.ends > 0);
    expect(source.heard.at(-1)).toMatchObject({ event: 'refused' });
    await eventually('it is not let in again', async () => source.statuses.includes(401));
    source.close();
  });
});
