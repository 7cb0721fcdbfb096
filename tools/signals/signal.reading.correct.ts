import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { reading, readId } from './signal.reading.shared.ts';

export default defineTool({
  name: 'signal.reading.correct',
  title: 'Correct how a document was read',
  description:
    'Says whose statements a document holds, when they were made, or who in it speaks for whom, and has it read again. The correction stays for later versions of the source; with everywhere it teaches who these people are in all other documents. For single statements use signal.record.correct.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: { people: 'A0', agents: 'A1' },
  scopes: ['knowledge:write'],
  latency: 'L1',
  input: z.object({
    id: readId,
    customer: words(200).nullable().optional().describe('Name of the customer; null takes a correction back'),
    date: z.iso.date().nullable().optional().describe('Day of the document; null takes a correction back'),
    people: z
      .array(
        z.object({
          name: words(200).describe('As signal.reading.get shows it'),
          side: z.enum(['customer', 'vendor']).nullable().describe('null takes a correction back'),
          customer: words(200).optional().describe('For whom a person of a customer speaks'),
        }),
      )
      .max(50)
      .optional()
      .describe('On which side people are'),
    everywhere: z.boolean().default(false).describe('The people are on that side in all documents, not in this one alone'),
  }),
  output: reading,
  intents: [
    'this call was with another customer',
    'the date of the notes is wrong',
    'assign the document to a customer',
    'she works for us, not for the customer',
  ],
  aliases: [],
  async handler({ id, ...correction }, { caller, services }) {
    const data = await services.readings.correct(caller, id, correction);
    return { data, refs: [{ type: 'document', id: data.document_id }] };
  },
});
