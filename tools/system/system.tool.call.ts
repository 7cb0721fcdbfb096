import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { defineTool } from '../catalogue/define.ts';

/**
 * The pipeline replaces this call by the call of the named tool (`tools/catalogue/standing-in.ts`); the handler only
 * sees a call of itself.
 */
export default defineTool({
  name: 'system.tool.call',
  title: 'Call any tool',
  description:
    'Calls any tool by name, also one that is not in your list: system.tool.search finds it, system.tool.describe shows its arguments. Same rights, approval, record and answer as a direct call.',
  effect: 'destructive',
  idempotent: false,
  external: true,
  approval: 'A0',
  ungoverned: true,
  standsIn: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    name: z.string().min(1).max(128).describe('As found'),
    arguments: z.record(z.string(), z.unknown()).optional().describe('Of that tool'),
  }),
  output: z.unknown(),
  intents: ['call a tool that is not listed', 'use a tool that I have found', 'run a tool by its name'],
  core: true,
  worker: true,
  aliases: [],
  async handler() {
    throw new AppError('VALIDATION_ERROR', 'system.tool.call does not call itself.', {
      hint: 'Give the name and the arguments of the tool that you want to call.',
    });
  },
});
