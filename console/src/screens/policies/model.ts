import type { PolicyDefinition, PolicyEffect } from '../../../../contracts/governance/policy.ts';
import type { Replay, WhatIf } from '../../../../contracts/governance/what-if.ts';
import { counted } from '../../ui/words.ts';

export interface Version {
  name: string;
  version: number;
  definition: PolicyDefinition;
  note: string | null;
  created_by: string | null;
  created_at: string | null;
}

export type Rule = PolicyDefinition['rules'][number];

export const effects: PolicyEffect[] = ['allow', 'ask', 'deny'];
export const levels: Record<PolicyDefinition['base'], string> = {
  open: 'open: approval only for tools that always need it',
  standard: 'standard: agents need approval for high-risk calls',
  careful: 'careful: destructive and external calls need approval',
  strict: 'strict: every change by an agent needs approval',
};

/** A policy as text, for comparing versions line by line. */
export const textOf = ({ base, four_eyes, rules }: PolicyDefinition): string =>
  [
    `level: ${base}`,
    `four eyes: ${four_eyes ? 'yes' : 'no'}`,
    ...rules.flatMap(({ when, effect, reason }, i) => ['', `rule ${i + 1}: ${effect}`, `  when   ${when}`, `  reason ${reason}`]),
    '',
  ].join('\n');

export const same = (a: PolicyDefinition, b: PolicyDefinition): boolean => textOf(a) === textOf(b);

/** A list with one element in another place. */
export function moved<T>(list: readonly T[], from: number, step: -1 | 1): T[] {
  const to = from + step;
  if (to < 0 || to >= list.length) return [...list];
  const next = [...list];
  [next[from], next[to]] = [next[to]!, next[from]!];
  return next;
}

/** The draft that was typed; null: none, or it is no draft. */
export function draftOf(text: string): PolicyDefinition | null {
  try {
    const { base, rules, four_eyes } = JSON.parse(text) as PolicyDefinition;
    if (!(base in levels) || !Array.isArray(rules)) return null;
    return { base, rules, ...(four_eyes ? { four_eyes } : {}) };
  } catch {
    return null;
  }
}

const number = (n: number): string => n.toLocaleString('en');
const ends: Record<PolicyEffect, string> = {
  ask: 'would have needed approval',
  deny: 'would have been refused',
  allow: 'would have run at once',
};

/** "4,210 calls of the last 7 days: 2 would have been refused, 31 would have needed approval." */
export function sentenceOf({ calls, days, changed }: Pick<Replay, 'calls' | 'days' | 'changed'>): string {
  const time = days === 1 ? 'the last day' : `the last ${days} days`;
  const over = `${counted(calls, 'call')} of ${time}`;
  if (calls === 0) return `No call of ${time} was judged under this policy.`;
  const parts = effects.toReversed().flatMap((after) => {
    const n = changed.filter((one) => one.after === after).reduce((sum, one) => sum + one.calls, 0);
    return n > 0 ? [`${number(n)} ${ends[after]}`] : [];
  });
  return parts.length === 0 ? `${over}: none would get another verdict.` : `${over}: ${parts.join(', ')}.`;
}

/** How often each rule of a policy has decided, by its number. */
export const hitsOf = (name: string, rules: Replay['rules'] | undefined): ReadonlyMap<number, number> =>
  new Map(
    (rules ?? []).flatMap(({ rule, before }): [number, number][] => {
      const [, at, policy] = /^rule (\d+) of (.*)$/.exec(rule) ?? [];
      return policy === name ? [[Number(at), before]] : [];
    }),
  );

export const kinds = ['read', 'write', 'destructive'] as const;
export type Counts = Record<PolicyEffect, number>;

/** Who may what: for each domain and effect of tools, how many are allowed, asked about, refused. */
export function matrixOf(tools: WhatIf['tools']): { domain: string; cells: Record<(typeof kinds)[number], Counts> }[] {
  const rows = new Map<string, Record<(typeof kinds)[number], Counts>>();
  const none = (): Counts => ({ allow: 0, ask: 0, deny: 0 });
  for (const { tool, effect, before } of tools) {
    const domain = tool.split('.')[0]!;
    const cells = rows.get(domain) ?? { read: none(), write: none(), destructive: none() };
    rows.set(domain, cells);
    cells[effect as (typeof kinds)[number]][before.effect] += 1;
  }
  return [...rows].map(([domain, cells]) => ({ domain, cells })).toSorted((a, b) => (a.domain < b.domain ? -1 : 1));
}

/** Words and commas to a list. */
export const listed = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];
