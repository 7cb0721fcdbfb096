import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Services } from '../../services/index.ts';
import { tools } from '../index.ts';
import { defineTool } from './define.ts';
import { givenTo } from './given.ts';

const services = new Proxy({} as Services, { get: (_, name) => name, has: () => true });

it('gives a tool the services of its context alone', () => {
  expect(Object.keys(givenTo(services, 'run.record.get'))).toEqual(['jobs', 'language', 'projections', 'health', 'runs']);
  expect(Object.keys(givenTo(services, 'nothing.of.ours'))).toEqual(['jobs', 'language', 'projections', 'health']);
  for (const { name } of tools) expect(Object.keys(givenTo(services, name)).length, name).toBeGreaterThan(4);
});

it('is held by the compiler', () => {
  const tool = defineTool({
    ...tools.find(({ name }) => name === 'work.phase.list')!,
    name: 'work.phase.other',
    output: z.looseObject({}),
    async handler(_, { services: given }) {
      // @ts-expect-error a tool of the board has no knowledge
      given.knowledge?.queries.toString();
      return { data: { queries: given.work.queries } };
    },
  });
  expect(tool.name).toBe('work.phase.other');
});
