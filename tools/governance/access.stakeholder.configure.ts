import { z } from 'zod';
import { freshness } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';
import { stakeholderScope, teamName } from './access.shared.ts';

const names = (what: string) => z.array(z.string().trim().min(1).max(128)).max(200).describe(`${what}; none: all`);

const input = z.object({
  team: teamName,
  product_areas: names('Product areas, as entities name them').default([]),
  entity_types: names('Types of entities, e.g. feature, issue, theme').default([]),
  data_freshness: z.enum(freshness).default('realtime').describe('How old a record must be before it shows: no matter, a day, a week'),
});
const output = z.object({ scope: stakeholderScope });

export default defineTool({
  name: 'access.stakeholder.configure',
  title: 'Say what a stakeholder team may see',
  description:
    'Sets which product areas and entity types a team sees, and how fresh. It holds for every key of the team within two seconds, in place of what was said before; a team about which nothing was said sees nothing.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['policy:write'],
  latency: 'L1',
  input,
  output,
  intents: [
    'limit what a team may see',
    'give sales access to the mobile area only',
    'restrict stakeholders to weekly data',
    'configure stakeholder access',
  ],
  aliases: [{ name: 'configure_stakeholder_access', system: 'pm-intelligence', input, toInput: (args) => args as z.input<typeof input> }],
  async handler(wanted, { caller, services }) {
    const { stakeholders } = services.governance;
    const unknown = await stakeholders.unknown(caller, wanted);
    const scope = await stakeholders.configure(caller, wanted);
    return {
      data: { scope },
      warnings: unknown.map((name) => `Nothing is known of "${name}" yet: entity.record.list shows the known entities.`),
    };
  },
});
