/** The value below which this share of the values lies. @param share 0–1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

export interface Spread {
  n: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export const spread = (values: readonly number[]): Spread => ({
  n: values.length,
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
  p99: percentile(values, 0.99),
  max: percentile(values, 1),
});

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Wraps each block, to measure more than time. */
export type Around<K> = (name: K, block: () => Promise<void>) => Promise<void>;
const plain: Around<unknown> = (_name, block) => block();

/**
 * Alternates blocks of the contenders, so that other load on the machine affects all alike. Each round begins with
 * another contender.
 * @returns milliseconds of every call, by contender
 */
export async function takeTurns<K extends string>(
  contenders: Record<K, () => Promise<unknown>>,
  { rounds, block, warmUp, around }: { rounds: number; block: number; warmUp: number; around?: Around<NoInfer<K>> },
): Promise<Record<K, number[]>> {
  const names = Object.keys(contenders) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (const name of names) for (let i = 0; i < warmUp; i += 1) await contenders[name]();
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round) % names.length]!;
      await (around ?? plain)(name, async () => {
        for (let i = 0; i < block; i += 1) times[name].push(await timed(contenders[name]));
      });
    }
  }
  return times;
}

/** Runs `count` jobs, `width` at a time. */
export async function each(count: number, width: number, job: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await job(index);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
