import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../../contracts/governance/policy.ts';
import type { InboxItem } from '../../../../contracts/inbox.ts';
import { countdown, groupOf, kindOf, merged, standing, touched } from './model.ts';

const item = (id: string, more: Partial<InboxItem> = {}): InboxItem => ({
  kind: 'call',
  id,
  title: 'tool',
  who: 'bot',
  note: 'why',
  since: `2026-01-01T00:00:0${id}.000Z`,
  expires_at: null,
  open: true,
  data: {},
  ...more,
});

describe('the list', () => {
  const first = merged([], [item('1'), item('3')], true).items;

  it('keeps what is gone in its place, and takes it back when it is open again', () => {
    const { items } = merged(first, [item('3')], false);
    expect(items.map(({ id, gone }) => [id, gone])).toEqual([
      ['1', true],
      ['3', false],
    ]);
    expect(merged(items, [item('1'), item('3')], false).items.every(({ gone }) => !gone)).toBe(true);
  });

  it('tells how many are new, and shows them in order when they are wanted', () => {
    const now = [item('1'), item('2'), item('3'), item('9', { expires_at: '2026-01-02T00:00:00.000Z' })];
    expect(merged(first, now, false)).toMatchObject({ fresh: 2, items: [{ id: '1' }, { id: '3' }] });
    expect(merged(first, now, true)).toMatchObject({ fresh: 0, items: [{ id: '9' }, { id: '1' }, { id: '2' }, { id: '3' }] });
  });
});

it('decides together what is equal in tool, caller and reason, and failed ingestions', () => {
  expect(groupOf([item('1'), item('2')])).toEqual({ can: 'decide' });
  for (const other of [{ title: 'x' }, { who: 'x' }, { note: 'x' }, { kind: 'notice' as const }])
    expect(groupOf([item('1'), item('2', other)]).can).toBeNull();
  expect(groupOf(Array.from({ length: 21 }, (_, i) => item(String(i)))).can).toBeNull();
  expect(groupOf([item('1', { kind: 'dead_letter', title: 'a' }), item('2', { kind: 'dead_letter', title: 'b' })])).toEqual({
    can: 'letters',
  });
});

it('knows the kind of an item by its id', () => {
  expect(['apr_1', 'fb_1', 'out_1', 'dlq_1', 'del_1', 'notif_1', 'github/read', 'x'].map(kindOf)).toEqual([
    'call',
    'review',
    'output',
    'dead_letter',
    'undelivered',
    'notice',
    'definition',
    undefined,
  ]);
});

it('counts down', () => {
  expect([0, -5, 1, 59_000, 61_000, 3_599_000, 3_600_000, 26 * 3_600_000].map(countdown)).toEqual([
    '',
    '',
    '0:01',
    '0:59',
    '1:01',
    '59:59',
    '1 h 0 min',
    '26 h 0 min',
  ]);
});

it('offers a decision only while it is open, and to somebody else than the asker under four eyes', () => {
  const call = {
    status: 'pending',
    expires_at: '2026-01-01T00:00:10.000Z',
    requested_by_me: false,
    four_eyes: true,
    you_may_decide: true,
  } as Approval;
  const at = Date.parse('2026-01-01T00:00:09.000Z');
  expect(standing(call, at).open).toBe(true);
  expect(standing(call, at + 1_000).open).toBe(false);
  expect(standing({ ...call, requested_by_me: true }, at)).toMatchObject({ open: false, text: expect.stringContaining('another person') });
  expect(standing({ ...call, requested_by_me: true, four_eyes: false }, at).open).toBe(true);
  expect(standing({ ...call, you_may_decide: false }, at).open).toBe(false);
  expect(standing({ ...call, status: 'rejected', decided_by: 'pam' }, at)).toMatchObject({ open: false, text: 'Rejected by pam.' });
});

it('finds the records that arguments name', () => {
  expect(touched({ task_id: 't1', nested: { entity_ids: ['e1', 'e2', 'e1'] }, text: 'task_id', list: [{ job_id: 'j' }] })).toEqual([
    { type: 'task', id: 't1' },
    { type: 'entity', id: 'e1' },
    { type: 'entity', id: 'e2' },
    { type: 'job', id: 'j' },
  ]);
});
