import { z } from 'zod';
import { healthHistory } from '../../contracts/health.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'system.health.history',
  title: 'Health over time',
  description: 'How the parts of the platform were in the last hours: when each was up, down or behind, and when nobody looked.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: [],
  latency: 'L1',
  input: z.object({ hours: z.int().min(1).max(168).default(24).describe('Back from now') }),
  output: healthHistory,
  intents: ['was the database down last night', 'uptime of the system', 'outages of today'],
  aliases: [],
  async handler({ hours }, { services }) {
    return { data: await services.health.watch.history(hours) };
  },
});
