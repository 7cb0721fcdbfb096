import { z } from 'zod';
import { removalAnswer } from '../../contracts/knowledge/bases.ts';
import { sourceId } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { removed } from './knowledge.removal.shared.ts';

export default defineTool({
  name: 'knowledge.source.delete',
  title: 'Delete a knowledge source',
  description:
    'Deletes a source with its passages and its file, for good; its ingestion, if running, is cancelled. Answers accepted with a job when it takes longer. Submitted again later, it is there again.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input: z.object({ source_id: sourceId }),
  output: removalAnswer.extend({ source_id: z.string() }),
  intents: ['remove a document', 'delete an outdated source', 'take this transcript out of the knowledge base'],
  aliases: [],
  async handler({ source_id }, { caller, services, progress }) {
    return removed(await services.knowledge.removal.source(caller, source_id, { onProgress: progress }), { source_id });
  },
});
