import { z } from 'zod';
import { chunkSize, ingestAnswer, kbId, metadata, tags, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { ingestResult, stillUnderWay } from './ingest.shared.ts';

const languages = z.array(z.string().regex(/^[a-zA-Z]{2,3}(-[\w-]{1,20})?$/)).max(10);

const input = z.object({
  video_url: words(2048).describe('Address or id of the video'),
  languages: languages.optional().describe('Wanted languages of the transcript, best first, e.g. ["en", "de"]'),
  tags: tags.optional(),
  kb_id: kbId.optional(),
  metadata: metadata.optional(),
  chunk_size: chunkSize.optional().describe('Characters of a passage; default 1000'),
});

const output = ingestAnswer.extend({
  video_id: z.string().optional(),
  language: z.string().optional(),
  duration_seconds: z.number().optional(),
});
type Output = z.infer<typeof output>;

const ingestYoutube: Alias<z.input<typeof input>, Output> = {
  name: 'ingest_youtube',
  system: 'agentic-rag',
  description: "Takes a YouTube video's transcript in, so that what is said in it can be searched.",
  input: z.object({ video_url: words(2048), languages: languages.optional() }),
  toInput: (args) => args as z.input<typeof input>,
  toText: (data) =>
    data.video_id
      ? `Video ${data.video_id}: language ${data.language}, ${data.duration_seconds} seconds, ${data.chunk_count ?? 0} chunks indexed`
      : stillUnderWay('The video', data),
};

export default defineTool({
  name: 'ingest.youtube.submit',
  title: "Take a video's transcript in",
  description: 'Fetches the transcript (captions) of a YouTube video and makes it searchable, with times as citations.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output,
  intents: ['index a YouTube video', 'what is said in this video', 'add a talk to the knowledge base'],
  aliases: [ingestYoutube],
  async handler({ video_url: url, languages: wanted, tags: labels, kb_id, metadata: about, chunk_size }, { caller, services, progress }) {
    const outcome = await services.knowledge.commands.submitRun(
      caller,
      {
        origin: { kind: 'youtube', url, languages: wanted ?? [] },
        title: url,
        type: 'video',
        kbId: kb_id,
        tags: labels,
        metadata: about,
        chunkSize: chunk_size,
      },
      { onProgress: progress },
    );
    const { video_id, language, duration_seconds } = outcome.details as Partial<Output>;
    const result = ingestResult(outcome);
    return {
      ...result,
      data: {
        ...result.data,
        ...(video_id === undefined ? {} : { video_id }),
        ...(language === undefined ? {} : { language }),
        ...(duration_seconds === undefined ? {} : { duration_seconds }),
      },
    };
  },
});
