import { z } from 'zod';
import { words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool } from '../catalogue/define.ts';
import { reading, readId } from './signal.reading.shared.ts';

export default defineTool({
  name: 'signal.reading.correct',
  title: 'Correct how a document was read',
  description:
    'Says whose statements a document holds, or when they were made, and has it read again. The correction stays for later versions of the source. For single statements use signal.record.correct.',
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
  }),
  output: reading,
  intents: ['this call was with another customer', 'the date of the notes is wrong', 'assign the document to a customer'],
  aliases: [],
  async handler({ id, customer, date }, { caller, services }) {
    const data = await services.readings.correct(caller, id, { customer, date });
    return { data, refs: [{ type: 'document', id: data.document_id }] };
  },
});
