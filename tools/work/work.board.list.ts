import { z } from 'zod';
import { savedBoard } from '../../contracts/work/saved-boards.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.board.list',
  title: 'List boards',
  description: 'Saved boards with their filters, by name.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ boards: z.array(savedBoard) }),
  intents: ['which boards are there', 'show saved filters'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { boards: await services.work.saved.list(caller.tenant) } };
  },
});
