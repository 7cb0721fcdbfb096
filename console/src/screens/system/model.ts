import type { PartSpan } from '../../../../contracts/health.ts';
import type { UsageRow } from '../../../../contracts/work/runs.ts';
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

/** The first of the last days, today included, as `2026-01-31` in UTC. */
export const firstDay = (days: number, now: Date): string => new Date(now.getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10);

/** Every day since the first, the latest first, also those without a run. */
export function allDays(rows: readonly UsageRow[], since: string, now: Date): UsageRow[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const days: UsageRow[] = [];
  for (let at = now.getTime(); at >= Date.parse(`${since}T00:00:00Z`); at -= 86_400_000) {
    const key = new Date(at).toISOString().slice(0, 10);
    days.push(byDay.get(key) ?? { key, runs: 0, input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost_usd: null, seconds: 0 });
  }
  return days;
}

export const tokensOf = ({ input_tokens, output_tokens }: Pick<UsageRow, 'input_tokens' | 'output_tokens'>): number =>
  input_tokens + output_tokens;

export const money = (usd: number | null): string => (usd === null ? 'no price told' : `$${usd.toFixed(2)}`);

/** Of the time in which somebody looked, the share in which a part worked: `99.9 %`, never rounded up. Null: nobody looked. */
export function workedShare(spans: readonly PartSpan[]): string | null {
  const seconds = (of: (status: string) => boolean): number =>
    spans.filter(({ status }) => of(status)).reduce((sum, each) => sum + each.seconds, 0);
  const watched = seconds((status) => status !== 'unwatched');
  if (watched === 0) return null;
  return `${Math.floor((seconds((status) => status !== 'unwatched' && status !== 'down') / watched) * 1_000) / 10} %`;
}
