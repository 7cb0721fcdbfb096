/** Keys as admins manage them with tools: no more rights than one's own, a secret that is told once and stored nowhere. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { KeyView } from '../../contracts/governance/keys.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
type Made = KeyView & { api_key: string | null };
const make = (caller: Caller, more: object = {}) => stack.ok<Made>(caller, 'access.key.create', { name: 'builder-1', ...more });
const refusal = async (caller: Caller, tool: string, args: object) => {
  const { error } = await stack.call(caller, tool, args);
  return error && { code: error.code, rule: error.details?.['rule'] };
};
/** Everything that the database holds, as text. */
const stored = async (): Promise<string> => {
  const tables = await stack.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = await asTenant('acme', () =>
    Promise.all(
      tables.map(({ name }) =>
        stack.db
          .query<{ all: string | null }>(`select string_agg(t::text, ' ') as all from "${name}" t`)
          .then(([row]) => row!.all ?? '')
          .catch(() => ''),
      ),
    ),
  );
  return texts.join('\n');
};
const told = (type: string, subject: string) =>
  asTenant('acme', () =>
    stack.db.query<{ data: Record<string, unknown> }>(
      'select data from outbox where tenant_id = $1 and type = $2 and subject = $3 order by id',
      ['acme', type, subject],
    ),
  ).then((rows) => rows.map(({ data }) => data));

beforeAll(async () => {
  stack = await testStack({ model: false });
  ann = await stack.caller({ name: 'ann' });
});
afterAll(() => stack?.stop());

describe('a key made with a tool', () => {
  it('works, is listed with its calls of this minute, and is told as an event', async () => {
    const key = await make(ann, { scopes: ['work:read'], expires_in_days: 30, rpm: 7, burst: 3 });
    expect(key).toMatchObject({ role: 'agent', kind: 'agent', state: 'valid', policy: 'standard', made_by: 'ann' });
    const caller = await stack.services.governance.keys.authenticate(key.api_key!);
    expect(caller).toMatchObject({ principal: 'builder-1', scopes: ['work:read'], rateRpm: 7 });
    await stack.ok(caller!, 'work.board.get');
    const { keys } = await stack.ok<{ keys: KeyView[] }>(ann, 'access.key.list', { search: 'BUILDER' });
    expect(keys[0]).toMatchObject({ key_id: key.key_id, rate: { limit: 7, burst: 3, used: 1 } });
    expect(JSON.stringify(keys)).not.toContain(key.api_key!);
    expect(await told('key.changed', key.key_id)).toEqual([{ change: 'created', name: 'builder-1', replaces: null, by: 'ann' }]);
  });

  it('is made once for a repeated call, whose answer has no secret any longer', async () => {
    const first = await stack.call(ann, 'access.key.create', { name: 'once' }, { idempotencyKey: 'once' });
    const again = await stack.call(ann, 'access.key.create', { name: 'once' }, { idempotencyKey: 'once' });
    const [one, two] = [first.data, again.data] as Made[];
    expect(one!.api_key).toMatch(/^sb_/);
    expect(two).toMatchObject({ key_id: one!.key_id, api_key: null });
    expect(again.envelope.warnings.join(' ')).toContain('told once');
    const { keys } = await stack.ok<{ keys: KeyView[] }>(ann, 'access.key.list', { search: 'once' });
    expect(keys).toHaveLength(1);
  });

  it('gets another secret when its maker died before the answer was kept, and none after its first use', async () => {
    const administration = stack.services.governance.keyAdministration;
    const wish = { name: 'lost', role: 'agent' as const, scopes: [], capabilities: [] };
    const lost = await asTenant('acme', () => administration.create(ann, wish, 'call-1'));
    const found = await asTenant('acme', () => administration.create(ann, wish, 'call-1'));
    expect(found.key_id).toBe(lost.key_id);
    const { keys } = stack.services.governance;
    expect(await keys.authenticate(lost.api_key)).toBeNull();
    expect(await keys.authenticate(found.api_key)).not.toBeNull();
    await keys.close();
    await expect(asTenant('acme', () => administration.create(ann, wish, 'call-1'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await told('key.changed', lost.key_id)).toHaveLength(1);
  });

  it('is listed page by page, and by state', async () => {
    const pages = await stack.caller({ tenant: 'pages', name: 'pat' });
    for (let i = 0; i < 5; i += 1) await make(pages, { name: `k${i}` });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await stack.call(pages, 'access.key.list', { limit: 2, ...(cursor ? { cursor } : {}) });
      names.push(...(answer.data as { keys: KeyView[] }).keys.map(({ name }) => name));
      cursor = answer.envelope.metadata.next_cursor;
    } while (cursor);
    expect(names).toEqual(['k4', 'k3', 'k2', 'k1', 'k0', 'pat']);
    const { keys } = await stack.ok<{ keys: KeyView[] }>(pages, 'access.key.list', { search: 'k3' });
    await stack.ok(pages, 'access.key.revoke', { key_id: keys[0]!.key_id });
    const states = async (state: string) =>
      (await stack.ok<{ keys: KeyView[] }>(pages, 'access.key.list', { state })).keys.map(({ name }) => name);
    expect(await states('revoked')).toEqual(['k3']);
    expect(await states('valid')).toEqual(['k4', 'k2', 'k1', 'k0', 'pat']);
    expect(await states('ended')).toEqual([]);
  });
});

describe('a maker', () => {
  it('is an admin; the tools are not shown to others, and of another tenant nothing is found', async () => {
    for (const role of ['pm', 'pm_leader', 'agent', 'readonly'] as const) {
      const other = await stack.caller({ role, name: `a-${role}` });
      expect(await refusal(other, 'access.key.create', { name: 'x' })).toEqual({ code: 'FORBIDDEN', rule: 'role' });
      expect(await refusal(other, 'access.key.list', {})).toEqual({ code: 'FORBIDDEN', rule: 'role' });
    }
    const key = await make(ann);
    const other = await stack.caller({ tenant: 'other', name: 'oz' });
    for (const tool of ['access.key.rotate', 'access.key.revoke', 'access.key.collect'])
      expect(await refusal(other, tool, { key_id: key.key_id })).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gives no scope that its key lacks, nor by rotating a key that has more', async () => {
    const limited = await stack.caller({ name: 'lim', scopes: ['key:*', 'work:read'] });
    expect(await refusal(limited, 'access.key.create', { name: 'x' })).toEqual({ code: 'FORBIDDEN', rule: 'scopes' });
    for (const scope of ['*', 'work:*', 'work:write', 'policy:write'])
      expect(await refusal(limited, 'access.key.create', { name: 'x', scopes: ['work:read', scope] })).toMatchObject({ rule: 'scopes' });
    expect((await make(limited, { scopes: ['work:read', 'key:read'] })).scopes).toEqual(['work:read', 'key:read']);
    const more = await make(ann, { role: 'admin', name: 'boss' });
    expect(await refusal(limited, 'access.key.rotate', { key_id: more.key_id })).toEqual({ code: 'FORBIDDEN', rule: 'scopes' });
  });

  it('gives no looser policy than its own', async () => {
    const careful = await stack.services.governance.keys.create({ tenant: 'acme', role: 'admin', name: 'cara', policy: 'careful' });
    const cara = (await stack.services.governance.keys.authenticate(careful.api_key))!;
    expect(await refusal(cara, 'access.key.create', { name: 'x', policy: 'standard' })).toMatchObject({ rule: 'policy' });
    expect((await make(cara)).policy).toBe('careful');
    expect((await make(cara, { policy: 'strict' })).policy).toBe('strict');
  });
});

describe('an agent that makes a key', () => {
  it('asks a person; the secret is in no approval, and the agent collects it', async () => {
    const bot = await stack.caller({ name: 'bot', kind: 'agent', rpm: 1_000, burst: 0 });
    const key = await stack.approved<Made>(bot, 'access.key.create', { name: 'helper', rpm: 10, burst: 0 });
    expect(key).toMatchObject({ kind: 'agent', made_by: 'bot', api_key: null });
    const collected = await stack.ok<Made>(bot, 'access.key.collect', { key_id: key.key_id });
    expect(await stack.services.governance.keys.authenticate(collected.api_key!)).toMatchObject({ principal: 'helper' });
    // Neither is it for others.
    const peer = await stack.caller({ name: 'peer', kind: 'agent' });
    expect(await refusal(peer, 'access.key.collect', { key_id: key.key_id })).toMatchObject({ code: 'NOT_FOUND' });
    await stack.services.governance.keys.close();
    expect(await refusal(bot, 'access.key.collect', { key_id: key.key_id })).toMatchObject({ code: 'CONFLICT' });
  });

  it('makes no person, none with higher limits, none that lives longer, and none with the name of a person', async () => {
    const ends = new Date(Date.now() + 3_600_000);
    const { api_key } = await stack.services.governance.keys.create({
      tenant: 'acme',
      role: 'admin',
      kind: 'agent',
      name: 'mortal',
      rpm: 100,
      burst: 0,
      expiresAt: ends,
    });
    const mortal = (await stack.services.governance.keys.authenticate(api_key))!;
    const { keyAdministration } = stack.services.governance;
    const wish = { name: 'y', role: 'agent' as const, scopes: [], capabilities: [], rpm: 10, burst: 0 };
    const refused = (more: object) =>
      asTenant('acme', () => keyAdministration.create(mortal, { ...wish, ...more }, JSON.stringify(more))).catch(
        (error: { details?: { rule?: string } }) => error.details?.rule,
      );
    expect(await refused({ kind: 'human' })).toBe('kind');
    expect(await refused({ role: 'pm' })).toBe('kind');
    expect(await refused({ rpm: 101 })).toBe('limits');
    expect(await refused({ expires_in_days: 1 })).toBe('expires');
    expect(await refused({ name: 'Ann' })).toBe('name');
    expect(await refused({})).toMatchObject({ name: 'y', expires_at: ends.toISOString() });
  });
});

describe('the secret', () => {
  it('is stored nowhere: not for repeats, not with approvals, not in ledger, outbox or jobs', async () => {
    const bot = await stack.caller({ name: 'sec-bot', kind: 'agent', rpm: 100_000 });
    const plain = (await stack.call(ann, 'access.key.create', { name: 'sec' }, { idempotencyKey: 'sec' })).data as Made;
    const rotated = (await stack.call(ann, 'access.key.rotate', { key_id: plain.key_id }, { idempotencyKey: 'rot' })).data as Made;
    const asked = await stack.approved<Made>(bot, 'access.key.create', { name: 'sec-asked', rpm: 1, burst: 0 });
    const collected = (await stack.call(bot, 'access.key.collect', { key_id: asked.key_id }, { idempotencyKey: 'col' })).data as Made;
    await stack.services.governance.ledger.close();
    const secrets = [plain, rotated, collected].map(({ api_key }) => api_key!);
    for (const secret of secrets) expect(secret).toMatch(/^sb_[\w-]{43}$/);
    const all = await stored();
    expect(all).toContain('sec-asked');
    for (const secret of secrets) expect(all).not.toContain(secret);
    // Sealed answers, too: opened, they hold none.
    const [row] = await asTenant('acme', () =>
      stack.db.query<{ answer: string }>(
        `select answer from approvals where tenant_id = 'acme' and tool = 'access.key.create' order by created_at desc limit 1`,
      ),
    );
    expect(JSON.parse(stack.services.kernel.secrets.open(row!.answer))).toMatchObject({ data: { api_key: null } });
  });
});

describe('the first use', () => {
  it('is told once, whoever sees it, with the first three calls and no more', async () => {
    const key = await make(ann, { name: 'fresh' });
    const { keys } = stack.services.governance;
    const caller = (await keys.authenticate(key.api_key!))!;
    for (let i = 0; i < 5; i += 1) await stack.ok(caller, 'work.board.get');
    await keys.close();
    await eventually('three calls are told', async () => (await told('key.called', key.key_id)).length === 3);
    await keys.authenticate(key.api_key!);
    await keys.close();
    expect(await told('key.used_first', key.key_id)).toEqual([{ name: 'fresh', replaces: null }]);
    expect(await told('key.called', key.key_id)).toMatchObject([
      { n: 1, by: 'fresh', tool: 'work.board.get', front: 'mcp', code: null },
      { n: 2 },
      { n: 3 },
    ]);
  });
});

describe('what is left', () => {
  it('tells the own limit to everybody, and the busiest keys to admins', async () => {
    const bot = await stack.caller({ name: 'busy', role: 'agent', rpm: 50, burst: 5 });
    for (let i = 0; i < 4; i += 1) await stack.ok(bot, 'work.board.get');
    await stack.services.governance.keys.close();
    expect(await stack.ok(bot, 'system.limit.get')).toMatchObject({ own: { limit: 50, burst: 5, used: 5 }, keys: [] });
    const { keys } = await stack.ok<{ keys: { name: string; rate: { used: number } }[] }>(ann, 'system.limit.get', { keys: 100 });
    expect(keys.find(({ name }) => name === 'busy')?.rate.used).toBe(5);
  });
});
