/** What follows from the data of runs. */
import type { RunEvent, RunState, RunStuck, WorkRun } from '../../../../contracts/work/runs.ts';
import type { AspectName } from '../../ui/Aspect.tsx';
import { counted } from '../../ui/words.ts';

export const stateAspects: Record<RunState, AspectName> = {
  running: 'held',
  review: 'caution',
  approved: 'caution',
  completed: 'clear',
  failed: 'stop',
  returned: 'out',
  lost: 'stop',
};
export const stateWords: Record<RunState, string> = {
  running: 'running',
  review: 'waits for review',
  approved: 'waits for its merge',
  completed: 'completed',
  failed: 'failed',
  returned: 'sent back',
  lost: 'lost its lease',
};

/** Why a run seems to get nowhere; its age is shown beside it. */
export const stuckWords: Record<RunStuck['reason'], string> = {
  no_output: 'no output',
  no_progress: 'heartbeats without output',
  repeating: 'the same step again and again',
};

/** `blocked` and `question` wait for a person; another end of a failed run is for good. */
export const asks = ({ state, outcome }: Pick<WorkRun, 'state' | 'outcome'>): boolean =>
  state === 'failed' && (outcome === 'blocked' || outcome === 'question');

/** `+12 −3 in 2 files`; empty: nothing was changed. */
export const statOf = ({
  files_changed: files,
  insertions,
  deletions,
}: Pick<WorkRun, 'files_changed' | 'insertions' | 'deletions'>): string =>
  files + insertions + deletions === 0
    ? ''
    : `+${insertions.toLocaleString('en')} −${deletions.toLocaleString('en')} in ${counted(files, 'file')}`;

/** `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function lasted(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `$1.20`, `$0.0034`; null: the agent told no price. */
export const price = (usd: number | null): string | null =>
  usd === null ? null : `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`;

export const tokensOf = ({ input_tokens, output_tokens }: WorkRun['usage']): string => (input_tokens + output_tokens).toLocaleString('en');

/** A step of an agent with what came of it. */
export interface Step {
  event: RunEvent;
  result: RunEvent | null;
}

const idOf = ({ data }: RunEvent): unknown => data?.['id'] ?? data?.['call_id'] ?? data?.['tool_use_id'];

/**
 * Calls of tools with their results, by the id that the agent gave the call; without one the result of the call before it.
 */
export function stepsOf(events: readonly RunEvent[]): Step[] {
  const steps: Step[] = [];
  for (const event of events) {
    const open = event.kind === 'tool_result' ? openCall(steps, idOf(event)) : undefined;
    if (open) open.result = event;
    else steps.push({ event, result: null });
  }
  return steps;
}

function openCall(steps: readonly Step[], id: unknown): Step | undefined {
  if (id !== undefined) return steps.findLast(({ event, result }) => event.kind === 'tool' && result === null && idOf(event) === id);
  const last = steps.at(-1);
  return last?.event.kind === 'tool' && last.result === null ? last : undefined;
}

/** Paths that the agent wrote, each once, in the order of its first change. */
export const filesOf = (events: readonly RunEvent[]): string[] => [
  ...new Set(events.flatMap(({ kind, text, data }) => (kind !== 'file' ? [] : [typeof data?.['path'] === 'string' ? data['path'] : text]))),
];
