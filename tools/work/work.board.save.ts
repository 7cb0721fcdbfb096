import { z } from 'zod';
import { boardName, savedBoard, savedFilter } from '../../contracts/work/saved-boards.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.board.save',
  title: 'Save a board',
  description: 'Keeps a filter of tasks under a name, for everybody; work.board.get takes the name. A board of this name is replaced.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L1',
  input: z.object({ name: boardName, filter: savedFilter }),
  output: z.object({ board: savedBoard }),
  intents: ['make a board for the backend team', 'save this filter', 'second kanban board'],
  aliases: [],
  async handler({ name, filter }, { caller, services }) {
    return { data: { board: await services.work.saved.save(caller, name, filter) } };
  },
});
