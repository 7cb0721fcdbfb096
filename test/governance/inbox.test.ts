/** What waits for people, in one list; four eyes; single calls; and the events that keep a list of these up to date. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { CallDetail } from '../../contracts/governance/calls.ts';
import type { LedgerEntry } from '../../contracts/governance/ledger.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import { inboxKindNames, type InboxItem } from '../../contracts/inbox.ts';
import { endRow } from '../../services/outbound/records.ts';
import { hostile } from '../console/hostile.ts';
import { seedInbox, seedRun } from '../console/seed-inbox.ts';
import { committedVisible } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pam: Caller;
let robo: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pam = await stack.caller({ role: 'pm', name: 'pam' });
  robo = await stack.caller({ role: 'agent', name: 'robo' });
});
afterAll(() => stack?.stop());

interface Listed {
  items: InboxItem[];
  counts: Record<string, number>;
}

/** A tool that agents ask for and people do not. */
const asking = 'schema.definition.register';
const schema = (name: string) => ({ name, version: '1.0.0', json_schema: { type: 'object' } });
const ask = async (who: Caller, name: string, tenant?: string): Promise<string> => {
  const { envelope, data } = await stack.call(who, asking, schema(name));
  expect([tenant, envelope.status]).toEqual([tenant, 'pending_approval']);
  return (data as { approval_id: string }).approval_id;
};
const events = (tenant: string, type: string) =>
  asTenant(tenant, () =>
    stack.db.query<{ subject: string; data: Record<string, unknown> }>(
      'select subject, data from outbox where tenant_id = $1 and type = $2 order by id',
      [tenant, type],
    ),
  );

describe('the inbox', () => {
  it('has every kind, what expires first at first, page by page, each item once', async () => {
    const tenant = 'full';
    const ann = await stack.caller({ tenant, role: 'admin', name: 'ann' });
    await seedInbox(stack, tenant, hostile);
    await seedRun(stack, tenant, hostile);
    const { items, counts } = await stack.ok<Listed>(ann, 'system.inbox.list', { limit: 100 });
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(inboxKindNames));
    for (const kind of inboxKindNames) expect([kind, items.filter((item) => item.kind === kind).length]).toEqual([kind, counts[kind]]);
    const due = items.map(({ expires_at, since }) => `${expires_at ?? '9999'} ${since}`);
    expect(due).toEqual(due.toSorted());
    expect(items[0]).toMatchObject({ kind: 'call', open: true, data: { requested_by_me: false, four_eyes: false } });

    const seen: InboxItem[] = [];
    for (let cursor: string | undefined; ;) {
      const { envelope, data } = await stack.call(ann, 'system.inbox.list', { limit: 7, ...(cursor ? { cursor } : {}) });
      seen.push(...(data as Listed).items);
      cursor = envelope.metadata.next_cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(items);
    const some = await stack.ok<Listed>(ann, 'system.inbox.list', { kinds: ['output', 'notice'] });
    expect([new Set(some.items.map(({ kind }) => kind)), some.counts]).toEqual([new Set(['output', 'notice']), counts]);
    expect((await stack.call(ann, 'system.inbox.list', { cursor: 'x' })).error?.code).toBe('VALIDATION_ERROR');

    const output = items.find(({ kind }) => kind === 'output')!;
    expect(Array.from(String(output.data['content']))).toHaveLength(2_000);
    const { item } = await stack.ok<{ item: InboxItem }>(ann, 'system.inbox.get', { kind: 'output', id: output.id });
    expect(Array.from(String(item.data['content']))).toHaveLength(item.data['characters'] as number);
    expect((await stack.call(ann, 'system.inbox.get', { kind: 'notice', id: output.id })).error?.code).toBe('NOT_FOUND');
    const other = await stack.caller({ tenant: 'other', role: 'admin' });
    expect((await stack.ok<Listed>(other, 'system.inbox.list')).items).toEqual([]);
    expect((await stack.call(other, 'system.inbox.get', { kind: 'output', id: output.id })).error?.code).toBe('NOT_FOUND');
  });

  it('shows agents their own calls only, keys what their scopes allow, and teams nothing', async () => {
    const mine = await ask(robo, 'own');
    const rival = await stack.caller({ role: 'agent', name: 'rival' });
    const listOf = async (who: Caller, args = {}) => (await stack.ok<Listed>(who, 'system.inbox.list', { limit: 100, ...args })).items;
    expect((await listOf(robo)).map(({ id }) => id)).toContain(mine);
    expect((await listOf(rival)).map(({ id }) => id)).not.toContain(mine);
    expect((await stack.call(rival, 'system.inbox.get', { kind: 'call', id: mine })).error?.code).toBe('NOT_FOUND');
    expect((await listOf(pam)).map(({ id }) => id)).toContain(mine);
    expect(await listOf(pam, { mine: true })).toEqual([]);
    const narrow = await stack.caller({ tenant: 'full', role: 'pm', scopes: ['graph:read'] });
    expect(Object.keys((await stack.ok<Listed>(narrow, 'system.inbox.list')).counts).toSorted()).toEqual(['ambiguous', 'call', 'review']);
    const team = await stack.caller({ tenant: 'full', role: 'stakeholder', team: 'sales' });
    expect((await stack.ok<Listed>(team, 'system.inbox.list')).items).toEqual([]);
    await stack.ok(pam, 'approval.request.reject', { approval_id: mine });
    expect((await listOf(pam)).map(({ id }) => id)).not.toContain(mine);
    expect(await stack.ok(pam, 'system.inbox.get', { kind: 'call', id: mine })).toMatchObject({
      item: { open: false, data: { status: 'rejected', decided_by: 'pam' } },
    });
  });
});

describe('a decision', () => {
  it('is bound to the arguments that were looked at', async () => {
    const id = await ask(robo, 'bound');
    const { approval } = await stack.ok<{ approval: Approval }>(pam, 'approval.request.get', { approval_id: id });
    const wrong = await stack.call(pam, 'approval.request.approve', { approval_id: id, input_hash: '0'.repeat(64) });
    expect(wrong.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'arguments_changed' } });
    const right = await stack.ok<{ approval: Approval }>(pam, 'approval.request.approve', {
      approval_id: id,
      input_hash: approval.input_hash,
    });
    expect(right.approval.status).toBe('completed');
    const same = await stack.ok<{ approvals: Approval[] }>(pam, 'approval.request.list', {
      status: 'all',
      tool: asking,
      input_hash: approval.input_hash,
    });
    expect(same.approvals.map((each) => each.approval_id)).toEqual([id]);
  });

  it('is another person’s under four eyes, also after the key was rotated and whatever the role', async () => {
    const tenant = 'eyes';
    const ann = await stack.caller({ tenant, role: 'admin', name: 'ann' });
    const bob = await stack.caller({ tenant, role: 'pm', name: 'bob' });
    await stack.ok(ann, 'system.policy.save', {
      name: 'standard',
      base: 'standard',
      rules: [{ when: `tool.name == "${asking}"`, effect: 'ask', reason: 'Schemas are looked at by two.' }],
      four_eyes: true,
    });
    const id = await ask(ann, 'pair', undefined);
    const [listed] = (await stack.ok<{ approvals: Approval[] }>(ann, 'approval.request.list', { mine: true })).approvals;
    expect(listed).toMatchObject({ approval_id: id, requested_by_me: true, four_eyes: true });
    for (const tool of ['approval.request.approve', 'approval.request.reject']) {
      const refused = await stack.call(ann, tool, { approval_id: id });
      expect(refused.error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'four_eyes' }, hint: expect.stringContaining('cancel') });
    }
    const again = await stack.caller({ tenant, role: 'admin', name: 'ann' });
    expect((await stack.call(again, 'approval.request.approve', { approval_id: id })).error?.code).toBe('FORBIDDEN');
    const { approval } = await stack.ok<{ approval: Approval }>(bob, 'approval.request.approve', { approval_id: id });
    expect(approval).toMatchObject({ status: 'completed', decided_by: 'bob', requested_by_me: false });
    const own = await ask(ann, 'taken-back');
    expect(await stack.ok(ann, 'approval.request.cancel', { approval_id: own })).toMatchObject({ approval: { status: 'cancelled' } });
    expect(await events(tenant, 'policy.saved')).toEqual([{ subject: 'standard', data: { policy: 'standard', version: 1, by: 'ann' } }]);
  });
});

describe('events', () => {
  it('tell of each decision and each end, once', async () => {
    const tenant = 'told';
    const [ann, bot] = [
      await stack.caller({ tenant, role: 'pm', name: 'ann' }),
      await stack.caller({ tenant, role: 'agent', name: 'bot' }),
    ];
    const [yes, no, back] = [await ask(bot, 'yes'), await ask(bot, 'no'), await ask(bot, 'back')];
    await stack.ok(ann, 'approval.request.approve', { approval_id: yes, wait_seconds: 30 });
    await stack.ok(ann, 'approval.request.approve', { approval_id: yes });
    await stack.ok(ann, 'approval.request.reject', { approval_id: no });
    await stack.ok(bot, 'approval.request.cancel', { approval_id: back });
    expect(await events(tenant, 'approval.decided')).toEqual([
      { subject: yes, data: { tool: asking, status: 'approved', by: 'ann' } },
      { subject: no, data: { tool: asking, status: 'rejected', by: 'ann' } },
      { subject: back, data: { tool: asking, status: 'cancelled', by: 'bot' } },
    ]);
    expect(await events(tenant, 'approval.finished')).toEqual([{ subject: yes, data: { tool: asking, status: 'completed' } }]);
  });

  it('tell of judged outputs and closed dead letters', async () => {
    const tenant = 'closed';
    const [ann, bot] = [
      await stack.caller({ tenant, role: 'pm', name: 'ann' }),
      await stack.caller({ tenant, role: 'agent', name: 'bot' }),
    ];
    const output = await stack.ok<{ output_id: string }>(bot, 'agent.output.submit', {
      kind: 'note',
      title: 't',
      content: 'c',
    });
    await stack.ok(ann, 'agent.output.review', { output_id: output.output_id, decision: 'accept' });
    await expect
      .poll(() => events(tenant, 'review.decided'))
      .toEqual([{ subject: output.output_id, data: { kind: 'agent_output', action: 'judge', status: 'confirmed', by: 'ann' } }]);

    await asTenant(tenant, () =>
      stack.db.query(
        `insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
         select $1, 'dlq_' || n, 'job_gone', 'w', 't', 'extraction', 'parse', case when n < 4 then 'A' else 'B' end, 'e', 1, 'refused' from generate_series(1, 5) n`,
        [tenant],
      ),
    );
    const pages = await stack.call(ann, 'ingest.dlq.list', { limit: 2 });
    expect(pages.envelope.metadata).toMatchObject({ total_count: 5, result_count: 2, next_cursor: expect.any(String) });
    const next = await stack.ok<{ items: unknown[] }>(ann, 'ingest.dlq.list', { limit: 5, cursor: pages.envelope.metadata.next_cursor });
    expect(next.items).toHaveLength(3);
    expect((await stack.ok<{ items: unknown[] }>(ann, 'ingest.dlq.list', { error_code: 'B' })).items).toHaveLength(2);

    const several = await stack.call(ann, 'ingest.dlq.abandon', { dlq_ids: ['dlq_1', 'dlq_none', 'dlq_2', 'dlq_1'] });
    expect(several.envelope.status).toBe('partial');
    expect((several.data as { results: unknown[] }).results).toMatchObject([
      { dlq_id: 'dlq_1', item: { status: 'abandoned' } },
      { dlq_id: 'dlq_none', error: { code: 'NOT_FOUND' } },
      { dlq_id: 'dlq_2', item: { status: 'abandoned' } },
    ]);
    const repeated = await stack.call(ann, 'ingest.dlq.abandon', { dlq_ids: ['dlq_1', 'dlq_3'] });
    expect((repeated.data as { results: unknown[] }).results).toMatchObject([
      { error: { code: 'CONFLICT' } },
      { item: { status: 'abandoned' } },
    ]);
    expect((await stack.call(ann, 'ingest.dlq.abandon', {})).error?.code).toBe('VALIDATION_ERROR');
    expect((await stack.call(ann, 'ingest.dlq.retry', { dlq_id: 'dlq_4', dlq_ids: ['dlq_5'] })).error?.code).toBe('VALIDATION_ERROR');
    expect((await events(tenant, 'dlq.item_closed')).map(({ subject, data }) => [subject, data['status'], data['by']])).toEqual([
      ['dlq_1', 'abandoned', 'ann'],
      ['dlq_2', 'abandoned', 'ann'],
      ['dlq_3', 'abandoned', 'ann'],
    ]);
  });

  it('tell of a notification that did not arrive, but not of one that a subscription sent', async () => {
    const tenant = 'notices';
    const notice = (id: string, key: string) =>
      asTenant(tenant, async () => {
        await stack.db.query(
          `insert into notifications (tenant_id, id, channel, recipient, recipient_hash, recipient_shown, title, body, priority, content_hash, status, created_by)
           values ($1, $2, 'email', 'x', 'x', 'x', 't', 'b', 'normal', $2, 'queued', 'ann')`,
          [tenant, id],
        );
        await stack.db.query('insert into notification_keys (tenant_id, key, notification_id, content_hash) values ($1, $2, $3, $3)', [
          tenant,
          key,
          id,
        ]);
        await endRow(stack.db, tenant, id, 'failed', { code: 'NOT_FOUND', message: 'no such mailbox' });
        await endRow(stack.db, tenant, id, 'failed', { code: 'NOT_FOUND', message: 'no such mailbox' });
      });
    await asTenant(tenant, () =>
      stack.db.query(
        `insert into event_subscriptions (tenant_id, id, target, channel, recipient, seq, created_by) values ($1, 'sub_1', 'notification', 'email', 'x', 0, 'ann')`,
        [tenant],
      ),
    );
    await notice('notif_1', 'by-hand');
    await notice('notif_2', 'sub_1:evt_1');
    expect(await events(tenant, 'notification.failed')).toEqual([
      { subject: 'notif_1', data: { channel: 'email', status: 'failed', error_code: 'NOT_FOUND' } },
    ]);
  });
});

describe('one call', () => {
  it('is told with its entries folded, its decision, its wait and its run, from both ends', async () => {
    const id = await ask(robo, 'whole');
    const { approval } = await stack.ok<{ approval: Approval }>(pam, 'approval.request.approve', { approval_id: id });
    const asked = await detail(pam, approval.tool_call_id, (call) => call.ran_as_call !== null);
    expect(asked).toMatchObject({
      tool: asking,
      principal: 'robo',
      input_hash: approval.input_hash,
      status: 'pending_approval',
      approval: { approval_id: id, decided_by: 'pam', status: 'completed' },
      asked_by_call: null,
    });
    expect(asked.steps.map(({ kind }) => kind).toSorted()).toEqual(['call', 'call', 'run', 'wait']);
    expect(asked.entries.map(({ type }) => type)).toContain('tool.call.approved');
    const ran = await detail(pam, asked.ran_as_call!, (call) => call.status !== null);
    expect(ran).toMatchObject({ asked_by_call: asked.tool_call_id, status: 'success', principal: 'robo' });
    expect(JSON.stringify([asked.entries, ran.entries])).not.toContain('json_schema');
    const other = await stack.caller({ tenant: 'other', role: 'admin' });
    expect((await stack.call(other, 'system.call.get', { tool_call_id: asked.tool_call_id })).error?.code).toBe('NOT_FOUND');
  });

  it('is found by front, key, session, approval and trace, one entry each when folded', async () => {
    const ann = await stack.caller({ role: 'admin', name: 'finder' });
    const { session } = await stack.ok<{ session: { session_id: string } }>(ann, 'system.session.open', { name: 's' });
    await stack.pipeline.call({ name: 'work.phase.list', arguments: {}, caller: ann, front: 'a2a', sessionId: session.session_id });
    await stack.pipeline.call({ name: 'work.task.get', arguments: { task_id: 'none' }, caller: ann, front: 'rest' });
    await stack.services.governance.ledger.close();
    const find = async (args: object) => (await stack.ok<{ events: LedgerEntry[] }>(ann, 'system.ledger.search', args)).events;
    const own = { principal: 'finder' };
    expect((await find({ ...own, front: 'a2a', folded: true })).map(({ tool, type }) => [tool, type])).toEqual([
      ['work.phase.list', 'tool.call.completed'],
    ]);
    expect(await find({ ...own, front: 'a2a' })).toHaveLength(2);
    expect((await find({ session_id: session.session_id, folded: true })).map(({ tool }) => tool)).toEqual(['work.phase.list']);
    const [failed] = await find({ key_id: ann.keyId, front: 'rest', folded: true });
    expect(failed).toMatchObject({ tool: 'work.task.get', error_code: 'NOT_FOUND' });
    const id = await ask(robo, 'found');
    await stack.services.governance.ledger.close();
    await stack.ok(pam, 'approval.request.reject', { approval_id: id });
    expect((await find({ approval_id: id })).map(({ type, principal }) => [type, principal])).toEqual([['tool.call.rejected', 'pam']]);
    expect(await find({ trace_id: 'none' })).toEqual([]);
  });

  async function detail(who: Caller, tool_call_id: string, until: (call: CallDetail) => boolean): Promise<CallDetail> {
    let call: CallDetail | undefined;
    await expect
      .poll(async () => {
        const answer = await stack.call(who, 'system.call.get', { tool_call_id });
        call = answer.error ? undefined : (answer.data as { call: CallDetail }).call;
        return call !== undefined && until(call);
      })
      .toBe(true);
    return call!;
  }
});

describe('the head of the ledger', () => {
  it('is found again when somebody kept it, and not when it is of another chain', async () => {
    const tenant = 'heads';
    const ann = await stack.caller({ tenant, role: 'admin', name: 'ann' });
    await stack.ok(ann, 'work.phase.list');
    await stack.services.governance.ledger.close();
    await committedVisible(stack.db);
    const first = await stack.ok<{ intact: boolean; head: { link: string; hash: string } }>(ann, 'system.ledger.verify');
    expect(first.intact).toBe(true);
    await stack.ok(ann, 'work.phase.list');
    await stack.services.governance.ledger.close();
    await committedVisible(stack.db);
    const later = await stack.ok<{ contains: { link: string } | null; head: { link: string } }>(ann, 'system.ledger.verify', {
      head: first.head.hash,
    });
    expect(later.contains).toMatchObject({ link: first.head.link });
    expect(BigInt(later.head.link)).toBeGreaterThan(BigInt(first.head.link));
    expect(await stack.ok(ann, 'system.ledger.verify', { head: 'a'.repeat(64) })).toMatchObject({ contains: null });
    expect((await stack.call(ann, 'system.ledger.verify', { head: 'no hash' })).error?.code).toBe('VALIDATION_ERROR');
  });
});
