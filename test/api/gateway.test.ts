import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, pathOf, unversioned } from '../../api/gateway/operation.ts';
import { operations } from '../../api/gateway/operations.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { apiOf } from '../setup/api.ts';
import { openDoor, rest, type Door, type RestAnswer } from '../setup/peers.ts';
import { entityIdOf, writeSignals } from '../setup/signals.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Who = Caller & { apiKey: string };
const began = Date.now();
/** Noon, so many days ago; the same day before and after a midnight. */
const ago = (days: number): string => `${new Date(began - days * 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`;

describe('the agent gateway', () => {
  let stack: TestStack;
  let door: Door;
  let ann: Who;

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, who: Who = ann) =>
    rest(door.url, method, path.startsWith('/') ? path : `${base}/${path}`, { key: who.apiKey, body, headers });
  const get = (path: string, who: Who = ann): Promise<RestAnswer> => ask('GET', path, undefined, {}, who);
  const post = (path: string, body: unknown, idempotency?: string): Promise<RestAnswer> =>
    ask('POST', path, body, idempotency === undefined ? {} : { 'idempotency-key': idempotency });
  const rows = async (table: string, where: string): Promise<number> =>
    await asTenant('acme', async () => {
      const [row] = await stack.db.query<{ n: number }>(`select count(*)::int as n from ${table} where tenant_id = 'acme' and ${where}`);
      return row!.n;
    });

  beforeAll(async () => {
    door = await openDoor();
    stack = await testStack({ model: false });
    await door.serve(stack);
    ann = await stack.caller({ role: 'agent', name: 'ann' });
    const about = (customer: string) => ({ customer: [customer], feature: ['Export'], issue: ['Export fails'] });
    await writeSignals(stack.db, 'acme', [
      ...Array.from({ length: 5 }, (_, i) => ({
        statement: `The export fails for large boards, case ${i + 1}.`,
        class: 'bug' as const,
        severity: 'high' as const,
        at: ago(6 - i),
        area: 'Mobile',
        about: about(i % 2 ? 'Initech' : 'Hooli'),
      })),
      { statement: 'Billing invoices arrive late.', class: 'complaint', at: ago(1), area: 'Billing', about: { feature: ['Invoices'] } },
    ]);
    await writeSignals(stack.db, 'other', [
      { statement: 'The export of others fails.', class: 'bug', at: ago(6), about: about('Umbrella') },
    ]);
  });
  afterAll(async () => {
    await door?.close();
    await stack?.stop();
  });

  it('answers each of its examples, with and without the version', { timeout: 120_000 }, async () => {
    const known = entityIdOf('acme', 'issue', 'Export fails');
    await stack.ok(ann, 'authoring.report.generate', { report_type: 'weekly_digest', time_window_days: 30 });
    for (const operation of operations.filter(({ path }) => !path.startsWith('/api'))) {
      const example = JSON.parse(JSON.stringify(operation.example).replaceAll('ent_5m2k8q', known)) as Record<string, unknown>;
      const query = new URLSearchParams(Object.fromEntries(Object.entries(example).map(([key, value]) => [key, String(value)])));
      for (const root of [base, unversioned]) {
        const path = root + operation.path;
        const answer = operation.method === 'GET' ? await get(`${path}?${query}`) : await post(path, example);
        expect([200, 202], `${path}: ${JSON.stringify(answer.body).slice(0, 500)}`).toContain(answer.status);
        expect(answer.body, path).toMatchObject({
          tool_call_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
          metadata: { source: operation.tool.name.split('.')[0] },
        });
        expect(answer.headers.get('ratelimit-limit'), path).toBe('1000000');
        const canonical = answer.headers.get('link')?.includes('rel="canonical"') ?? false;
        expect(canonical, path).toBe(root === unversioned);
        if (canonical)
          expect(answer.headers.get('link')).toContain(`<${pathOf(operation)}${operation.method === 'GET' ? `?${query}` : ''}>`);
      }
    }
    // The example of an ingestion holds a statement.
    await eventually('the example is read', async () => (await rows('signals', `statement = 'The export fails for large boards.'`)) === 1);
  });

  it('finds signals by what the seed asks for, and lets an issue be flagged with them', async () => {
    const found = await get(
      `signals?q=export&customer=Hooli&date_from=${ago(6).slice(0, 10)}&date_to=${ago(4)}&class=bug&severity=high&limit=2`,
    );
    expect(found.status).toBe(200);
    expect(found.body.data.signals.map((each: { customers: string[] }) => each.customers)).toEqual([['Hooli'], ['Hooli']]);
    const typed = async (type: string): Promise<number> => (await get(`signals?entity_type=${type}`)).body.data.signals.length;
    expect([await typed('customer'), await typed('feature'), await typed('theme')]).toEqual([5, 6, 0]);
    expect((await get('signals?source=jira')).body.data.signals).toEqual([]);

    const ids = found.body.data.signals.map((each: { signal_id: string }) => each.signal_id);
    const flagged = await post('issues/flag', {
      issue_name: 'Boards time out',
      severity: 'critical',
      reason: 'Read twice',
      signal_ids: ids,
    });
    expect([flagged.status, flagged.body.data.created]).toEqual([200, true]);
    const again = (await get('signals?issue=Boards%20time%20out')).body.data.signals.map((each: { signal_id: string }) => each.signal_id);
    expect(again.toSorted()).toEqual(ids.toSorted());
    const refused = await post('issues/flag', { issue_name: 'x', reason: 'y', signal_ids: ['sig_none'] });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('pages by links until there is no more, each once', async () => {
    for (const [path, list, total] of [
      ['signals?limit=4', 'signals', 7],
      ['entities?limit=2&entity_type=customer', 'entities', 2],
      ['entities?limit=1&entity_type=feature', 'entities', 2],
    ] as const) {
      const seen: string[] = [];
      let at: string | undefined = `${base}/${path}`;
      while (at !== undefined) {
        const page: RestAnswer = await get(at);
        expect(page.status, JSON.stringify(page.body)).toBe(200);
        seen.push(...page.body.data[list].map((each: Record<string, string>) => each.signal_id ?? each.entity_id));
        at = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
        expect(at === undefined, path).toBe(page.body.metadata.next_cursor === undefined);
      }
      expect([seen.length, new Set(seen).size], path).toEqual([total, total]);
    }
    const odd = await get('signals?cursor=nonsense');
    expect([odd.status, odd.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('acts once under one key, also when it is sent twice at once, and refuses another body', async () => {
    const flag = { issue_name: 'Login loops', reason: 'Seen by Ann' };
    const both = await Promise.all([post('issues/flag', flag, 'once'), post('issues/flag', flag, 'once')]);
    const later = await post('/api/agents/issues/flag', flag, 'once');
    expect([...both, later].map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const each of both) expect(each.body.data).toEqual(later.body.data);
    expect(later.body.warnings).toContain('Repeated call: this is the stored answer.');
    expect(await rows('entity_history', `event = 'flagged' and data->>'reason' = 'Seen by Ann'`)).toBe(1);

    const other = await post('issues/flag', { ...flag, reason: 'Something else' }, 'once');
    expect([other.status, other.body.error.code]).toEqual([409, 'CONFLICT']);
    expect(await rows('entity_history', `data->>'reason' = 'Something else'`)).toBe(0);
    const tooLong = await post('issues/flag', flag, 'k'.repeat(257));
    expect([tooLong.status, tooLong.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);

    const text = { kind: 'text', title: 'Once', content: 'The dashboard is slow.', tags: ['once'] };
    const jobs = await Promise.all([post('ingest', text, 'ingest-1'), post('ingest', text, 'ingest-1')]);
    expect(new Set(jobs.map(({ body }) => body.data.job_id)).size).toBe(1);
    // An answer that ran is kept for 24 hours and no longer.
    await asTenant('acme', () =>
      stack.db.query(
        `update idempotency_records set created_at = created_at - interval '25 hours' where tenant_id = 'acme' and key = 'once'`,
      ),
    );
    expect((await post('issues/flag', { ...flag, reason: 'A day later' }, 'once')).status).toBe(200);
    expect(await rows('entity_history', `data->>'reason' = 'A day later'`)).toBe(1);
  });

  it('takes content in as a job that ends', async () => {
    const taken = await post('ingest', {
      kind: 'text',
      title: 'Call with Vandelay',
      content: 'Vandelay says that the import of latex catalogues is slow.',
      metadata: { source: 'meeting' },
    });
    expect([200, 202]).toContain(taken.status);
    await eventually('it can be found', async () => {
      const { hits } = await stack.ok<{ hits: { content: string }[] }>(ann, 'index.chunk.search', { query: 'latex catalogues' });
      return hits.length > 0;
    });
    const missing = await post('ingest', { kind: 'text', title: 'No text' });
    expect([missing.status, missing.body.error.details.fields]).toEqual([400, [{ field: 'content', problem: 'a text needs content' }]]);
    expect((await post('ingest', { kind: 'file', file: '/etc/passwd' })).status).toBe(400);
  });

  it('refuses what it does not know, and what cannot be read, with what would be right', async () => {
    const unknown = await get('heatmap?dimensions=issues_by_feature');
    expect([unknown.status, unknown.body.error.suggestion]).toEqual([400, 'Did you mean "dimension"?']);
    const bad = await get('signals?limit=five');
    expect([bad.status, bad.body.error.details.fields[0].field]).toEqual([400, 'limit']);
    expect((await get('signals?limit=3&limit=4')).status).toBe(400);
    const cut = await get('entities?limit=5000');
    expect([cut.status, cut.body.warnings[0]]).toEqual([200, '"limit" was cut to 100.']);
    expect((await post('entities/status', '{"entity_id": "x"')).status).toBe(400);
    expect((await post('entities/status', [])).status).toBe(400);
    expect((await post('entities/status', {})).body.error.details.fields.map((each: { field: string }) => each.field)).toEqual([
      'entity_id',
      'status',
      'source',
    ]);
    expect((await ask('POST', 'entities/status', 'a=b', { 'content-type': 'text/csv' })).status).toBe(415);
    expect((await post('entities/status?x=1', { entity_id: 'x', status: 'y', source: 'z' })).status).toBe(400);
    const lost = await get('signals?customer=Hoolie%20Gmbh%20of%20Nowhere');
    expect([lost.status, lost.body.error.code]).toEqual([404, 'NOT_FOUND']);
    // Refused by the gateway itself, and recorded all the same.
    await eventually('the refusals stand in the ledger', async () => {
      const { events } = await stack.ok<{ events: unknown[] }>(await stack.caller(), 'system.ledger.search', {
        tool: 'insight.heatmap.get',
        error_code: 'VALIDATION_ERROR',
      });
      return events.length > 0;
    });
  });

  it('answers HEAD with the headers alone, OPTIONS and wrong methods with what is allowed', async () => {
    const head = await fetch(`${door.url}${base}/entities?limit=1`, { method: 'HEAD', headers: { 'x-api-key': ann.apiKey } });
    expect([head.status, await head.text(), head.headers.get('ratelimit-limit')]).toEqual([200, '', '1000000']);
    expect(head.headers.get('link')).toContain('rel="next"');
    const wrong = await ask('DELETE', 'entities');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await rest(door.url, 'OPTIONS', `${base}/ingest`)).headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('counts calls by key, and tells when to come back', async () => {
    const hasty = await stack.caller({ role: 'agent', name: 'hasty', rpm: 2, burst: 0 });
    const bearer = () => rest(door.url, 'GET', `${base}/health`, { headers: { authorization: `Bearer ${hasty.apiKey}` } });
    expect((await bearer()).headers.get('ratelimit-remaining')).toBe('1');
    expect((await get('health?verbose=1', hasty)).status).toBe(400);
    const refused = await bearer();
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect((await get('health')).status).toBe(200);
  });

  it("shows a team what is the team's, and nothing else", async () => {
    const pam = await stack.caller({ role: 'admin', kind: 'human', name: 'pam' });
    const sal = await stack.caller({ role: 'stakeholder', kind: 'human', name: 'sal', team: 'mobile-team' });
    expect((await get('entities', sal)).status).toBe(403);
    await stack.ok(pam, 'configure_stakeholder_access', {
      team: 'mobile-team',
      product_areas: ['Mobile'],
      entity_types: ['feature', 'issue'],
    });
    const sees = await eventually('the scope holds', async () => {
      const answer = await get('entities?entity_type=feature', sal);
      return answer.status === 200 && answer;
    });
    expect(sees.body.data.entities.map((each: { name: string }) => each.name)).toEqual(['Export']);
    const heat = (await get('heatmap?dimension=issues_by_feature&metric=signal_count', sal)).body;
    expect(JSON.stringify(heat)).toContain('Export fails');
    expect(JSON.stringify([heat, sees.body])).not.toMatch(/Invoices|Billing|Umbrella/);
    expect((await get('health', sal)).status).toBe(200);
    expect((await get('reports/latest?report_type=weekly_digest', sal)).status).toBe(404);
    for (const [method, path, body] of [
      ['GET', 'er-stats', undefined],
      ['POST', 'issues/flag', { issue_name: 'x', reason: 'y' }],
      ['POST', 'reports/generate', { report_type: 'weekly_digest' }],
      ['POST', 'entities/link', { entity_id: 'x', external_system: 'jira', external_id: 'X-1' }],
      ['POST', 'ingest', { kind: 'text', title: 'x', content: 'y' }],
      ['GET', '/api/ledger', undefined],
    ] as const) {
      const refused = await ask(method, path, body, {}, sal);
      expect([refused.status, refused.body.error.code], path).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('keeps tenants apart', async () => {
    const eve = await stack.caller({ tenant: 'other', role: 'agent', name: 'eve' });
    expect((await get('signals', eve)).body.data.signals.map((each: { snippet: string }) => each.snippet)).toEqual([
      'The export of others fails.',
    ]);
    const foreign = entityIdOf('other', 'customer', 'Umbrella');
    const refused = await post('entities/status', { entity_id: foreign, status: 'fixed', source: 'jira' });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect((await get(`provenance?entity_id=${foreign}`)).status).toBe(404);
  });

  it('waits for a person where the policy says so', async () => {
    const careful = await stack.services.governance.keys.create({
      tenant: 'acme',
      role: 'agent',
      name: 'careful',
      policy: 'careful',
      rpm: 1000,
    });
    const asked = await rest(door.url, 'POST', `${base}/ingest`, {
      key: careful.api_key,
      body: { kind: 'text', title: 'x', content: 'Wait.' },
    });
    expect([asked.status, asked.body.status]).toEqual([202, 'pending_approval']);
    expect(asked.body.refs).toMatchObject([{ type: 'approval', id: asked.body.data.approval_id }, expect.anything()]);
  });

  it('lets an operation end by the clock, on the real pipeline', async () => {
    let now = new Date('2026-12-24T00:00:00Z');
    const app = apiOf(stack, { now: () => now });
    const admin = await stack.caller({ name: 'auditor' });
    const ledger = () => app.inject({ method: 'GET', url: '/api/ledger?limit=1&cursor=99999999', headers: { 'x-api-key': admin.apiKey } });
    const works = await ledger();
    expect([works.statusCode, works.headers.deprecation, works.headers.sunset]).toEqual([
      200,
      'Sun, 22 Nov 2026 00:00:00 GMT',
      'Tue, 01 Jun 2027 00:00:00 GMT',
    ]);
    expect(works.json().data.events).toHaveLength(1);
    now = new Date('2027-06-01T00:00:00Z');
    const gone = await ledger();
    expect([gone.statusCode, gone.json().error.code, gone.json().error.details.migration_guide]).toEqual([
      410,
      'GONE',
      expect.stringMatching(/^http.*\/docs\/migrations\/ledger-route$/),
    ]);
    await app.close();
  });
});
