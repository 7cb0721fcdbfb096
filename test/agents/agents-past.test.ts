/** What happened to agents: their list with what they hold, history, versions, presence as intervals, sessions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { AgentHistoryEntry, AgentVersion, PresenceSpan } from '../../contracts/agents/past.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let stranger: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
  stranger = await stack.caller({ tenant: 'globex', name: 'stranger' });
});
afterAll(() => stack?.stop());

const sql = <T extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  asTenant('acme', () => stack.db.query<T>(text, ['acme', ...values]));
const register = (agent_id: string, more: object = {}) =>
  stack.ok(pm, 'agent.registry.register', { agent_id, kind: 'managed', agent_type: 'writer', capabilities: [], ...more });
const historyOf = (args: object) => stack.call(pm, 'agent.history.list', args);

describe('the registry', () => {
  it('tells what each agent holds, its last call, its cost of today, and leaves the old answer as it was', async () => {
    await register('holder', { name: 'Holder' });
    await sql(
      `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts, lease_expires_at,
         assigned_agent_id, lease_principal, started_at)
       select $1, 'task_held' || n, 'Line one ' || n || E'\\nline two', 1, 'high', 0, case when n < 3 then 'in_progress' else 'done' end, 'pm', 60, 3,
         now() + make_interval(mins => 9), 'desk ' || n, 'holder', now() + make_interval(secs => n) from generate_series(1, 3) n`,
    );
    await sql(`insert into agent_usage (tenant_id, agent_id, day, calls, tokens, cost_usd)
      values ($1, 'holder', (now() at time zone 'utc')::date, 3, 900, 0.25), ($1, 'holder', (now() at time zone 'utc')::date - 2, 10, 5000, 2)`);
    const { agents } = await stack.ok(pm, 'agent.registry.list', { agent_id: 'holder' });
    expect(agents).toHaveLength(1);
    expect(agents[0]).toMatchObject({
      cost: { calls: 13, tokens: 5900, cost_usd: 2.25 },
      cost_today: { calls: 3, tokens: 900, cost_usd: 0.25 },
      coherence: null,
      tasks: [
        { task_id: 'task_held1', title: 'Line one 1', lease_expires_at: expect.any(String) },
        { task_id: 'task_held2', title: 'Line one 2' },
      ],
    });
    const old = await stack.ok(pm, 'list_registered_agents', {});
    const [answered] = old.agents.filter((one: { agent_id: string }) => one.agent_id === 'holder');
    expect(answered).not.toHaveProperty('tasks');
    expect(answered).not.toHaveProperty('cost_today');
  });

  it('is read page by page, each agent once, and filtered by health, kind and words', async () => {
    await sql(`insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, health, admin_status, registered_at)
      select $1, 'many-' || n, case when n % 2 = 0 then 'worker' else 'managed' end, 'worker', 'Crawler ' || (100 - n), 'pm', 'k',
        (array['healthy', 'unhealthy', 'offline'])[1 + n % 3], case when n % 10 = 0 then 'paused' else 'active' end, now() - make_interval(secs => n % 4)
      from generate_series(1, 45) n`);
    for (const order of ['registered', 'name', 'gravity']) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await stack.call(pm, 'agent.registry.list', { search: 'crawler', order, limit: 10, ...(cursor ? { cursor } : {}) });
        const { agents } = page.data as { agents: { agent_id: string }[] };
        seen.push(...agents.map((one) => one.agent_id));
        expect(page.envelope.metadata).toMatchObject({ total_count: 45 });
        cursor = page.envelope.metadata?.['next_cursor'];
      } while (cursor);
      expect([order, seen.length, new Set(seen).size]).toEqual([order, 45, 45]);
    }
    const grave = await stack.ok(pm, 'agent.registry.list', { search: 'many-', order: 'gravity', limit: 100 });
    const states = grave.agents.map((one: { status: string; health: string }) => (one.status === 'paused' ? 'paused' : one.health));
    expect([...new Set(states)]).toEqual(['offline', 'unhealthy', 'paused', 'healthy']);
    const filtered = await stack.ok(pm, 'agent.registry.list', { search: 'MANY-', health: 'offline', kind: 'worker', limit: 100 });
    expect(filtered.agents.length).toBe(8);
    expect((await stack.ok(stranger, 'agent.registry.list', { search: 'many-' })).agents).toEqual([]);
    expect((await stack.call(pm, 'agent.registry.list', { cursor: 'nonsense' })).envelope.error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('the past of an agent', () => {
  it('lists its changes newest first, page by page, with who and why, also after its removal', async () => {
    await register('past');
    await stack.ok(pm, 'agent.registry.deactivate', { agent_id: 'past', reason: 'It floods us.' });
    await stack.ok(pm, 'agent.registry.activate', { agent_id: 'past', reason: 'Mended.' });
    await stack.ok(pm, 'agent.peer.unregister', { agent_id: 'past' });
    const all = (await historyOf({ agent_id: 'past' })).data as { history: AgentHistoryEntry[] };
    expect(all.history.map((entry) => entry.event)).toEqual(['unregistered', 'activated', 'paused', 'registered']);
    expect(all.history[2]).toMatchObject({ actor: 'pm', detail: { reason: 'It floods us.' } });
    const first = await historyOf({ agent_id: 'past', limit: 3 });
    const cursor = first.envelope.metadata?.['next_cursor'];
    const second = (await historyOf({ agent_id: 'past', limit: 3, cursor })).data as typeof all;
    expect(second.history).toEqual(all.history.slice(3));
    const paused = (await historyOf({ agent_id: 'past', events: ['paused'] })).data as typeof all;
    expect(paused.history).toEqual([all.history[2]]);
  });

  it('keeps each version in full, and marks the one in use', async () => {
    await register('versions', { definition: { prompt: 'one' }, note: 'first' });
    await register('versions', { definition: { prompt: 'two' }, note: 'second' });
    await stack.approved(pm, 'agent.version.rollback', { agent_id: 'versions', reason: 'Worse.' });
    const { versions } = await stack.ok<{ versions: AgentVersion[] }>(pm, 'agent.version.list', { agent_id: 'versions' });
    expect(versions.map(({ version, current, definition, note }) => ({ version, current, definition, note }))).toEqual([
      { version: 2, current: false, definition: { prompt: 'two' }, note: 'second' },
      { version: 1, current: true, definition: { prompt: 'one' }, note: 'first' },
    ]);
  });

  it('shows presence as intervals that add up to the hours asked for', async () => {
    await register('strip', { kind: 'worker' });
    /** @returns when it was */
    const past = async (hours: number, event: string, detail: object = {}): Promise<string> => {
      const [row] = await sql<{ at: Date }>(
        `insert into agent_history (tenant_id, agent_id, event, detail, actor, created_at)
         values ($1, 'strip', $2, $3, 'pm', now() - make_interval(hours => $4)) returning created_at as at`,
        event,
        JSON.stringify(detail),
        hours,
      );
      return row!.at.toISOString();
    };
    await sql(`delete from agent_history where tenant_id = $1 and agent_id = 'strip'`);
    await past(50, 'registered');
    await past(30, 'unhealthy', { from: 'healthy' });
    const offline = await past(20, 'offline', { from: 'unhealthy' });
    const healthy = await past(12, 'healthy', { from: 'offline' });
    const paused = await past(6, 'paused', { reason: 'lunch' });
    const { spans, since, until } = await stack.ok<{ spans: PresenceSpan[]; since: string; until: string }>(pm, 'agent.presence.get', {
      agent_id: 'strip',
    });
    const span = (state: string, from: string, to: string, reason: string | null = null) => {
      return { state, from, to, seconds: Math.round((Date.parse(to) - Date.parse(from)) / 1_000), reason };
    };
    expect(spans).toEqual([
      span('unhealthy', since, offline),
      span('offline', offline, healthy),
      span('healthy', healthy, paused),
      span('paused', paused, until, 'lunch'),
    ]);
    expect(Date.parse(until) - Date.parse(since)).toBe(24 * 3_600_000);
    expect((await stack.ok(pm, 'agent.presence.get', { agent_id: 'strip', hours: 1 })).spans).toHaveLength(1);
  });

  it('begins later when an agent flaps without end', async () => {
    await register('flaps', { kind: 'worker' });
    await sql(`insert into agent_history (tenant_id, agent_id, event, detail, actor, created_at)
      select $1, 'flaps', case when n % 2 = 0 then 'healthy' else 'unhealthy' end,
        jsonb_build_object('from', case when n % 2 = 0 then 'unhealthy' else 'healthy' end), 'platform', now() - make_interval(secs => 3000 - n)
      from generate_series(1, 1500) n`);
    const strip = await stack.ok(pm, 'agent.presence.get', { agent_id: 'flaps' });
    expect(strip.spans.length).toBeLessThanOrEqual(1_002);
    expect(Date.parse(strip.until) - Date.parse(strip.since)).toBeLessThan(3_000_000);
    expect(strip.spans[0].from).toBe(strip.since);
  });

  it("is not found for another tenant's agent", async () => {
    for (const tool of ['agent.history.list', 'agent.version.list', 'agent.presence.get']) {
      const answer = await stack.call(stranger, tool, { agent_id: 'past' });
      expect([tool, answer.envelope.error?.code]).toEqual([tool, 'NOT_FOUND']);
    }
  });
});

describe('sessions', () => {
  it('are listed to people whole, to agents their own, and to nobody else', async () => {
    const [one, two] = [await stack.caller({ role: 'agent', name: 'one' }), await stack.caller({ role: 'agent', name: 'two' })];
    const own = await stack.ok(one, 'agent.session.open', { participants: ['three'] });
    const other = await stack.ok(two, 'agent.session.open', { participants: ['four'] });
    await stack.ok(two, 'agent.session.close', { session_id: other.session_id });
    const list = async (who: Caller, args: object = {}): Promise<string[]> =>
      (await stack.ok<{ sessions: { session_id: string }[] }>(who, 'agent.session.list', args)).sessions.map((each) => each.session_id);
    expect(new Set(await list(pm))).toEqual(new Set([own.session_id, other.session_id]));
    expect(await list(one)).toEqual([own.session_id]);
    expect(await list(pm, { status: 'open' })).toEqual([own.session_id]);
    expect(await list(pm, { status: 'closed' })).toEqual([other.session_id]);
    expect(await list(pm, { agent: 'four' })).toEqual([other.session_id]);
    expect(await list(stranger)).toEqual([]);
  });
});
