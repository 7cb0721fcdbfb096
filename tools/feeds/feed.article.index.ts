import { z } from 'zod';
import { harvestRunId } from '../../contracts/feeds/feeds.ts';
import { ingestAnswer, kbId, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { ingestResult } from '../knowledge/ingest.shared.ts';

export default defineTool({
  name: 'feed.article.index',
  title: 'Make stored articles searchable',
  description:
    'Takes the stored articles of a run into a knowledge base, each under its canonical address, so that index.chunk.search finds them. Articles that have not changed are left as they are.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input: z.object({
    run_id: harvestRunId,
    source_id: words(200).optional().describe('Only those of this feed'),
    kb_id: kbId.optional(),
  }),
  output: ingestAnswer,
  observes: ({ run_id }) => ({ 'run.id': run_id }),
  intents: ['make news searchable', 'add fetched articles to the knowledge base', 'index the articles of a run'],
  aliases: [],
  async handler({ run_id, source_id, kb_id }, { caller, services, progress }) {
    const items = services.feeds.articles.contents(caller.tenant, { runId: run_id, sourceId: source_id });
    const wanted = { title: `Articles of ${run_id}`, type: 'article', kbId: kb_id, items };
    return ingestResult(await services.knowledge.submitItems(caller, wanted, { onProgress: progress }));
  },
});
