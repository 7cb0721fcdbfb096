import { z } from 'zod';
import { definitionRef, serverName, toolFlag } from '../../contracts/governance/external.ts';
import { defineTool } from '../catalogue/define.ts';
import { toolOrList } from './external.shared.ts';

export default defineTool({
  name: 'external.tool.approve',
  title: 'Approve tools of an external server',
  description:
    'Lets tools of a server be called as they are defined now; a later change has to be approved anew. People only. Without `tools`: all that wait or have changed, but for suspicious ones, which must be named.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['external:admin'],
  latency: 'L1',
  input: z.object({
    server: serverName,
    tools: toolOrList.optional().describe('By either name'),
    hashes: z.record(z.string(), z.string()).optional().describe('By tool: the hash that was looked at; another one is refused'),
  }),
  output: z.object({ approved: z.array(z.string()), skipped: z.array(z.object({ name: z.string(), flags: z.array(toolFlag) })) }),
  intents: ['approve external tools', 'accept a changed tool definition'],
  aliases: [],
  async handler({ server, tools, hashes }, { caller, services }) {
    const { approved, skipped } = await services.external.tools.approve(caller, server, { tools, hashes });
    return {
      data: { approved: approved.map(({ name }) => name), skipped },
      // The ledger keeps them: who approved which definition.
      refs: approved.slice(0, 200).map(({ name, hash }) => definitionRef(name, hash)),
      warnings:
        skipped.length > 0 ? [`${skipped.length} look suspicious and were left out: review them, then name them in \`tools\`.`] : [],
    };
  },
});
