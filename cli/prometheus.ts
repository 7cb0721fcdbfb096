/** Reads Prometheus text: samples with labels, and what happened between two scrapes. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));

export function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((row) => {
    const [, name, inside = '', value] = line.exec(row) ?? [];
    if (name === undefined) return [];
    const labels = Object.fromEntries([...inside.matchAll(label)].map(([, key, said]) => [key!, unescaped(said!)]));
    return [{ name, labels, value: value === '+Inf' ? Infinity : Number(value) }];
  });
}

export type Match = (labels: Record<string, string>) => boolean;
const all: Match = () => true;

export const sumOf = (samples: readonly Sample[], name: string, match: Match = all): number =>
  samples.reduce((sum, sample) => (sample.name === name && match(sample.labels) ? sum + sample.value : sum), 0);

/** Null: the process does not tell it. */
export const valueOf = (samples: readonly Sample[], name: string, match: Match = all): number | null =>
  samples.find((sample) => sample.name === name && match(sample.labels))?.value ?? null;

/** Counters as they grew between two scrapes of one process. A counter that is new has grown from zero. */
export function grown(before: readonly Sample[], now: readonly Sample[]): Sample[] {
  const keyOf = ({ name, labels }: Sample): string => JSON.stringify([name, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const then = new Map(before.map((sample) => [keyOf(sample), sample.value]));
  return now.map((sample) => ({ ...sample, value: Math.max(0, sample.value - (then.get(keyOf(sample)) ?? 0)) }));
}

/**
 * Quantile of a histogram, as PromQL's histogram_quantile: linear within a bucket.
 * @returns null when nothing was observed
 */
export function quantile(q: number, samples: readonly Sample[], name: string, match: Match = all): number | null {
  const counts = new Map<number, number>();
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket` || !match(sample.labels)) continue;
    const le = sample.labels['le'] === '+Inf' ? Infinity : Number(sample.labels['le']);
    counts.set(le, (counts.get(le) ?? 0) + sample.value);
  }
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return null;
  let [from, below] = [0, 0];
  for (const [le, count] of buckets) {
    if (count >= q * total) return le === Infinity ? from : from + (le - from) * ((q * total - below) / (count - below || 1));
    [from, below] = [le, count];
  }
  return from;
}
