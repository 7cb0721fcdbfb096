import { z } from 'zod';
import { ingestAnswer, words, type IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import { writtenMoment } from '../../contracts/times.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { common, given, ingestResult } from './ingest.shared.ts';

const meetingTypes = ['sprint_review', 'customer_call', 'stakeholder_sync', 'team_standup', 'product_review', 'other'] as const;

const meeting = {
  title: words(300).describe('E.g. "Sprint review 2026-03-04"'),
  date: writtenMoment.optional().describe('ISO 8601; transcripts of one title and different dates are kept apart'),
  meeting_type: z.enum(meetingTypes).optional(),
  participants: z.array(words(200)).max(100).optional(),
};
const input = z.object({ ...meeting, ...common });

const ingestTranscript: Alias<z.input<typeof input>, IngestAnswer> = {
  name: 'ingest_transcript',
  system: 'pm-intelligence',
  description: 'Takes the transcript of a meeting or call in, pasted or as a file (VTT, SRT, TXT), so that it can be searched.',
  input: z.object({ ...meeting, content: common.content, file_path: common.file_path, customer: common.customer }),
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'ingest.transcript.submit',
  title: 'Take a transcript in',
  description:
    'Makes the transcript of a meeting or call searchable, with speakers and times as citations. Pass it as content, or as a VTT, SRT or TXT file by file_path. Answers accepted with a job when it takes longer.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output: ingestAnswer,
  intents: [
    'add meeting notes',
    'upload a call recording transcript',
    'ingest a Zoom or Teams transcript',
    'remember what the customer said in the call',
  ],
  aliases: [ingestTranscript],
  handler: async (
    { content, file_path, format, title, date, meeting_type, participants, customer, tags, kb_id, metadata, chunk_size },
    { caller, services, progress },
  ) =>
    ingestResult(
      await services.knowledge.commands.submit(
        caller,
        {
          kind: 'transcript',
          content,
          filePath: file_path,
          format,
          title,
          date,
          customer,
          tags,
          kbId: kb_id,
          chunkSize: chunk_size,
          metadata: { ...metadata, ...given({ meeting_type, participants }) },
        },
        { onProgress: progress },
      ),
    ),
});
