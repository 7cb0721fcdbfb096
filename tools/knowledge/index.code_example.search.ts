import { z } from 'zod';
import { kbId, sourceId, tags } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const language = z.string().min(1).max(40).optional().describe('e.g. python; short names such as py are understood');
const input = z.object({
  query: z.string().min(1).max(10_000).describe('What the code should show'),
  language,
  limit: z.number().int().min(1).max(50).default(5),
  filters: z.object({ tags: tags.optional(), sources: z.array(sourceId).max(200).optional(), kb_id: kbId.optional() }).optional(),
});

const example = z.object({
  code: z.string(),
  /** As the source spells it; null if it is not given. */
  language: z.string().nullable(),
  /** Headings above the code and the surrounding text. */
  context: z.string(),
  source: z.string(),
  source_id: z.string(),
  url: z.string().nullable(),
  citation: z.string(),
  score: z.number(),
});
const output = z.object({ examples: z.array(example), trajectory_id: z.string().optional() });

const getCodeExamples: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_code_examples',
  system: 'devflow',
  description: 'Code examples on a topic from the knowledge base, with where they come from.',
  input: z.object({ topic: z.string().min(1).max(10_000), language, top_k: z.number().int().min(1).max(50).default(5) }),
  toInput: ({ topic, top_k, ...args }) => ({ ...args, query: topic, limit: top_k }) as z.input<typeof input>,
  toAnswer: ({ examples }) => ({
    examples: examples.map(({ code, language: spoken, context, source, url }) => ({ code, language: spoken, context, source, url })),
  }),
};

export default defineTool({
  name: 'index.code_example.search',
  title: 'Find code examples',
  description: 'Code blocks from ingested documents on a topic, each with its language, the text around it and its source.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scoped: true,
  scopes: ['knowledge:read'],
  latency: 'L2',
  input,
  output,
  intents: ['show me code for', 'find a code example', 'how is this done in python', 'sample snippets from our docs'],
  aliases: [getCodeExamples],
  async handler({ query, language: wanted, limit, filters }, { caller, services, toolCallId, signal }) {
    const { examples, warnings, cached, trajectoryId } = await services.knowledge.codeExamples(
      caller.tenant,
      { query, language: wanted, limit, filters },
      { principal: caller.principal, toolCallId, signal },
    );
    return {
      data: { examples, ...(trajectoryId ? { trajectory_id: trajectoryId } : {}) },
      metadata: { result_count: examples.length, ...(cached ? { cached } : {}), ...(trajectoryId ? { trajectory_id: trajectoryId } : {}) },
      warnings,
    };
  },
});
