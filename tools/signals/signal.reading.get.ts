import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { reading, readId } from './signal.reading.shared.ts';

export default defineTool({
  name: 'signal.reading.get',
  title: 'What was understood of a document',
  description:
    'Tells how a document was read: its kind and date, who takes part on which side, statements by customer, feature and class, and what was left out and why. signal.reading.correct corrects it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:read'],
  latency: 'L1',
  input: z.object({ id: readId }),
  output: reading,
  intents: ['what did you understand of the call', 'why is there no statement from this mail', 'which sentences were left out'],
  aliases: [],
  async handler({ id }, { caller, services }) {
    const data = await services.readings.get(caller.tenant, id);
    return { data, refs: [{ type: 'document', id: data.document_id }] };
  },
});
