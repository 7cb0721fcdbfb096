import { expect, it } from 'vitest';
import type { LedgerEntry } from '../../../../contracts/governance/ledger.ts';
import { filterOf, outcome, pivots, sinceOf } from './model.ts';

const url = { tool: '', principal: '', code: '', front: '', key: '', session: '', trace: '', approval: '' };

it('names filters as the tool does, and leaves empty ones out', () => {
  expect(filterOf({ ...url, code: ' NOT_FOUND ', key: 'k1' })).toEqual({ error_code: 'NOT_FOUND', key_id: 'k1' });
  expect(filterOf(url)).toEqual({});
  expect(pivots({ ...url, trace: 't', tool: 'x' })).toEqual([['trace', 'Trace', 't']]);
});

it('counts times from now, and takes a time as it is', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  expect(['1h', '24h', '2026-01-01', 'nonsense', ''].map((since) => sinceOf(since, now))).toEqual([
    '2026-01-01T23:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    undefined,
    undefined,
  ]);
});

it('tells the outcome of each kind of entry', () => {
  const of = (type: string, more: object = {}) =>
    outcome({ type: `tool.call.${type}`, status: null, error_code: null, ...more } as LedgerEntry).text;
  expect([
    of('started'),
    of('completed', { status: 'success' }),
    of('completed', { status: 'pending_approval' }),
    of('failed', { error_code: 'CONFLICT' }),
    of('approved'),
    of('rejected', { status: 'expired' }),
  ]).toEqual(['not ended', 'success', 'waits for a person', 'CONFLICT', 'approved', 'expired']);
});
