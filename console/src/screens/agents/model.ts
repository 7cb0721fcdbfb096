import type { AdminStatus, AgentKind, Health } from '../../../../contracts/agents/agents.ts';
import type { PresenceSpan, PresenceState } from '../../../../contracts/agents/past.ts';
import type { AspectName } from '../../ui/Aspect.tsx';
import { percent } from '../../ui/words.ts';

export interface Agent {
  agent_id: string;
  name: string;
  description: string;
  kind: AgentKind;
  agent_type: string;
  status: AdminStatus;
  status_reason: string | null;
  health: Health;
  health_since: string;
  version: number;
  slos: { name: string; target: number; actual: number | null; met: boolean | null }[];
  coherence: number | null;
  activity: string | null;
  tasks: { task_id: string; phase_id: number; title: string; started_at: string | null; lease_expires_at: string | null }[];
  cost: Cost;
  cost_today: Cost;
  quality: { judged: number; acceptance_rate: number | null; error_rate: number | null };
  last_action: string | null;
  last_action_at: string | null;
  last_activity_at: string | null;
  registered_at: string;
}

export const kinds = ['managed', 'worker', 'peer'] as const satisfies AgentKind[];

interface Cost {
  calls: number;
  tokens: number;
  cost_usd: number;
}

export const aspects: Record<PresenceState, AspectName> = {
  healthy: 'clear',
  unhealthy: 'caution',
  offline: 'stop',
  paused: 'out',
  none: 'out',
  absent: 'out',
};

export const words: Record<PresenceState, string> = {
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  offline: 'offline',
  paused: 'paused',
  none: 'not watched',
  absent: 'not registered',
};

export const stateOf = ({ status, health }: Pick<Agent, 'status' | 'health'>): PresenceState => (status === 'paused' ? 'paused' : health);

/** `2 of 3 met`, and how bad it is. Null: it has no objectives. */
export function slosText(slos: Agent['slos']): { aspect: AspectName; text: string } | null {
  if (slos.length === 0) return null;
  const known = slos.filter(({ met }) => met !== null);
  const met = known.filter((slo) => slo.met).length;
  if (known.length === 0) return { aspect: 'out', text: 'no data yet' };
  return { aspect: met === known.length ? 'clear' : 'stop', text: `${met} of ${known.length} met` };
}

export const rate = (share: number | null): string => (share === null ? '–' : percent(share));

/** Small sums keep their cents, and tiny ones show that they are not nothing. */
export function dollars(sum: number): string {
  if (sum === 0) return '$0';
  if (sum < 0.01) return '< $0.01';
  return `$${sum.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** What a pause does to what an agent holds. */
export function pauseText({ tasks }: Pick<Agent, 'tasks'>, clock: (at: string) => string): string {
  const held = tasks.map(({ task_id, lease_expires_at }) => `${task_id}${lease_expires_at ? ` until ${clock(lease_expires_at)}` : ''}`);
  return `It gets no new tasks, and no task can be delegated to it. ${held.length === 0 ? 'It holds no task now.' : `It holds ${held.join(', ')}, and may finish that.`}`;
}

/** The intervals as a table. */
export const presenceRows = (spans: readonly PresenceSpan[], time: (at: string) => string, span: (ms: number) => string): string[][] =>
  spans.map(({ state, from, to, seconds, reason }) => [words[state], time(from), time(to), span(seconds * 1_000), reason ?? '']);

/** How much of the time it was in each state, the longest first. */
export function shares(spans: readonly PresenceSpan[]): { state: PresenceState; seconds: number; share: number }[] {
  const all = spans.reduce((sum, { seconds }) => sum + seconds, 0);
  const sums = new Map<PresenceState, number>();
  for (const { state, seconds } of spans) sums.set(state, (sums.get(state) ?? 0) + seconds);
  return [...sums]
    .map(([state, seconds]) => ({ state, seconds, share: all === 0 ? 0 : seconds / all }))
    .toSorted((a, b) => b.seconds - a.seconds);
}

export interface LedgerEvent {
  event_id: string;
  tool_call_id: string;
  type: string;
  tool: string;
  front: string;
  error_code: string | null;
  duration_ms: number | null;
  at: string;
}

/** One line for each call: its end where it is known, else its beginning. The order stays. */
export function foldCalls(events: readonly LedgerEvent[]): LedgerEvent[] {
  const ended = new Set(events.filter(({ type }) => /^tool\.call\.(completed|failed)$/.test(type)).map(({ tool_call_id }) => tool_call_id));
  return events.filter(({ type, tool_call_id }) => type !== 'tool.call.started' || !ended.has(tool_call_id));
}
