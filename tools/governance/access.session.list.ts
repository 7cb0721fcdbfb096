import { z } from 'zod';
import { consoleSessionView } from '../../contracts/governance/console-sessions.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'access.session.list',
  title: 'List signed-in browsers',
  description:
    'The browsers that are signed in to the console as you, newest first: when, how, last use, end. For admins with all=true those of everybody in the tenant.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  ungoverned: true,
  scopes: [],
  latency: 'L1',
  input: z.object({
    all: z.boolean().default(false).describe('Those of everybody; for admins'),
    key_id: z.string().min(1).max(64).optional().describe('Those of this key or identity'),
    person: z.string().min(1).max(128).optional().describe('Those of the person with this name'),
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ sessions: z.array(consoleSessionView) }),
  intents: ['where am I signed in', 'who is signed in to the console', 'which browsers have a session'],
  aliases: [],
  async handler({ limit, cursor, ...filter }, { caller, services }) {
    return paged('sessions', await services.governance.sessionAdministration.list(caller, filter, { limit, cursor }));
  },
});
