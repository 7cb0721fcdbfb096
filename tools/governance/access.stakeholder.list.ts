import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { stakeholderScope } from './access.shared.ts';

export default defineTool({
  name: 'access.stakeholder.list',
  title: 'List what stakeholder teams may see',
  description: 'Every team with its product areas, entity types and freshness, and how many keys belong to it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['policy:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ teams: z.array(stakeholderScope.extend({ keys: z.number() })) }),
  intents: ['what may stakeholders see', 'which teams have access', 'show stakeholder scopes'],
  aliases: [],
  async handler(_input, { caller, services }) {
    const teams = await services.governance.stakeholders.list(caller);
    return { data: { teams }, metadata: { result_count: teams.length } };
  },
});
