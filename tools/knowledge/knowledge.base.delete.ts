import { z } from 'zod';
import { removalAnswer } from '../../contracts/knowledge/bases.ts';
import { kbId } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { removed } from './knowledge.removal.shared.ts';

export default defineTool({
  name: 'knowledge.base.delete',
  title: 'Delete a knowledge base',
  description:
    'Deletes a base with all its sources, passages and files, for good; running ingestions into it are cancelled. dry_run tells how much that is. Answers accepted with a job when it takes longer.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input: z.object({ kb_id: kbId, dry_run: z.boolean().default(false).describe('Only count') }),
  output: removalAnswer.partial({ job_id: true, workflow_id: true, status: true }).extend({ kb_id: z.string(), dry_run: z.boolean() }),
  intents: ['remove a knowledge base', 'delete a whole collection', 'clear out all documents of a base'],
  aliases: [],
  async handler({ kb_id, dry_run }, { caller, services, progress }) {
    const { removal } = services.knowledge;
    if (!dry_run) return removed(await removal.base(caller, kb_id, { onProgress: progress }), { kb_id, dry_run });
    const { sources, documents, chunks } = await removal.preview(caller.tenant, kb_id);
    return { data: { kb_id, dry_run, source_count: sources, document_count: documents, chunk_count: chunks } };
  },
});
