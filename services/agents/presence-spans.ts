import type { Health } from '../../contracts/agents/agents.ts';
import type { PresenceSpan, PresenceState } from '../../contracts/agents/past.ts';

/** A change of an agent, as its history keeps it. */
export interface Change {
  event: string;
  /** The health before; of changes of health only. */
  from: string | null;
  reason: string | null;
  at: Date;
}

interface State {
  present: boolean;
  paused: string | null;
  health: Health;
}

const isHealth = (event: string): event is Health => event === 'healthy' || event === 'unhealthy' || event === 'offline';

/**
 * The presence of an agent as intervals without gaps.
 * @param changes in order; those before `since` only say how it began
 * @param health as it is now: registering sets it without a change of its own
 */
export function spansOf(changes: readonly Change[], health: Health, since: Date, until: Date): PresenceSpan[] {
  const spans: { state: PresenceState; reason: string | null; from: number; to: number }[] = [];
  const [first, last] = [since.getTime(), until.getTime()];
  let state: State = { present: begins(changes), paused: null, health: healthAfter(changes, -1, health) };
  let from = first;
  const close = (to: number): void => {
    if (to <= from) return;
    const [told, reason] = toldOf(state);
    const before = spans.at(-1);
    if (before?.state === told && before.reason === reason) before.to = to;
    else spans.push({ state: told, reason, from, to });
    from = to;
  };
  for (const [i, change] of changes.entries()) {
    close(Math.min(Math.max(change.at.getTime(), first), last));
    state = after(state, change, () => healthAfter(changes, i, health));
  }
  close(last);
  return spans.map((span) => ({
    state: span.state,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    seconds: Math.round((span.to - span.from) / 1_000),
    reason: span.reason,
  }));
}

function after(state: State, { event, reason }: Change, healthNext: () => Health): State {
  if (isHealth(event)) return { ...state, present: true, health: event };
  if (event === 'paused') return { ...state, paused: reason ?? '' };
  if (event === 'activated') return { ...state, paused: null };
  if (event === 'removed' || event === 'unregistered') return { ...state, present: false };
  if (event === 'registered' || event === 'updated') return { ...state, present: true, health: healthNext() };
  return state;
}

/** An agent whose first known change is its registration was not there before. */
const begins = ([first]: readonly Change[]): boolean => first?.event !== 'registered';

/** The next change of health says what it was before; without one it is what it is now. */
function healthAfter(changes: readonly Change[], index: number, now: Health): Health {
  const next = changes.slice(index + 1).find(({ event }) => isHealth(event));
  return next === undefined ? now : ((next.from as Health | null) ?? 'healthy');
}

function toldOf({ present, paused, health }: State): [PresenceState, string | null] {
  if (!present) return ['absent', null];
  if (paused !== null) return ['paused', paused === '' ? null : paused];
  return [health, null];
}
