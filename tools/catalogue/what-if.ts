import type { Caller, Front } from '../../contracts/caller.ts';
import { mostAffected, type Judged, type Replay, type WhatIf } from '../../contracts/governance/what-if.ts';
import type { PastCalls } from '../../services/governance/index.ts';
import type { AnyTool } from './define.ts';
import { judge } from './policy.ts';

const judged = (tool: AnyTool, caller: Caller, front: Front): Judged => {
  const { effect, rule, reason } = judge(tool, caller, front);
  return { effect, rule, reason };
};

const differs = (before: Judged, after: Judged): boolean => before.effect !== after.effect;

/** The verdict of each tool under two policies, by the function that judges calls. */
export const verdicts = (tools: readonly AnyTool[], before: Caller, after: Caller, front: Front): WhatIf['tools'] =>
  tools.map((tool) => ({
    tool: tool.name,
    title: tool.title,
    effect: tool.effect,
    before: judged(tool, before, front),
    after: judged(tool, after, front),
  }));

export const changedOf = (all: WhatIf['tools']): WhatIf['tools'] => all.filter(({ before, after }) => differs(before, after));

/** The tools of these names, in any spelling. @throws AppError NOT_FOUND */
export function chosen(
  all: readonly AnyTool[],
  names: readonly string[] | undefined,
  named: (name: string) => AnyTool,
): readonly AnyTool[] {
  if (!names) return all;
  return names.map((name) => all.find((tool) => tool.name === name) ?? named(name));
}

/** Judges past calls again. @param find the tool that a ledger's name means now */
export function replayed(
  past: { lookedAt: number; more: boolean; groups: PastCalls[] },
  days: number,
  find: (name: string) => AnyTool | undefined,
): Replay {
  const changed = new Map<string, Replay['changed'][number]>();
  const rules = new Map<string, { before: number; after: number }>();
  const unjudged = new Map<string, number>();
  const affected: Replay['affected'] = [];
  const unsure = { tools: new Set<string>(), sessions: 0 };
  for (const { tool: name, front, principal, role, calls, lastAt, ids, before: was, after: is, sessionGone } of past.groups) {
    const tool = find(name);
    if (!tool || !was || !is) {
      const reason = tool ? 'The key is not known any longer.' : 'There is no such tool any longer.';
      unjudged.set(reason, (unjudged.get(reason) ?? 0) + calls);
      continue;
    }
    if (sessionGone) unsure.sessions += calls;
    const [before, after] = [judged(tool, was, front), judged(tool, is, front)];
    for (const [when, { rule }] of [
      ['before', before],
      ['after', after],
    ] as const) {
      const hits = rules.get(rule) ?? { before: 0, after: 0 };
      hits[when] += calls;
      rules.set(rule, hits);
    }
    if (!differs(before, after)) continue;
    const key = `${before.effect} ${after.effect}`;
    changed.set(key, { before: before.effect, after: after.effect, calls: (changed.get(key)?.calls ?? 0) + calls });
    const depends = tool.asks !== undefined && (before.effect === 'ask' || after.effect === 'ask');
    if (depends) unsure.tools.add(name);
    affected.push({
      tool: name,
      principal,
      role,
      front,
      before,
      after,
      calls,
      last_at: lastAt.toISOString(),
      tool_call_ids: ids,
      depends_on_arguments: depends,
    });
  }
  const judgedCalls =
    past.groups.reduce((sum, { calls }) => sum + calls, 0) - [...unjudged.values()].reduce((sum, calls) => sum + calls, 0);
  return {
    days,
    looked_at: past.lookedAt,
    more: past.more,
    calls: judgedCalls,
    changed: [...changed.values()].toSorted((a, b) => b.calls - a.calls),
    affected: affected.toSorted((a, b) => b.calls - a.calls || (a.last_at < b.last_at ? 1 : -1)).slice(0, mostAffected),
    rules: [...rules].map(([rule, hits]) => ({ rule, ...hits })).toSorted((a, b) => b.after - a.after || (a.rule < b.rule ? -1 : 1)),
    not_judged: [...unjudged].map(([reason, calls]) => ({ reason, calls })),
    notes: [
      'Rules see no arguments, so each rule was judged again. Scopes, capabilities and teams are those that the keys have now.',
      ...(unsure.tools.size > 0
        ? [
            `Whether these need approval depends on their arguments, which are not stored; a dry run does not need it: ${[...unsure.tools].toSorted().join(', ')}.`,
          ]
        : []),
      ...(unsure.sessions > 0
        ? [`${unsure.sessions} calls belong to sessions that are no longer kept: rules about sessions saw none.`]
        : []),
    ],
  };
}
