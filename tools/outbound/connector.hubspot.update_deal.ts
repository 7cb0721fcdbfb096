import { z } from 'zod';
import { propertyValue } from '../../contracts/outbound/connectors.ts';
import { AppError } from '../../contracts/errors.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { answered, unsent } from './connector.shared.ts';

const input = z.object({
  deal_id: z
    .string()
    .regex(/^\d{1,20}$/, 'the number of a deal')
    .describe('Number of the deal')
    .meta({ examples: ['9876543210'] }),
  properties: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,99}$/, 'the internal name of a property'), propertyValue)
    .describe("By HubSpot's internal names; null clears one")
    .meta({ examples: [{ dealstage: 'closedwon', amount: 1500 }] }),
});

const output = z.object({ deal_id: z.string(), updated_at: z.string().nullable().describe('Null: not sent (yet)'), ...unsent });

/** The name is the same; the alias adds it to the list of that system. */
const listed: Alias<z.input<typeof input>, z.input<typeof output>> = {
  name: 'connector.hubspot.update_deal',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'connector.hubspot.update_deal',
  title: 'Change a HubSpot deal',
  description:
    'Sets properties of a deal in HubSpot, e.g. its stage or amount. In dry run it answers what would be sent. Not answered in ten seconds, it goes on as a job.',
  effect: 'write',
  idempotent: true,
  external: true,
  provider: 'hubspot',
  approval: 'A1',
  scopes: ['connector:write'],
  latency: 'L3',
  input,
  output,
  intents: ['update a deal in the crm', 'move a deal to another stage', 'change the amount of a hubspot deal'],
  aliases: [listed],
  async handler(request, { caller, services, callKey }) {
    const count = Object.keys(request.properties).length;
    if (count < 1 || count > 100) {
      throw new AppError('VALIDATION_ERROR', `properties has ${count} entries.`, { hint: 'Give 1 to 100 properties.' });
    }
    const called = await services.connectors.call<{ deal_id: string; updated_at: string | null }>(
      caller,
      { provider: 'hubspot', operation: 'update_deal', request, title: 'Change of a HubSpot deal' },
      callKey,
    );
    const { deal_id = request.deal_id, updated_at = null } = called.response ?? {};
    return answered(called, request, { deal_id, updated_at });
  },
});
