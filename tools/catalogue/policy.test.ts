import { describe, expect, it } from 'vitest';
import { localCaller, type Caller } from '../../contracts/caller.ts';
import type { Access, CareLevel, PolicyEffect, PolicySubject } from '../../contracts/governance/policy.ts';
import type { AnyTool } from './define.ts';
import { barrier, judge } from './policy.ts';

const tool = (given: Partial<AnyTool> = {}): AnyTool =>
  ({ name: 'work.task.create', effect: 'write', approval: 'A0', external: false, scopes: ['work:write'], ...given }) as AnyTool;

const access = (level: CareLevel, rules: [PolicyEffect, (subject: PolicySubject) => boolean][] = []): Access => ({
  policy: {
    name: 'own',
    version: '1',
    level,
    fourEyes: false,
    rules: rules.map(([effect, matches]) => ({ when: '', effect, reason: 'because', matches })),
  },
  covers: null,
  session: null,
  scope: null,
});

const person = (given: Partial<Caller> = {}): Caller => ({ ...localCaller, ...given });
const agent = (given: Partial<Caller> = {}): Caller => person({ principalKind: 'agent', role: 'agent', ...given });
const effectOf = (which: AnyTool, caller: Caller): PolicyEffect => judge(which, caller, 'mcp').effect;

describe('levels of care', () => {
  const read = tool({ effect: 'read' });
  const write = tool();
  const careful = tool({ approval: 'A1' });
  const outside = tool({ approval: 'A0', external: true });
  const graveAlways = tool({ approval: 'A2', effect: 'destructive' });

  it.each<[CareLevel, PolicyEffect[], PolicyEffect[]]>([
    // order: read, write, A1, external write, A2
    ['open', ['allow', 'allow', 'allow', 'allow', 'ask'], ['allow', 'allow', 'allow', 'allow', 'ask']],
    ['standard', ['allow', 'allow', 'allow', 'allow', 'ask'], ['allow', 'allow', 'ask', 'allow', 'ask']],
    ['careful', ['allow', 'allow', 'ask', 'ask', 'ask'], ['allow', 'allow', 'ask', 'ask', 'ask']],
    ['strict', ['allow', 'allow', 'ask', 'ask', 'ask'], ['allow', 'ask', 'ask', 'ask', 'ask']],
  ])('%s', (level, people, agents) => {
    const tools = [read, write, careful, outside, graveAlways];
    expect(tools.map((each) => effectOf(each, person({ access: access(level) })))).toEqual(people);
    expect(tools.map((each) => effectOf(each, agent({ access: access(level) })))).toEqual(agents);
  });

  it('a tool may ask agents where it does not ask people', () => {
    const ruling = tool({ approval: { people: 'A0', agents: 'A2' } });
    expect(effectOf(ruling, person({ access: access('open') }))).toBe('allow');
    expect(effectOf(ruling, agent({ access: access('open') }))).toBe('ask');
  });
});

describe('tools that tell a secret', () => {
  const told = tool({ name: 'event.subscription.get_secret', effect: 'read', secret: true, scopes: [] });

  it.each(['readonly', 'stakeholder', 'new_pm'] as const)('are not for the role %s', (role) => {
    expect(barrier(told, person({ role }))).toMatchObject({ effect: 'deny', rule: 'role' });
    expect(barrier({ ...told, secret: undefined } as never, person({ role }))).toBeNull();
  });

  it('are no reading to a capability', () => {
    const covering = (part: string): Access => ({
      ...access('standard'),
      covers: (_name, effect) => (part === 'read') === (effect === 'read'),
    });
    expect(barrier(told, agent({ access: covering('read') }))).toMatchObject({ rule: 'capability' });
    expect(barrier(told, agent({ access: covering('write') }))).toBeNull();
  });
});

describe('rules', () => {
  it('decide in their order, before the level', () => {
    const caller = person({
      access: access('strict', [
        ['allow', (s) => s.tool.action === 'create'],
        ['deny', () => true],
      ]),
    });
    expect(effectOf(tool({ approval: 'A1' }), caller)).toBe('allow');
    expect(judge(tool({ name: 'work.task.fail' }), caller, 'mcp')).toMatchObject({
      effect: 'deny',
      rule: 'rule 2 of own',
      reason: 'because',
    });
  });

  it('of two policies, of a key and of a session, the graver verdict counts', () => {
    const [free, held] = [access('open', [['allow', () => true]]), access('strict')];
    const both = (one: Access, other: Access): Access => ({ ...one, policy: { ...one.policy, and: other.policy } });
    expect(effectOf(tool(), agent({ access: both(held, free) }))).toBe('ask');
    expect(effectOf(tool(), agent({ access: both(free, held) }))).toBe('ask');
    const refusing = access('open', [['deny', () => true]]);
    expect(barrier(tool(), agent({ access: both(free, refusing) }))?.effect).toBe('deny');
  });

  it('never take away what always needs a person', () => {
    expect(effectOf(tool({ approval: 'A2' }), person({ access: access('open', [['allow', () => true]]) }))).toBe('ask');
  });

  it('hide what they refuse', () => {
    const caller = person({ access: access('open', [['deny', (s) => s.tool.domain === 'work']]) });
    expect(barrier(tool(), caller)?.effect).toBe('deny');
    expect(barrier(tool({ name: 'index.chunk.search' }), caller)).toBeNull();
  });
});

describe('rules on the front', () => {
  it('judge the one that the call came by', () => {
    const caller = person({ access: access('open', [['deny', (s) => s.caller.front === 'rest']]) });
    expect(judge(tool(), caller, 'mcp').effect).toBe('allow');
    expect(judge(tool(), caller, 'rest')).toMatchObject({ effect: 'deny', rule: 'rule 1 of own' });
    const other = person({ access: access('open', [['deny', (s) => s.caller.front === 'mcp']]) });
    expect(judge(tool(), other, 'rest').effect).toBe('allow');
    expect(barrier(tool(), other)?.effect).toBe('deny');
  });
});

describe('what no policy opens', () => {
  it('a role that only reads, a missing scope, a capability that is not declared, a mount that is not there', () => {
    const open = access('open', [['allow', () => true]]);
    expect(barrier(tool(), person({ role: 'readonly', access: open }))?.rule).toBe('role');
    expect(barrier(tool(), person({ scopes: ['index:read'], access: open }))?.rule).toBe('scope');
    expect(barrier(tool(), person({ access: { ...open, covers: (name) => name.startsWith('index.') } }))?.rule).toBe('capability');
    const mounted = { ...open, session: { id: 's', mounts: new Set(['slack']), tools: [] } };
    expect(barrier(tool({ provider: 'hubspot' }), person({ access: mounted }))?.rule).toBe('mount');
    expect(barrier(tool({ provider: 'slack' }), person({ access: mounted }))).toBeNull();
  });

  it('but looking around stays possible under any capability', () => {
    const caller = agent({ access: { ...access('strict'), covers: () => false } });
    expect(judge(tool({ name: 'system.tool.search', effect: 'read', ungoverned: true }), caller, 'mcp').effect).toBe('allow');
  });
});
