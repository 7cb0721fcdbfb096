/** A task's history as a picture: leases, states, decisions and refusals on one axis, with long pauses compressed. */
import type { Heartbeats, HistoryEntry, RunningLease } from '../../../../contracts/work/history.ts';
import { counted } from '../../ui/words.ts';

export interface LeaseBar {
  token: number | null;
  agent: string;
  from: number;
  to: number;
  /** Until when it would have run. */
  expires: number | null;
  running: boolean;
  /** Why it went over or ended. */
  end: string;
  heartbeats: Heartbeats | null;
}
export interface StateBar {
  status: HistoryEntry['status'];
  from: number;
  to: number;
}
export interface Mark {
  /** Of the entry. */
  id: string;
  at: number;
  lane: 'lease' | 'decision' | 'refusal';
}
export interface Picture {
  leases: LeaseBar[];
  states: StateBar[];
  marks: Mark[];
  /** Moments of the axis, oldest first, each once. */
  times: number[];
}

export const endWords: Partial<Record<NonNullable<HistoryEntry['change']>, string>> = {
  released: 'released',
  lapsed: 'expired without a heartbeat',
  retried: 'failed, to be retried',
  failed: 'failed',
  submitted: 'submitted for review',
  completed: 'completed',
  taken_over: 'taken over by another session of its holder',
  claimed: 'expired, then claimed by another agent',
};

const isDecision = ({ as }: HistoryEntry): boolean => as === 'person' || as === 'reviewer' || as === 'creator' || as === 'platform';

/** @param entries oldest first */
export function pictureOf(entries: HistoryEntry[], lease: RunningLease | null, now: number): Picture {
  const leases: LeaseBar[] = [];
  const states: StateBar[] = [];
  const marks: Mark[] = [];
  const changes = entries.filter(({ kind }) => kind === 'change');
  let open: LeaseBar | null = null;
  for (const [i, entry] of changes.entries()) {
    const at = Date.parse(entry.at);
    const next = changes[i + 1];
    states.push({ status: entry.status, from: at, to: next ? Date.parse(next.at) : now });
    if (open) {
      open.to = at;
      open.running = false;
      open.end = endWords[entry.change ?? 'changed'] ?? 'ended';
      open.heartbeats = entry.heartbeats;
      open = null;
    }
    if (entry.status === 'in_progress') {
      open = {
        token: entry.fencing_token,
        agent: entry.agent ?? '',
        from: at,
        to: now,
        expires: entry.lease_expires_at === null ? null : Date.parse(entry.lease_expires_at),
        running: true,
        end: 'held',
        heartbeats: null,
      };
      leases.push(open);
    }
    marks.push({ id: entry.id, at, lane: isDecision(entry) || entry.change === 'created' ? 'decision' : 'lease' });
  }
  if (open && lease) {
    open.expires = lease.expires_at === null ? null : Date.parse(lease.expires_at);
    open.heartbeats = lease.heartbeats;
  }
  for (const entry of entries) if (entry.kind === 'refusal') marks.push({ id: entry.id, at: Date.parse(entry.at), lane: 'refusal' });
  marks.sort((a, b) => a.at - b.at);
  const times = [
    ...marks.map(({ at }) => at),
    ...leases.flatMap(({ heartbeats }) => (heartbeats ? [Date.parse(heartbeats.first_at), Date.parse(heartbeats.last_at)] : [])),
    ...(open ? [now, ...(open.expires !== null && open.expires > now ? [open.expires] : [])] : []),
  ];
  return { leases, states, marks, times: [...new Set(times)].toSorted((a, b) => a - b) };
}

export interface Axis {
  /** From a moment to its place, 0 to 1. */
  place: (at: number) => number;
  /** Pauses that are drawn shorter than they were. */
  pauses: { at: number; ms: number }[];
}

/** Between two moments at most this many times the usual rest; what is longer is a pause. */
const longest = 6;

/** An axis on which nothing is lost between long pauses. */
export function axisOf(times: number[]): Axis {
  if (times.length < 2) return { place: () => 0.5, pauses: [] };
  const rests = times.slice(1).map((at, i) => at - times[i]!);
  const usual = rests.toSorted((a, b) => a - b)[Math.floor(rests.length / 2)]!;
  const most = Math.max(usual * longest, 1);
  const least = most / 60;
  const widths = rests.map((rest) => Math.max(least, Math.min(rest, most)));
  const all = widths.reduce((sum, width) => sum + width, 0);
  const starts: number[] = [0];
  for (const width of widths) starts.push(starts.at(-1)! + width / all);
  const place = (at: number): number => {
    if (at <= times[0]!) return 0;
    const after = times.findIndex((time) => time >= at);
    if (after < 0) return 1;
    const [from, to] = [times[after - 1]!, times[after]!];
    return starts[after - 1]! + (starts[after]! - starts[after - 1]!) * ((at - from) / (to - from));
  };
  const pauses = rests.flatMap((rest, i) => (rest > most * 1.5 ? [{ at: (starts[i]! + starts[i + 1]!) / 2, ms: rest }] : []));
  return { place, pauses };
}

const names: Record<NonNullable<HistoryEntry['change']>, string> = {
  created: 'Created',
  blocked: 'Blocked',
  ready: 'Ready',
  claimed: 'Claimed',
  taken_over: 'Taken over by another session',
  released: 'Released',
  lapsed: 'Lease expired',
  retried: 'Failed, to be retried',
  failed: 'Failed',
  cancelled: 'Cancelled',
  submitted: 'Submitted for review',
  sent_back: 'Sent back for another attempt',
  completed: 'Completed',
  changed: 'Changed',
};

/** An entry in words: what, and who. */
export function wordsOf(entry: HistoryEntry, holder: number | null = entry.fencing_token): { what: string; detail: string } {
  if (entry.refused) {
    const { fencing_token: token, agent, write, times, why } = entry.refused;
    const holds =
      entry.status === 'in_progress'
        ? holder === null
          ? `; ${entry.agent} holds it`
          : `; token ${holder} holds`
        : `; the task was ${entry.status.replace('_', ' ')}`;
    return {
      what: `Token ${token} was refused${times > 1 ? ` ${times} times` : ''}`,
      detail: `${agent} sent ${write}${holds}. ${why}`,
    };
  }
  // Its tracker notes when a task's issue leaves, and when it comes back.
  const issue = entry.edited?.find(({ field }) => field === 'issue');
  if (issue) return { what: `Issue: ${issue.to}`, detail: entry.by ? `by ${entry.by}` : '' };
  if (entry.edited) {
    const fields = entry.edited.map(({ field }) => field.replaceAll('_', ' ')).join(', ');
    return { what: `Edited: ${fields}`, detail: entry.by ? `by ${entry.by}` : '' };
  }
  const { change, agent, attempt, by, as, reason, blocked_by: blockers, heartbeats } = entry;
  const what = names[change ?? 'changed'];
  const detail = [
    change === 'claimed' || change === 'taken_over' ? `by ${agent}, attempt ${attempt}` : '',
    change === 'blocked' ? `for ${blockers.join(', ')}` : '',
    change === 'created' && by ? `by ${by}` : '',
    change !== 'created' && by && as && change !== 'claimed' ? `by ${by}${as === 'holder' ? '' : `, as ${as}`}` : '',
    reason ? `“${reason}”` : '',
    heartbeats ? `${counted(heartbeats.count, 'heartbeat')}, longest gap ${Math.round(heartbeats.longest_gap_seconds)} s` : '',
  ].filter(Boolean);
  return { what, detail: detail.join('; ') };
}

/** The same as a table, oldest first. */
export const tableOf = (entries: HistoryEntry[]): { head: string[]; rows: (string | number)[][] } => ({
  head: ['Time', 'What', 'Token', 'Agent', 'Status', 'Details'],
  rows: entries.map((entry) => {
    const { what, detail } = wordsOf(entry);
    return [
      entry.refused?.last_at ?? entry.at,
      what,
      entry.refused?.fencing_token ?? entry.fencing_token ?? '–',
      entry.refused?.agent ?? entry.agent ?? '–',
      entry.status,
      detail,
    ];
  }),
});
