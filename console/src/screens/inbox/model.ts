import type { Approval } from '../../../../contracts/governance/policy.ts';
import type { InboxItem, InboxKind } from '../../../../contracts/inbox.ts';
import type { Ref } from '../../../../contracts/envelope.ts';

/** The kinds in the order of their groups, with their names. */
export const kindNames: Record<InboxKind, string> = {
  call: 'Call to approve',
  ambiguous: 'Call of unknown outcome',
  definition: 'Changed tool',
  run: 'Work of an agent',
  output: 'Output to judge',
  review: 'Entity review',
  dead_letter: 'Failed ingestion',
  undelivered: 'Undelivered event',
  notice: 'Failed notice',
};
export const kinds = Object.keys(kindNames) as InboxKind[];

/** The kind of an item that another screen links to by its id alone. */
export function kindOf(id: string): InboxKind | undefined {
  if (id.includes('/')) return 'definition';
  const kind: Record<string, InboxKind> = {
    apr: 'call',
    fb: 'review',
    wrun: 'run',
    out: 'output',
    dlq: 'dead_letter',
    del: 'undelivered',
    notif: 'notice',
  };
  return kind[id.split('_')[0]!];
}

/** An item as the list shows it: those that were decided meanwhile stay, struck through, until the list is left. */
export interface Shown extends InboxItem {
  gone: boolean;
}

const order = (a: InboxItem, b: InboxItem): number =>
  (a.expires_at ?? '9').localeCompare(b.expires_at ?? '9') || a.since.localeCompare(b.since) || a.id.localeCompare(b.id);

/**
 * The list after the server was asked again. What is gone stays in its place. What is new waits, so that it never pushes
 * what is being read.
 * @param all whether new items are taken in: at first, for a further page, or because the user wants them
 */
export function merged(before: readonly Shown[], now: readonly InboxItem[], all: boolean): { items: Shown[]; fresh: number } {
  const open = new Map(now.map((item) => [item.id, item]));
  const kept = before.map((item): Shown => {
    const same = open.get(item.id);
    return same ? { ...same, gone: false } : { ...item, gone: true };
  });
  const known = new Set(before.map(({ id }) => id));
  const added = now.filter(({ id }) => !known.has(id));
  const items = all ? [...kept, ...added.map((item): Shown => ({ ...item, gone: false }))].toSorted(order) : kept;
  return { items, fresh: all ? 0 : added.length };
}

/** Most calls that are decided together: a person can still read them. */
const together = 20;

/** What can be decided about several chosen items at once, or why nothing can. */
export function groupOf(items: readonly InboxItem[]): { can: 'decide' | 'letters'; why?: undefined } | { can: null; why: string } {
  if (items.every(({ kind }) => kind === 'dead_letter')) return { can: 'letters' };
  const [first, ...rest] = items;
  if (!items.every(({ kind }) => kind === 'call'))
    return { can: null, why: 'Only calls, or only failed ingestions, are decided together.' };
  const same = rest.every(({ title, who, note }) => title === first!.title && who === first!.who && note === first!.note);
  if (!same) return { can: null, why: 'Only calls of the same tool, by the same caller, for the same reason, are decided together.' };
  if (items.length > together) return { can: null, why: `At most ${together} calls are decided together.` };
  return { can: 'decide' };
}

/** `59:07`, `3 h 12 min`; empty once it is over. */
export function countdown(ms: number): string {
  if (ms <= 0) return '';
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** What the user may do with a call. */
export function standing(
  { status, expires_at, requested_by_me, four_eyes, you_may_decide, decided_by, finished_at }: Approval,
  now: number,
): { open: boolean; text: string; aspect: 'stop' | 'caution' | 'clear' | 'held' } {
  const by = decided_by ? ` by ${decided_by}` : '';
  if (status === 'pending') {
    if (Date.parse(expires_at) <= now) return { open: false, text: 'It has expired: nobody decided in time.', aspect: 'stop' };
    if (requested_by_me && four_eyes)
      return { open: false, text: 'You requested this call: another person must decide.', aspect: 'caution' };
    const text = you_may_decide ? 'It waits for a decision.' : 'It waits for a person who may decide.';
    return { open: you_may_decide, text, aspect: 'caution' };
  }
  if (status === 'approved' || status === 'started') return { open: false, text: `Approved${by}. It runs.`, aspect: 'held' };
  if (status === 'completed') return { open: false, text: `Approved${by}, and done.`, aspect: 'clear' };
  if (status === 'failed') return { open: false, text: `Approved${by}; it failed.`, aspect: 'stop' };
  if (status === 'ambiguous')
    return { open: false, text: `Approved${by}; whether it took effect is unknown.`, aspect: finished_at === null ? 'caution' : 'stop' };
  if (status === 'expired') return { open: false, text: 'It has expired: nobody decided in time.', aspect: 'stop' };
  return { open: false, text: status === 'rejected' ? `Rejected${by}.` : `Cancelled${by}.`, aspect: 'stop' };
}

/** Fields of arguments that name records, by the field's name. */
const named: Record<string, Ref['type']> = {
  task_id: 'task',
  entity_id: 'entity',
  agent_id: 'agent',
  source_id: 'source',
  document_id: 'document',
  signal_id: 'signal',
  opportunity_id: 'opportunity',
  draft_id: 'draft',
  job_id: 'job',
  approval_id: 'approval',
};

/** Records that a call touches, as far as its arguments name them; at most twelve. */
export function touched(value: unknown): { type: Ref['type']; id: string }[] {
  const found = new Map<string, { type: Ref['type']; id: string }>();
  const walk = (part: unknown, depth: number): void => {
    if (part === null || typeof part !== 'object' || depth > 6) return;
    for (const [key, inner] of Object.entries(part)) {
      const type = named[key.replace(/_ids$/, '_id')];
      for (const id of Array.isArray(inner) ? inner : [inner])
        if (type && typeof id === 'string' && id !== '' && id.length <= 128) found.set(`${type} ${id}`, { type, id });
      walk(inner, depth + 1);
    }
  };
  walk(value, 0);
  return [...found.values()].slice(0, 12);
}
