import { z } from 'zod';
import { externalServer } from '../../contracts/governance/external.ts';
import type { Added } from '../../services/governance/index.ts';

/** Result of contacting a server. */
export const outcome = {
  server: externalServer,
  healthy: z.boolean().describe('Whether it answered'),
  error: z.string().nullable(),
  refused_tools: z.array(z.string()).describe('Tools whose definition cannot be taken, and why'),
};

export const outcomeOf = ({ server, refresh }: Added) => ({
  server,
  healthy: refresh.healthy,
  error: refresh.error,
  refused_tools: refresh.refused,
});

export const waitingWarning = ({ server: { name, tools } }: Added): string[] =>
  tools.waiting + tools.changed > 0
    ? [
        `${tools.waiting + tools.changed} tools of "${name}" wait for a person: external.tool.list shows them, external.tool.approve lets them be called.`,
      ]
    : [];

export const toolOrList = z.array(z.string().min(1).max(160)).min(1).max(1_000);
