import type { LedgerEntry } from '../../../../contracts/governance/ledger.ts';
import type { AspectName } from '../../ui/Aspect.tsx';

export const spans = [
  ['', 'ever'],
  ['1h', 'the last hour'],
  ['24h', 'the last day'],
  ['7d', 'the last week'],
] as const;

const lengths: Record<string, number> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000 };

/** @returns ISO 8601; undefined: no limit. A time that somebody wrote into the address counts as it is. */
export function sinceOf(since: string, now: number): string | undefined {
  const length = lengths[since];
  if (length !== undefined) return new Date(now - length).toISOString();
  const at = Date.parse(since);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

export interface LedgerUrl {
  tool: string;
  principal: string;
  code: string;
  front: string;
  key: string;
  session: string;
  trace: string;
  approval: string;
}

const argument: Record<keyof LedgerUrl, string> = {
  tool: 'tool',
  principal: 'principal',
  code: 'error_code',
  front: 'front',
  key: 'key_id',
  session: 'session_id',
  trace: 'trace_id',
  approval: 'approval_id',
};

/** The filters as `system.ledger.search` takes them. */
export const filterOf = (url: LedgerUrl): Record<string, string> =>
  Object.fromEntries(
    Object.entries(argument).flatMap(([name, own]) => {
      const value = url[name as keyof LedgerUrl].trim();
      return value === '' ? [] : [[own, value]];
    }),
  );

/** Filters that other screens link with; they have no field of their own. */
export const pivots = (url: LedgerUrl): [name: keyof LedgerUrl, label: string, value: string][] =>
  (
    [
      ['key', 'Key', url.key],
      ['session', 'Session', url.session],
      ['trace', 'Trace', url.trace],
      ['approval', 'Approval', url.approval],
    ] as [keyof LedgerUrl, string, string][]
  ).filter(([, , value]) => value !== '');

/** How the call of an entry stands. */
export function outcome({ type, status, error_code }: LedgerEntry): { aspect: AspectName; text: string } {
  if (type === 'tool.call.approved') return { aspect: 'clear', text: 'approved' };
  if (type === 'tool.call.rejected') return { aspect: 'stop', text: status ?? 'rejected' };
  if (type === 'tool.call.failed') return { aspect: 'stop', text: error_code ?? 'failed' };
  if (type === 'tool.call.completed') {
    return status === 'pending_approval'
      ? { aspect: 'caution', text: 'waits for a person' }
      : { aspect: 'clear', text: status ?? 'success' };
  }
  return { aspect: 'held', text: 'not ended' };
}
