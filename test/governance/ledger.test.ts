/** Entries that the ledger cannot store. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller, Front } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/governance/ledger.ts';
import { newCallId } from '../../contracts/ids.ts';
import { Ledger, type LedgerEvent } from '../../services/governance/ledger.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
});
afterAll(() => stack?.stop());

const written = (ids: string[]) =>
  asTenant('acme', () =>
    stack.db.query<{ tool: string; called_as: string; type: string }>(
      `select tool, called_as, type from ledger_events where tenant_id = 'acme' and tool_call_id = any($1) order by id`,
      [ids],
    ),
  );
const intact = () => asTenant('acme', () => stack.services.governance.chain.verify('acme'));

it('calls with names that cannot be stored are recorded under a storable name, and block no other entry', async () => {
  const shown = new Map([
    ['\0', '\ufffd'],
    [`${'x'.repeat(127)}😀`, `${'x'.repeat(127)}…`],
    [`${'x'.repeat(126)}😀y`, `${'x'.repeat(126)}\ufffd…`],
    ['work\ud83e', 'work\ufffd'],
    ['work\u001b[2J\r\n\u202e', 'work\ufffd[2J\ufffd\ufffd\ufffd'],
  ]);
  const ids: string[] = [];
  for (const name of shown.keys()) {
    const { error, envelope } = await stack.call(ann, name);
    expect(error?.code).toBe('NOT_FOUND');
    ids.push(envelope.tool_call_id);
  }
  // A write waits for its own entry, which shares a statement with theirs.
  await stack.ok(ann, 'substrate.artifact.upload', { content: 'x', media_type: 'text/plain' });
  await stack.services.governance.ledger.close();
  const rows = await written(ids);
  expect(rows.map(({ tool, called_as, type }) => [tool, called_as, type])).toEqual(
    [...shown.values()].flatMap((name) => ['tool.call.started', 'tool.call.failed'].map((type) => [name, name, type])),
  );
  expect(await intact()).toMatchObject({ intact: true, breaches: [] });
});

it('a name that had to be cut names no tool', async () => {
  expect((await stack.call(ann, `system.tool.list${' '.repeat(200)}`)).error?.code).toBe('NOT_FOUND');
});

const event = (more: Partial<LedgerEvent> = {}): LedgerEvent => ({
  type: 'tool.call.started',
  toolCallId: newCallId(),
  tool: 'work.phase.list',
  calledAs: 'work.phase.list',
  toolVersion: 1,
  effect: 'read',
  front: 'mcp',
  caller: ann,
  inputHash: 'x',
  at: new Date(),
  ...more,
});

it('a row that cannot be written takes none of its neighbours with it, and is not tried for ever', async () => {
  const ledger = new Ledger(stack);
  const all = [event(), event({ front: '\0' as Front }), event(), event({ front: '\0' as Front }), event()];
  const [first, badNote, second, badWrite, third] = all;
  ledger.note(first!);
  ledger.note(badNote!);
  const outcomes = await Promise.allSettled([second!, badWrite!, third!].map((each) => ledger.record(each)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await ledger.record(event());
  await ledger.close();
  expect(await written(all.map(({ toolCallId }) => toolCallId))).toHaveLength(3);
  // A reference may hold what a caller has said.
  const refers = event({ refs: [{ type: 'task', id: 'a\0b\ud83e' }] });
  await ledger.record(refers);
  expect(await written([refers.toolCallId])).toHaveLength(1);
  expect(await intact()).toMatchObject({ intact: true, breaches: [] });
});

it('while Postgres is away writes are refused, and what has happened is kept', async () => {
  let away = true;
  const query: Database['query'] = (text, values) =>
    away ? Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'away')) : stack.db.query(text, values);
  const ledger = new Ledger({ ...stack, db: { ...stack.db, query } });
  const [end, write] = [event({ type: 'tool.call.completed' }), event()];
  ledger.note(end);
  await expect(ledger.record(write)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  away = false;
  await ledger.close();
  expect(await written([end.toolCallId, write.toolCallId])).toMatchObject([{ type: 'tool.call.completed' }]);
});

it('a period is paged in the order of time, also where entries were written late or in the same millisecond', async () => {
  const minutes = [0, 10, 20, 20, 30, 5, 40];
  const calls = minutes.map((minute) => event({ calledAs: 'late', at: new Date(Date.UTC(2026, 0, 1, 12, minute)) }));
  const ledger = new Ledger(stack);
  for (const call of calls) await ledger.record(call);
  await ledger.close();
  const paged = async (args: object): Promise<number[]> => {
    const found: number[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 9; pages += 1) {
      const asked = { tool: 'late', limit: 2, ...args, ...(cursor === undefined ? {} : { cursor }) };
      const { data, envelope } = await stack.call(ann, 'system.ledger.search', asked);
      found.push(...(data as { events: LedgerEntry[] }).events.map(({ at }) => new Date(at).getUTCMinutes()));
      cursor = envelope.metadata.next_cursor;
      if (cursor === undefined) return found;
    }
    throw new Error('The pages do not end.');
  };
  expect(await paged({ until: '2026-01-01T12:40:00Z' })).toEqual([30, 20, 20, 10, 5, 0]);
  expect(await paged({ since: '2026-01-01T12:05:00Z', until: '2026-01-01T12:30:00Z' })).toEqual([20, 20, 10, 5]);
  expect(await paged({ since: '2026-01-01T12:20:00Z' })).toEqual([40, 30, 20, 20]);
  // Without a period: as they were written.
  expect(await paged({})).toEqual([40, 5, 30, 20, 20, 10, 0]);
});
