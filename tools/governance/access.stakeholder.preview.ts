import { z } from 'zod';
import { freshness } from '../../contracts/governance/policy.ts';
import { defineTool } from '../catalogue/define.ts';
import { teamName } from './access.shared.ts';

const count = z.number().int().describe('Up to 10,000; 10,001 means more');

export default defineTool({
  name: 'access.stakeholder.preview',
  title: 'Preview what a stakeholder team sees',
  description:
    'How much of the evidence a team sees under its scope, next to the total: entities, documents, passages, statements, facts, opportunities and drafts, each with the tool that shows them.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L2',
  input: z.object({ team: teamName }),
  output: z.object({
    scope: z.object({
      team: z.string(),
      product_areas: z.array(z.string()).describe('Empty: all'),
      entity_types: z.array(z.string()).describe('Empty: all'),
      data_freshness: z.enum(freshness),
    }),
    counts: z.array(z.object({ what: z.string(), tool: z.string(), seen: count, all: count })),
    entities: z.array(z.object({ area: z.string().nullable(), type: z.string(), seen: count })).describe('Those it sees, by area and type'),
  }),
  intents: ['preview a stakeholder scope', 'what does sales see', 'check the scope of a team'],
  aliases: [],
  async handler({ team }, { caller, services }) {
    const { scope, counts, by } = await services.governance.stakeholders.preview(caller, team);
    const { configured: _, ...told } = scope;
    return { data: { scope: told, counts, entities: by } };
  },
});
