import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';

/** A deprecated name is kept at least this long, and may be removed after two weeks without a call. */
const shadowDays = 30;
const watchedDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

export default defineTool({
  name: 'system.deprecation.list',
  title: 'List deprecated tool names',
  description:
    'Every deprecated name of a tool with its replacement, the version that removes it, if any, and how your tenant still uses it: calls in the last 14 days and the last one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['ledger:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({
    deprecated_tools: z.array(
      z.object({
        name: z.string(),
        tool: z.string(),
        replacement: z.string(),
        removed_in: z.string().nullable().describe('The version that goes without it; null: it stays'),
        since: z.string().nullable(),
        calls_14_days: z.number(),
        last_used_at: z.string().nullable(),
        callers: z.array(z.object({ principal: z.string(), calls: z.number() })).describe('Who called it in these days, at most five'),
        unused: z.boolean().describe('Not called for 14 days, and deprecated for 30: nothing of your tenant is in the way of its removal'),
      }),
    ),
  }),
  intents: ['which tool names are deprecated', 'is a deprecated tool still used', 'what will be removed in the next version'],
  aliases: [],
  async handler(_input, { caller, services, tools }) {
    const deprecated = tools.catalogue.deprecated();
    const used = await services.governance.ledgerQueries.useOfNames(
      caller.tenant,
      deprecated.map(({ name }) => name),
      watchedDays,
    );
    const rows = deprecated.map(({ since, ...each }) => {
      const { calls, lastUsedAt, callers } = used.get(each.name) ?? { calls: 0, lastUsedAt: null, callers: [] };
      const shadowed = since !== null && Date.now() - Date.parse(since) >= shadowDays * dayMs;
      return { ...each, since, calls_14_days: calls, last_used_at: lastUsedAt, callers, unused: calls === 0 && shadowed };
    });
    return { data: { deprecated_tools: rows }, metadata: { result_count: rows.length } };
  },
});
