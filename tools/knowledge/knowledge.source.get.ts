import { z } from 'zod';
import { sourceDetail, sourceId } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ source_id: sourceId });
const output = z.object({ source: sourceDetail });

const getSourceInfo: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_source_info',
  system: 'devflow',
  description: 'Details of one knowledge source.',
  input,
  toInput: (args) => args as z.input<typeof input>,
  toAnswer: ({ source: { id, title, description, type, url, tags, priority, chunk_count, created_at, updated_at, metadata } }) => ({
    id,
    title,
    description,
    type,
    url,
    tags,
    priority,
    chunk_count,
    created_at,
    updated_at,
    metadata,
  }),
};

export default defineTool({
  name: 'knowledge.source.get',
  title: 'Look at a knowledge source',
  description: 'One source by its id: title, type, tags, state, number of passages, metadata, and why its last ingestion failed if it did.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L1',
  input,
  output,
  intents: ['details of a document', 'when was this source indexed', 'why did this file fail to index'],
  aliases: [getSourceInfo],
  async handler({ source_id }, { caller, services }) {
    const found = await services.knowledge.queries.source(caller.tenant, source_id);
    return { data: { source: found }, refs: [{ type: 'source', id: found.id, ...(found.url ? { url: found.url } : {}) }] };
  },
});
