import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { adviceTo, type Audience } from '../../tools/catalogue/audience.ts';
import type { Catalogue } from '../../tools/catalogue/catalogue.ts';
import type { ServerParts } from '../parts.ts';
import { mcpCall } from './call.ts';
import { elicitorOf } from './elicit.ts';
import { exchangeIn, listingFor, nameStyle, type Exchange } from './exchange.ts';
import { installTasks, taskOf, tasksExtension } from './tasks.ts';

/** Instructions for the client's model. Lines about tools that a profile neither lists nor can call are left out. */
const finding =
  'system.tool.search finds a tool by what it does ("merge duplicates", "import a PDF"), beyond those in your list; system.tool.describe shows its arguments. Call what is not in your list through system.tool.call: {"name": "…", "arguments": {…}}. Your client refuses such names when they are called directly.';
const errors = 'Errors carry suggestion and alternatives: do what they say. Send _meta.idempotency_key with a write to make a repeat safe.';
const lines = [
  finding,
  'Work: work.task.claim gives you the next ready task of a phase under a lease, and a fencing token, which you show with each change of the task.',
  'Renew the lease with work.task.heartbeat while you work, then work.task.complete or work.task.fail.',
  'work.board.get shows the kanban board.',
  'Long calls answer status "accepted" with a job; system.job.get follows it.',
  errors,
];
/** For the agent of a run. */
const linesOfRun = [
  finding,
  'A runner holds your task and hands it in when you end: do not look for another one. work.task.get shows it; leave what others should know with work.task.comment, and what should be remembered with memory.record.save.',
  errors,
];

export const instructionsFor = (catalogue: Catalogue, audience: Audience): string =>
  [
    'Signalbox: work, knowledge and memory shared by agents and people, durable through crashes.',
    ...adviceTo(audience.profile === 'worker' ? linesOfRun : lines, catalogue, audience).map((line) => `- ${line}`),
  ].join('\n');

/**
 * One MCP server over our own registry, for every revision. The low-level handlers accept any tool in any spelling,
 * listed or not, which McpServer's own registration does not. McpServer is only needed for the header checks of the
 * 2026 handler.
 */
export class SignalboxMcpServer extends McpServer {
  readonly parts: ServerParts;

  /** @param to the client, as far as it is known before the handshake */
  constructor(parts: ServerParts, { profile, client }: Pick<Exchange, 'profile' | 'client'>) {
    super(
      { name: 'signalbox', title: 'Signalbox', version: parts.version },
      {
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          extensions: { [tasksExtension]: {} },
          // Deprecated names with their replacements. An unknown removal date is left out, because the schema of
          // capabilities has no null.
          experimental: { deprecated_tools: { tools: parts.pipeline.catalogue.deprecated().map(withoutNulls) } },
          ...parts.fixtures?.capabilities,
        },
        instructions: instructionsFor(parts.pipeline.catalogue, { style: nameStyle(parts, client), profile }),
        cacheHints: {
          'tools/list': { ttlMs: 60_000, cacheScope: 'private' },
          'server/discover': { ttlMs: 300_000, cacheScope: 'private' },
        },
        ...parts.fixtures?.options,
      },
    );
    this.parts = parts;
    this.install();
  }

  /** Called by the 2026 handler, which compares a schema's `x-mcp-header` fields with the headers sent. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.parts.fixtures?.inputSchema(name);
  }

  private install(): void {
    const { parts, server } = this;
    server.setRequestHandler('tools/list', async (_request, ctx) => {
      const exchange = this.exchange(ctx);
      const tools = await parts.pipeline.list(exchange.caller, exchange.profile, listingFor(parts, exchange));
      // `Listed` declares schemas as `Record<string, unknown>`; all of them are objects.
      return { tools: [...tools, ...(parts.fixtures?.tools ?? [])] as never };
    });
    server.setRequestHandler('tools/call', async (request, ctx) => {
      const fixture = await parts.fixtures?.interactive(request.params, ctx);
      if (fixture) return fixture;
      const modern = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
      const answered = await mcpCall(parts, this.exchange(ctx), request.params, {
        requestId: ctx.mcpReq.id,
        signal: ctx.mcpReq.signal,
        notify: (method, params) => void ctx.mcpReq.notify({ method, params }).catch(() => {}),
        elicitor: modern
          ? elicitorOf(modern['io.modelcontextprotocol/clientCapabilities'], ctx.mcpReq.inputResponses, ctx.mcpReq.requestState())
          : undefined,
      });
      return await taskOf(this, ctx, answered);
    });
    installTasks(this);
    parts.fixtures?.install(server);
  }

  /** In 2026 the request names the client, before that the handshake did. */
  private exchange(ctx: ServerContext): Exchange {
    const exchange = exchangeIn(ctx.http?.authInfo);
    const envelope = ctx.mcpReq.envelope as Record<string, { name?: string }> | undefined;
    exchange.client ??= envelope?.['io.modelcontextprotocol/clientInfo']?.name ?? this.server.getClientVersion()?.name;
    return exchange;
  }
}

const withoutNulls = (value: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, field]])));
