import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { localCaller, type Caller } from '../../contracts/caller.ts';
import { withoutSecrets } from '../../contracts/secrets.ts';
import { nameStyles, spelled } from '../../contracts/tool-names.ts';
import { Catalogue, profiles } from './catalogue.ts';
import { tokensOf } from '../../scripts/token-count.ts';
import { systems } from './define.ts';
import { tools } from '../index.ts';

const catalogue = new Catalogue(tools);
const caller: Caller = { ...localCaller, tenant: 'acme' };

/** Fields that count tokens. */
const counted = new Set(['input_tokens', 'output_tokens']);
/** They return only the names of credentials, or whether there are any. */
const listsNames = new Set(['connector.mount.list', 'external.server.get', 'external.server.list', 'feed.source.get', 'feed.source.list']);

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  it('is named, described and hinted as the house rules say', () => {
    expect(tool.name).toMatch(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){2}$/);
    for (const name of [tool.name, ...tool.aliases.map((alias) => alias.name)]) {
      expect(`mcp__signalbox__${name}`.length, name).toBeLessThanOrEqual(64);
    }
    expect(tool.title.length).toBeLessThanOrEqual(48);
    expect(tool.description.length).toBeGreaterThanOrEqual(30);
    expect(tool.description.length).toBeLessThanOrEqual(320);
    expect(tool.intents.length).toBeGreaterThanOrEqual(2);
    for (const scope of tool.scopes) expect(scope).toMatch(/^[a-z]+:[a-z]+$/);
  });

  it('has schemas every model provider takes', () => {
    for (const input of [tool.input, ...tool.aliases.map((alias) => alias.input)]) {
      const schema = catalogue.jsonSchema(input as z.ZodType);
      expect(schema['type']).toBe('object');
      expect(JSON.stringify(schema)).not.toMatch(/"(oneOf|allOf|\$ref|not|if|then)":/);
      expect(JSON.stringify(schema)).not.toMatch(/2147483647|9007199254740991/);
    }
  });

  it('says so when its answer holds a secret', () => {
    const named = [...JSON.stringify(catalogue.jsonSchema(tool.output as z.ZodType)).matchAll(/"(\w+)":\{/g)].map(([, name]) => name!);
    const secrets = named.filter(
      (name) => !counted.has(name) && (withoutSecrets({ [name]: 'x' }) as Record<string, unknown>)[name] !== 'x',
    );
    if (tool.effect === 'read' && !listsNames.has(tool.name)) expect(secrets.length > 0).toBe(tool.secret === true);
  });

  it("keeps each alias's contract apart", () => {
    for (const alias of tool.aliases) expect(systems).toContain(alias.system);
  });
});

describe('the catalogue', () => {
  it('takes every spelling', () => {
    for (const tool of tools) {
      for (const name of [tool.name, ...tool.aliases.map((alias) => alias.name)].flatMap((each) =>
        nameStyles.map((style) => spelled(each, style)),
      )) {
        expect(catalogue.resolve(name, caller).tool, name).toBe(tool);
      }
    }
  });

  it('agrees with the map of seed names', ({ skip }) => {
    const file = new URL('../../../shared/tool-map.json', import.meta.url);
    if (!existsSync(file)) return skip('../shared/tool-map.json is absent');
    const map = JSON.parse(readFileSync(file, 'utf8')) as { seed_name: string; unified_name: string; kind: string; approval: string }[];
    const present = map.filter((entry) => catalogue.find(entry.seed_name));
    expect(present.length).toBeGreaterThanOrEqual(12);
    for (const entry of present) {
      const tool = catalogue.find(entry.seed_name)!.tool;
      expect(tool.name, entry.seed_name).toBe(entry.unified_name);
      expect(tool.effect, entry.seed_name).toBe(entry.kind);
    }
    const unified = new Set(map.map((entry) => entry.unified_name));
    for (const tool of tools.filter((candidate) => unified.has(candidate.name))) {
      const wanted = map.filter((entry) => entry.unified_name === tool.name).map((entry) => entry.seed_name);
      const have = tool.aliases.map((alias) => alias.name);
      // Names of operations that are not built yet are in the roadmap, not here.
      expect(wanted).toEqual(expect.arrayContaining(have));
    }
  });

  it('suggests what was probably meant', () => {
    const meant: Record<string, string> = {
      'work.task.clam': 'work.task.claim',
      claimtask: 'claim_task',
      'work-task-creat': 'work.task.create',
      'task.claim': 'work.task.claim',
      get_kanban: 'get_kanban_board',
    };
    for (const [wrong, right] of Object.entries(meant)) {
      expect(() => catalogue.resolve(wrong, caller), wrong).toThrow(
        expect.objectContaining({ code: 'NOT_FOUND', alternatives: expect.arrayContaining([right]) }),
      );
    }
    expect(() => catalogue.resolve('x'.repeat(5_000), caller)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('shows and allows only what role and scopes allow', () => {
    const reader = { ...caller, role: 'readonly' as const };
    expect(catalogue.list(reader, 'core').map((tool) => tool.name)).toContain('system.tool.call');
    const writing = catalogue.list(reader, 'all').filter((tool) => !tool.annotations.readOnlyHint);
    expect(writing.filter(({ name }) => !catalogue.named(name).tool.own)).toEqual([]);
    expect(() => catalogue.resolve('work.task.claim', reader)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
    const worker = { ...caller, scopes: ['work:*'] };
    const names = catalogue.list(worker, 'unified').map((tool) => tool.name);
    expect(names).toContain('work.task.claim');
    expect(names).toContain('system.tool.search');
    expect(names).not.toContain('system.ledger.search');
    expect(() => catalogue.list(caller, 'nope')).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('lists a small core, and the seven devflow work tools under their own names', () => {
    expect(catalogue.list(caller, 'core').length).toBeLessThanOrEqual(20);
    for (const style of nameStyles) {
      expect(tokensOf({ tools: catalogue.list(caller, 'core', { style }) }), style).toBeLessThanOrEqual(3_000);
    }
    const devflow = catalogue.list(caller, 'devflow').map((tool) => tool.name);
    expect(devflow).toEqual(
      expect.arrayContaining([
        'create_task',
        'update_task_status',
        'claim_task',
        'get_my_task',
        'get_tasks',
        'get_phase_info',
        'get_kanban_board',
      ]),
    );
    for (const profile of profiles) {
      const names = catalogue.list(caller, profile, { style: 'hyphen' }).map((tool) => tool.name);
      expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,48}$/.test(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('leaves out of the core what is seldom needed, says so, and lets it through', () => {
    const [listed] = catalogue.list(caller, 'core', { style: 'hyphen' }).filter(({ name }) => name === 'work-task-create');
    expect(listed!.description).toMatch(/ More arguments: system-tool-describe\.$/);
    expect(listed!.inputSchema['properties']).not.toHaveProperty('max_attempts');
    expect(listed!.inputSchema).not.toHaveProperty('additionalProperties');
    expect(catalogue.describe(catalogue.named('work.task.create')).inputSchema['properties']).toHaveProperty('max_attempts');
    for (const { tool } of catalogue.list(caller, 'core').map(({ name }) => catalogue.named(name))) {
      const { properties, required = [] } = catalogue.jsonSchema(tool.input as z.ZodType) as { properties: object; required?: string[] };
      const seldom = tool.core === true ? [] : tool.core!.seldom;
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(seldom));
      expect(required.filter((name) => seldom.includes(name))).toEqual([]);
    }
  });

  it('refuses two tools that are one in some spelling', () => {
    const [tool] = tools;
    const named = (name: string) => ({ ...tool!, name, aliases: [] });
    expect(() => new Catalogue([named('a.b_c.d'), named('a.b.c_d')])).toThrow('Two tools are called "a_b_c_d"');
    expect(() => new Catalogue([named('a.b.c'), named('a-b.c')])).toThrow('Two tools are called "a-b-c"');
  });

  it('lists schemas that say what is refused, in the spelling of the client', () => {
    for (const listed of catalogue.list(caller, 'unified', { style: 'hyphen', outputs: true })) {
      expect(listed.inputSchema['additionalProperties'], listed.name).toBe(false);
      expect(listed.outputSchema, listed.name).toMatchObject({ type: 'object', required: ['status', 'data'] });
      expect(JSON.stringify(listed)).not.toMatch(/\b(work|system|index|graph|approval)\.[a-z_]+\.[a-z_]+/);
    }
    const [claim] = catalogue.list(caller, 'devflow').filter(({ name }) => name === 'claim_task');
    expect(claim!.inputSchema).not.toHaveProperty('additionalProperties');
  });

  it('shows no model of the core a tool that it cannot call', () => {
    const listed = catalogue.list(caller, 'core');
    const names = new Set(listed.map(({ name }) => name));
    const told = JSON.stringify(listed).match(/\b[a-z]+\.[a-z_]+\.[a-z_]+\b/g) ?? [];
    expect(told.filter((name) => catalogue.find(name)?.name === name && !names.has(name))).toEqual([]);
  });
});
