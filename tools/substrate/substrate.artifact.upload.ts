import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { mediaType, uploaded, type Uploaded } from '../../contracts/substrate/substrate.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  content: z.string().max(20_000_000).optional().describe('Text'),
  content_base64: z.string().max(70_000_000).optional().describe('Instead of content: bytes'),
  media_type: mediaType.describe('E.g. text/markdown, application/pdf'),
  filename: words(255).optional(),
});

/** The name is the same; the alias adds it to the list of that system. */
const upload: Alias<z.input<typeof input>, Uploaded> = {
  name: 'substrate.artifact.upload',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'substrate.artifact.upload',
  title: 'Store content by its hash',
  description:
    'Stores text or bytes under their SHA-256, once. Pass the hash on instead of the content, e.g. to ingest.document.submit as artifact.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['substrate:write'],
  latency: 'L1',
  input,
  output: uploaded,
  intents: ['upload a file', 'store bytes', 'keep content by reference', 'upload before ingesting'],
  worker: true,
  aliases: [upload],
  async handler({ content, content_base64, media_type, filename }, { caller, services }) {
    const { artifacts } = services.substrate;
    if ((content === undefined) === (content_base64 === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either content or content_base64.', {
        hint: 'content is text; content_base64 any bytes.',
      });
    }
    const bytes = content === undefined ? artifacts.fromBase64(content_base64!) : Buffer.from(content, 'utf8');
    const data = await artifacts.upload(caller, bytes, { mediaType: media_type, filename });
    return {
      data,
      refs: [{ type: 'artifact', id: data.sha256 }],
      warnings: data.existed ? ['These bytes already existed; they keep their first media type and name.'] : [],
    };
  },
});
