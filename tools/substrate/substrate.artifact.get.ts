import { z } from 'zod';
import { artifact, sha256 } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

/** Maximum bytes of text in an answer. */
const mostText = 200_000;

export default defineTool({
  name: 'substrate.artifact.get',
  title: 'Look at an artifact',
  description: 'Media type, name and size of a stored artifact; with include_content also its text, in parts of 200 kB when it is longer.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input: z.object({
    sha256,
    include_content: z.boolean().default(false),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .describe('next_cursor of the part before'),
  }),
  output: z.object({ artifact: artifact.extend({ content: z.string().optional() }) }),
  intents: ['read an uploaded file', 'what is this artifact', 'look up content by its hash'],
  aliases: [],
  async handler({ sha256: hash, include_content, cursor }, { caller, services }) {
    const { artifacts } = services.substrate;
    const refs = [{ type: 'artifact' as const, id: hash }];
    if (!include_content) return { data: { artifact: await artifacts.describe(caller.tenant, hash) }, refs };
    const { content, next, ...described } = await artifacts.part(caller.tenant, hash, Number(cursor ?? 0), mostText);
    if (content === null) {
      const warnings = ['The content is left out: it is not text. ingest.document.submit ingests it by its hash.'];
      return { data: { artifact: described }, refs, warnings };
    }
    const answer = { data: { artifact: { ...described, content } }, refs };
    if (next === undefined) return answer;
    const warnings = [`The text goes on after byte ${next} of ${described.size}. Pass metadata.next_cursor as cursor for the next part.`];
    return { ...answer, metadata: { next_cursor: String(next) }, warnings };
  },
});
