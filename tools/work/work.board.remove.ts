import { z } from 'zod';
import { boardName } from '../../contracts/work/saved-boards.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.board.remove',
  title: 'Remove a board',
  description: 'Removes a saved board. Its tasks stay.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ name: boardName }),
  output: z.object({ removed: z.boolean() }),
  intents: ['delete a board', 'remove a saved filter'],
  aliases: [],
  async handler({ name }, { caller, services }) {
    return { data: { removed: await services.work.saved.remove(caller.tenant, name) } };
  },
});
