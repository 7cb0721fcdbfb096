import { z } from 'zod';
import { fronts } from '../../contracts/caller.ts';
import { ledgerTypes, ledgerEntry } from '../../contracts/governance/ledger.ts';
import { instant } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'system.ledger.search',
  title: 'Search the ledger',
  description:
    'Who called which tool when, with what outcome: started, completed and failed events, and what was decided about those that asked a person, newest first. Holds hashes and references, never arguments.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['ledger:read'],
  latency: 'L1',
  input: z.object({
    tool_call_id: z.string().max(64).optional(),
    tool: z.string().max(128).optional().describe('Canonical name or the spelling used'),
    type: z.enum(ledgerTypes).optional(),
    principal: z.string().max(128).optional(),
    error_code: z.string().max(64).optional(),
    front: z.enum(fronts).optional(),
    changes_only: z.boolean().default(false).describe('Only calls of tools that change something'),
    key_id: z.string().max(64).optional(),
    trace_id: z.string().max(64).optional(),
    session_id: z.string().max(64).optional(),
    approval_id: z.string().max(64).optional(),
    folded: z
      .boolean()
      .default(false)
      .describe('One entry per call: its end, or its start while it runs. Decisions keep their own entries'),
    since: instant.optional(),
    until: instant.optional(),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
  }),
  output: z.object({
    events: z.array(ledgerEntry),
  }),
  intents: ['audit trail', 'who changed this', 'which calls failed today', 'history of my calls'],
  aliases: [],
  async handler(args, { caller, services }) {
    return paged('events', await services.governance.ledgerQueries.search(caller.tenant, args));
  },
});
