import type { AspectName } from '../../ui/Aspect.tsx';

const aspects: Record<string, AspectName> = {
  up: 'clear',
  healthy: 'clear',
  in_sync: 'clear',
  active: 'clear',
  behind: 'caution',
  degraded: 'caution',
  disabled: 'out',
  paused: 'out',
};
/** Whatever is not known to work has stopped. */
export const aspectOf = (status: string): AspectName => aspects[status] ?? 'stop';

export function span(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** What a person typed as a limit: a number, or null for none. Undefined: it is neither. */
export function limitOf(text: string): number | null | undefined {
  const plain = text.trim().replaceAll(',', '');
  if (plain === '') return null;
  const value = Number(plain);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** How much of a limit is used, from 0 to 100; null: there is no limit. */
export const usedOf = (used: number, limit: number | null): number | null =>
  limit === null ? null : limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100));

export const bytes = (n: number): string =>
  n < 1_024 ? `${n} B` : n < 1_048_576 ? `${(n / 1_024).toFixed(1)} KB` : `${(n / 1_048_576).toFixed(1)} MB`;
