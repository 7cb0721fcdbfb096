/** What the runs of a data folder have used today, for the limits of a day. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunUsage } from '../../contracts/work/runs.ts';

const fileOf = (data: string): string => join(data, 'spent.jsonl');
const today = (): string => new Date().toISOString().slice(0, 10);

interface Spent {
  day: string;
  run: string;
  tokens: number;
  usd: number;
}

export function noteSpent(data: string, run: string, { input_tokens, output_tokens, cost_usd }: RunUsage): void {
  const spent: Spent = { day: today(), run, tokens: input_tokens + output_tokens, usd: cost_usd ?? 0 };
  if (spent.tokens > 0 || spent.usd > 0) appendFileSync(fileOf(data), `${JSON.stringify(spent)}\n`, { mode: 0o600 });
}

/** A run that was noted twice counts once. */
export function spentToday(data: string): { tokens: number; usd: number } {
  const runs = new Map<string, Spent>();
  if (existsSync(fileOf(data))) {
    for (const line of readFileSync(fileOf(data), 'utf8').split('\n')) {
      if (!line.includes(today())) continue;
      try {
        const spent = JSON.parse(line) as Spent;
        runs.set(spent.run, spent);
      } catch {
        // A crash has cut it.
      }
    }
  }
  const all = [...runs.values()];
  return { tokens: all.reduce((sum, { tokens }) => sum + tokens, 0), usd: all.reduce((sum, { usd }) => sum + usd, 0) };
}
