import { z } from 'zod';
import { chunkSize, ingestAnswer, kbId, metadata, tags, words, type IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { ingestResult, stillUnderWay } from './ingest.shared.ts';

const profiles = ['auto', 'fast', 'thorough'] as const;

const input = z.object({
  url: words(2048).describe('http or https'),
  depth: z.number().int().min(0).max(3).default(1).describe('How many links away pages of the same site are followed; 0: this page alone'),
  max_pages: z.number().int().min(1).max(50).default(50),
  profile: words(32).default('auto').describe('auto, fast (fewer pages a site asks not to hurry) or thorough'),
  tags: tags.optional(),
  kb_id: kbId.optional(),
  metadata: metadata.optional(),
  chunk_size: chunkSize.optional().describe('Characters of a passage; default 1000'),
});

const output = ingestAnswer.extend({ url: z.string() });
type Output = z.infer<typeof output>;

const ingestUrl: Alias<z.input<typeof input>, Output> = {
  name: 'ingest_url',
  system: 'agentic-rag',
  description: 'Crawls a page, and pages it links to on the same site up to a depth, and makes them searchable.',
  input: z.object({ url: words(2048), depth: z.number().int().min(0).max(3).default(1), profile: words(32).default('auto') }),
  toInput: (args) => args as z.input<typeof input>,
  toText: (data) =>
    data.counts
      ? `Ingested ${taken(data)} page${taken(data) === 1 ? '' : 's'} from ${data.url}`
      : stillUnderWay(`Ingesting ${data.url}`, data),
};

const taken = ({ counts }: IngestAnswer): number => (counts ? counts.done + counts.unchanged : 0);

export default defineTool({
  name: 'ingest.url.submit',
  title: 'Take web pages in',
  description:
    'Fetches a web page (or PDF, Office file) and, up to a depth, the pages of the same site that it links to, and makes them searchable. robots.txt is respected. Pages that have not changed are left as they are.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output,
  intents: ['crawl a website', 'index this URL', 'add a web page to the knowledge base', 'read the documentation site'],
  aliases: [ingestUrl],
  async handler({ url, depth, max_pages, profile, tags: labels, kb_id, metadata: about, chunk_size }, { caller, services, progress }) {
    const known = profiles.find((name) => name === profile);
    const outcome = await services.knowledge.commands.submitRun(
      caller,
      {
        origin: { kind: 'url', url, depth, max_pages, profile: known ?? 'auto' },
        title: url,
        type: 'page',
        kbId: kb_id,
        tags: labels,
        metadata: about,
        chunkSize: chunk_size,
      },
      { onProgress: progress },
    );
    const result = ingestResult(outcome);
    const warnings = known ? result.warnings! : [`There is no profile "${profile}": "auto" was used.`, ...result.warnings!];
    return { ...result, data: { ...result.data, url }, warnings };
  },
});
