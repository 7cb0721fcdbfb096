import type { CallDetail, CallStep } from '../../../../contracts/governance/calls.ts';
import { worded } from '../../ui/words.ts';

export interface Bar extends CallStep {
  /** Per cent of the whole time. */
  left: number;
  width: number;
  ms: number;
}

export interface Waterfall {
  bars: Bar[];
  from: number;
  ms: number;
}

/** Steps as bars on one axis. @param now where what is not over ends */
export function waterfallOf(steps: readonly CallStep[], now: number): Waterfall {
  const spans = steps.map((step) => {
    const start = Date.parse(step.started_at);
    return { step, start, end: Math.max(start, step.ended_at === null ? now : Date.parse(step.ended_at)) };
  });
  const from = Math.min(...spans.map(({ start }) => start));
  const ms = Math.max(1, ...spans.map(({ end }) => end - from));
  const share = (part: number): number => Math.round((part / ms) * 1_000) / 10;
  return {
    from,
    ms,
    bars: spans.map(({ step, start, end }) => ({
      ...step,
      left: Math.min(99.5, share(start - from)),
      width: Math.max(0.5, share(end - start)),
      ms: end - start,
    })),
  };
}

/** `12 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** How a call ended, in a word. */
export const outcomeOf = ({ status, error_code }: Pick<CallDetail, 'status' | 'error_code'>): string =>
  error_code ?? (status === null ? 'no end recorded' : worded(status));
