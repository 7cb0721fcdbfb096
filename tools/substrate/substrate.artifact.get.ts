import { z } from 'zod';
import { artifact, sha256 } from '../../contracts/substrate/substrate.ts';
import { defineTool } from '../catalogue/define.ts';

/** Maximum characters of text in an answer. */
const mostText = 200_000;

export default defineTool({
  name: 'substrate.artifact.get',
  title: 'Look at an artifact',
  description: 'Media type, name and size of a stored artifact; with include_content also its text, when it is a text of moderate size.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:read'],
  latency: 'L1',
  input: z.object({ sha256, include_content: z.boolean().default(false) }),
  output: z.object({ artifact: artifact.extend({ content: z.string().optional() }) }),
  intents: ['read an uploaded file', 'what is this artifact', 'look up content by its hash'],
  aliases: [],
  async handler({ sha256: hash, include_content }, { caller, services }) {
    const { artifacts } = services.substrate;
    const described = await artifacts.describe(caller.tenant, hash);
    const refs = [{ type: 'artifact' as const, id: hash }];
    if (!include_content) return { data: { artifact: described }, refs };
    const text = described.size > mostText ? null : (await artifacts.text(caller.tenant, hash)).content;
    if (text !== null) return { data: { artifact: { ...described, content: text } }, refs };
    const why = described.size > mostText ? `it has more than ${mostText} bytes` : 'it is not text';
    return {
      data: { artifact: described },
      refs,
      warnings: [`The content is left out: ${why}. ingest.document.submit ingests it by its hash.`],
    };
  },
});
