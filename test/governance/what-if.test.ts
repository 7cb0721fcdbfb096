/** What a policy would change, told before it is saved: the same that the pipeline says afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { PolicyDefinition } from '../../contracts/governance/policy.ts';
import type { WhatIf } from '../../contracts/governance/what-if.ts';
import type { NewKey } from '../../services/governance/keys.ts';
import { exampleArguments } from '../../tools/catalogue/examples.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const draft: PolicyDefinition = {
  base: 'careful',
  rules: [
    { when: 'tool.domain == "connector"', effect: 'deny', reason: 'Nothing leaves the house.' },
    { when: 'caller.kind == "agent" && tool.name == "work.task.create"', effect: 'ask', reason: 'Agents ask for work.' },
    { when: 'caller.front == "console" && tool.effect == "read"', effect: 'allow', reason: 'Looking is free.' },
    { when: 'caller.team != "" && tool.domain == "graph"', effect: 'deny', reason: 'Teams do not walk the graph.' },
    { when: 'tool.domain == "entity"', effect: 'ask', reason: 'Entities are decided.' },
  ],
};

/** Four callers with everything that a verdict depends on, and the two roles with rights of their own. */
const who = {
  admin: { role: 'admin' },
  agent: { role: 'agent', capabilities: ['cap:work', 'cap:connector', 'cap:entity:read'] },
  scoped: { role: 'pm', scopes: ['work:*', 'graph:read', 'policy:read'] },
  team: { role: 'stakeholder', team: 'sales' },
  operator: { role: 'operator' },
  readonly: { role: 'readonly' },
} as const satisfies Record<string, Partial<NewKey>>;

describe('what a policy would change', () => {
  let stack: TestStack;
  let ann: Caller;
  beforeAll(async () => {
    stack = await testStack({ workers: false, model: false });
    ann = await stack.caller({ name: 'ann' });
    await stack.ok(ann, 'access.stakeholder.configure', { team: 'sales', product_areas: ['Mobile'] });
  });
  afterAll(() => stack?.stop());

  const keyOf = async (name: string, more: Partial<NewKey>): Promise<Caller> => {
    const key = await stack.services.governance.keys.create({ tenant: 'acme', role: 'pm', rpm: 1_000_000, name, ...more });
    return (await stack.services.governance.keys.authenticate(key.api_key))!;
  };

  it('is what the pipeline says once it is saved, for every tool and each kind of caller', async () => {
    const told = new Map<string, WhatIf>();
    const saved = new Map<string, WhatIf>();
    for (const [name, as] of Object.entries(who)) {
      const wanted = { policy: 'ours', definition: draft, as: { ...as, name }, show: 'all' };
      told.set(name, await stack.ok<WhatIf>(ann, 'system.policy.simulate', wanted));
    }
    await stack.ok(ann, 'system.policy.save', { name: 'ours', ...draft, note: 'the first' });
    const { tools } = stack.pipeline.catalogue;
    expect(tools.length).toBeGreaterThan(230);
    for (const [name, more] of Object.entries(who)) {
      const caller = await keyOf(name, { ...more, policy: 'ours' });
      const { tools: verdicts } = told.get(name)!;
      expect(verdicts.map(({ tool }) => tool)).toEqual(tools.map((tool) => tool.name));
      for (const { tool, after } of verdicts) {
        const { effect, rule, reason } = await stack.ok(caller, 'system.policy.explain', { tool });
        expect([name, tool, after]).toEqual([name, tool, { effect, rule, reason }]);
      }
      // Those that do not run are called indeed.
      const refused = verdicts.filter(({ after }) => after.effect !== 'allow');
      expect(refused.length).toBeGreaterThan(0);
      let asked = 0;
      for (const { tool: toolName, after } of refused) {
        const { tool } = stack.pipeline.catalogue.named(toolName);
        const example = exampleArguments(tool.input as z.ZodObject, stack.pipeline.catalogue.jsonSchema(tool.input as z.ZodType)) ?? {};
        const { error, envelope } = await stack.call(caller, toolName, example);
        if (error?.code === 'VALIDATION_ERROR' && after.effect === 'ask') continue;
        if (after.effect === 'deny') expect([name, toolName, error?.code]).toEqual([name, toolName, 'FORBIDDEN']);
        else if (tool.asks === undefined) {
          expect([name, toolName, envelope.status]).toEqual([name, toolName, 'pending_approval']);
          asked += 1;
        }
      }
      if (verdicts.some(({ after }) => after.effect === 'ask')) expect(asked).toBeGreaterThan(3);
      saved.set(name, await stack.ok<WhatIf>(ann, 'system.policy.simulate', { policy: 'ours', as: { ...more, name }, show: 'all' }));
      expect(saved.get(name)!.changed).toBe(0);
      expect(saved.get(name)!.tools.map(({ before }) => before)).toEqual(verdicts.map(({ after }) => after));
    }
  });

  it('tells the past calls that would get another answer, and what it does not know', async () => {
    const bot = await keyOf('bot', { role: 'agent', policy: 'past' });
    const other = await stack.caller({ tenant: 'other', name: 'bot', role: 'agent' });
    for (let i = 0; i < 3; i += 1) await stack.ok(bot, 'work.task.create', { description: `t${i}`, phase_id: 1 }).catch(() => {});
    await stack.call(bot, 'connector.mount.list');
    await stack.call(bot, 'system.policy.save', { name: 'mine', base: 'open' });
    await stack.call(other, 'connector.mount.list');
    // Read back once it is in the ledger.
    const { replay } = await eventually('the calls are in the ledger', async () => {
      const found = await stack.ok<WhatIf>(ann, 'system.policy.simulate', { policy: 'past', definition: draft, replay_days: 7 });
      return found.replay!.calls >= 5 && found;
    });
    const { tools } = await stack.ok<WhatIf>(ann, 'system.policy.simulate', {
      policy: 'past',
      definition: draft,
      as: { role: 'agent', name: 'bot' },
      show: 'all',
    });
    const verdict = (name: string) => tools.find(({ tool }) => tool === name)!;
    expect(replay).toMatchObject({ days: 7, calls: 5, more: false, not_judged: [] });
    expect(replay!.affected.every(({ principal, role, front }) => principal === 'bot' && role === 'agent' && front === 'mcp')).toBe(true);
    for (const one of replay!.affected) {
      expect({ before: one.before, after: one.after }).toEqual({ before: verdict(one.tool).before, after: verdict(one.tool).after });
      expect(one.tool_call_ids.length).toBe(Math.min(5, one.calls));
    }
    expect(replay!.affected.reduce((sum, { calls }) => sum + calls, 0)).toBe(replay!.changed.reduce((sum, { calls }) => sum + calls, 0));
    expect(replay!.rules.reduce((sum, { after }) => sum + after, 0)).toBe(5);
    expect(replay!.rules.find(({ rule }) => rule === 'rule 1 of past')).toEqual({ rule: 'rule 1 of past', before: 0, after: 1 });
    expect(replay!.notes[0]).toContain('no arguments');
  });

  it('counts the approvals that a new version makes worthless', async () => {
    const bot = await keyOf('asker', { role: 'agent', policy: 'careful' });
    const asked = await stack.call(bot, 'system.budget.save', { tokens_per_day: 1 });
    expect(asked.envelope.status).toBe('pending_approval');
    const { approval_id } = asked.data as { approval_id: string };
    const { invalidated } = await stack.ok<WhatIf>(ann, 'system.policy.simulate', { policy: 'careful', definition: draft });
    expect(invalidated.approvals).toContainEqual({ approval_id, tool: 'system.budget.save', requested_by: 'asker' });
    // Those of others are not told to somebody who may not decide about them.
    const reader = await keyOf('reader', { role: 'readonly' });
    const seen = await stack.ok<WhatIf>(reader, 'system.policy.simulate', { policy: 'careful', definition: draft });
    expect(seen.invalidated).toEqual({ count: 0, approvals: [] });
  });

  it('refuses a rule about arguments, an unknown tool, and past calls for whoever may not read them', async () => {
    const about = { base: 'open', rules: [{ when: 'arguments.channel == "#all"', effect: 'deny', reason: 'Not to all.' }] };
    expect((await stack.call(ann, 'system.policy.simulate', { definition: about })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await stack.call(ann, 'system.policy.simulate', { tools: ['no.such.tool'] })).error).toMatchObject({ code: 'NOT_FOUND' });
    const scoped = await keyOf('scoped2', { role: 'pm', scopes: ['policy:read'] });
    expect((await stack.call(scoped, 'system.policy.simulate', { replay_days: 7 })).error).toMatchObject({ code: 'FORBIDDEN' });
    await stack.ok(scoped, 'system.policy.simulate', {});
  });

  it('keeps each version with who saved it and why, page by page', async () => {
    for (let i = 1; i <= 5; i += 1)
      await stack.ok(ann, 'system.policy.save', { name: 'kept', base: i % 2 ? 'open' : 'strict', note: `n${i}` });
    await stack.ok(ann, 'system.policy.save', { name: 'kept', base: 'open', note: 'the same' });
    const first = await stack.call(ann, 'system.policy.history', { name: 'kept', limit: 3 });
    const { next_cursor: cursor } = first.envelope.metadata;
    const rest = await stack.ok<{ versions: object[] }>(ann, 'system.policy.history', { name: 'kept', limit: 3, cursor });
    const all = [...(first.data as { versions: object[] }).versions, ...rest.versions];
    expect(all).toMatchObject([5, 4, 3, 2, 1].map((version) => ({ version, note: `n${version}`, created_by: 'ann' })));
    expect((await stack.call(ann, 'system.policy.history', { name: 'kept', cursor: 'x' })).error?.code).toBe('VALIDATION_ERROR');
    const events = await asTenant('acme', () =>
      stack.db.query<{ n: number }>(
        `select count(*)::int as n from outbox where tenant_id = 'acme' and type = 'policy.saved' and subject = 'kept'`,
      ),
    );
    expect(events[0]!.n).toBe(5);
  });
});
