import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../contracts/envelope.ts';
import { nameStyles } from '../../contracts/tool-names.ts';
import { adviceTo, toldTo, wayTo, type Audience } from '../../tools/catalogue/audience.ts';
import { Catalogue, profiles } from '../../tools/catalogue/catalogue.ts';
import { tools } from '../../tools/index.ts';
import { testCaller } from '../testing.ts';
import { instructionsFor } from './server.ts';

const catalogue = new Catalogue(tools);
const caller = testCaller('ann', { role: 'admin', principalKind: 'human' });
const to = (audience: Partial<Audience> = {}) => ({
  catalogue,
  caller,
  audience: { style: 'hyphen' as const, profile: 'core', ...audience },
});
const failed = (message: string, suggestion?: string, alternatives?: string[]): Envelope => ({
  status: 'error',
  data: { text: 'work.task.list' },
  metadata: { source: 'x', query_time_ms: 0 },
  refs: [],
  warnings: [],
  tool_call_id: 'c',
  error: { code: 'NOT_FOUND', message, retryable: false, ...(suggestion ? { suggestion } : {}), ...(alternatives ? { alternatives } : {}) },
});

describe('advice', () => {
  it('is spelled for the client, and says how to call what its list lacks', () => {
    const told = toldTo(failed('No task.', 'work.task.list shows them; api.example.com does not.', ['work.task.list']), to());
    expect(told.error).toMatchObject({
      suggestion:
        'work-task-list shows them; api.example.com does not. Call tools that are not in your list through system-tool-call: {"name": …, "arguments": {…}}.',
      alternatives: ['work-task-list'],
    });
    expect(told.data).toEqual({ text: 'work.task.list' });
    expect(toldTo(failed('No task.', 'work.task.list shows them.'), to({ style: 'underscore' })).error?.suggestion).toMatch(
      /^work_task_list shows them\. .*system_tool_call/,
    );
  });

  it('adds nothing where the client has the tool, or is calling it', () => {
    expect(toldTo(failed('No.', 'work.task.claim first.'), to()).error?.suggestion).toBe('work-task-claim first.');
    expect(toldTo(failed('No.', 'work.task.list.'), to({ profile: 'unified' })).error?.suggestion).toBe('work-task-list.');
    const called = catalogue.named('work.task.list');
    expect(toldTo(failed('No.', 'Call work.task.list with a limit.'), to(), called).error?.suggestion).toBe(
      'Call work-task-list with a limit.',
    );
    const session = {
      ...caller,
      access: {
        policy: { name: 'x', version: '1', level: 'open', fourEyes: false, rules: [] },
        session: { id: 's', mounts: null, tools: ['work.task.list'] },
      } as never,
    };
    expect(toldTo(failed('No.', 'work.task.list.'), { ...to(), caller: session }).error?.suggestion).toBe('work-task-list.');
  });

  it("is given in the names of the profile's own system", () => {
    expect(toldTo(failed('No.', 'work.task.list.'), to({ profile: 'devflow' })).error?.suggestion).toBe('get_tasks.');
    expect(toldTo(failed('No.', 'system.job.get.'), to({ profile: 'devflow' })).error?.suggestion).toBe(
      'system-job-get. Not in the list of the profile "devflow": system-job-get. The profile "core" (/mcp/p/core) calls every tool.',
    );
  });

  it('in warnings gets the same', () => {
    const warned = { ...failed('x'), error: undefined, warnings: ['See approval.request.list.'] } as unknown as Envelope;
    expect(toldTo(warned, to()).warnings).toEqual(['See approval-request-list.', expect.stringContaining('system-tool-call')]);
    const silent = { ...warned, warnings: [] };
    expect(toldTo(silent, to())).toBe(silent);
  });
});

it('the instructions name only tools that the client can call, as it spells them', () => {
  for (const profile of profiles) {
    for (const style of nameStyles) {
      const text = instructionsFor(catalogue, { style, profile });
      const names = (text.match(/\b[a-z]+(?:([._-])[a-z_]+)\1[a-z_]+\b/g) ?? []).filter((name) => catalogue.find(name));
      for (const name of names)
        expect(catalogue.isListed(caller, profile, catalogue.named(name)) || profile === 'core', `${profile}: ${name}`).toBe(true);
      if (style !== 'dotted') expect(text).not.toMatch(/\b(work|system)\.[a-z]+\.[a-z]+/);
    }
  }
  expect(instructionsFor(catalogue, { style: 'hyphen', profile: 'core' })).toContain('through system-tool-call');
  expect(instructionsFor(catalogue, { style: 'hyphen', profile: 'devflow' })).toContain('claim_task gives you');
  expect(adviceTo(['Ask system.tool.search.'], catalogue, { style: 'hyphen', profile: 'perception' })).toEqual([]);
});

it('every tool that is named to models exists', () => {
  const text = instructionsFor(catalogue, { style: 'dotted', profile: 'core' });
  for (const name of text.match(/\b[a-z]+\.[a-z_]+\.[a-z_]+/g) ?? []) expect(catalogue.find(name), name).toBeDefined();
});

it('what is listed needs no way', () => {
  expect(wayTo([catalogue.named('work.task.claim')], to())).toBeUndefined();
  expect(wayTo([catalogue.named('work.task.list')], to({ profile: 'all' }))).toBeUndefined();
});
