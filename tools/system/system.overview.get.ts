import { z } from 'zod';
import { overview } from '../../contracts/overview.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.overview.get',
  title: 'What runs and what waits',
  description:
    'In one call: tasks by status and how many are stuck, what waits for a person (approvals, reviews, dead letters, outputs, changed tools, undelivered events), agents by health, running jobs.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: overview,
  intents: ['what needs my attention', 'what is waiting for a decision', 'overview of everything that runs', 'how many tasks are stuck'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: await services.overview.get(caller) };
  },
});
