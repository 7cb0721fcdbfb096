import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { ServerParts } from '../parts.ts';
import { mcpCall } from './call.ts';
import { exchangeIn, nameStyle } from './exchange.ts';
import { installTasks, taskOf, tasksExtension } from './tasks.ts';

export const instructions = `Signalbox: work, knowledge and memory shared by agents and people, durable through crashes.
- You see a small set of tools. system.tool.search finds any other by what it does ("merge duplicates", "import a PDF"); system.tool.describe shows its schema; call it by its name at once, listed or not.
- Work: work.task.claim gives you the next ready task of a phase under a lease. Renew the lease with a heartbeat while you work, then complete or fail the task with the fencing token you were given. work.board.get shows the kanban board.
- Long calls answer status "accepted" with a job; system.job.get follows it.
- Errors carry suggestion and alternatives: do what they say. Send _meta.idempotency_key with a write to make a repeat safe.`;

/**
 * One MCP server over our own registry, for every revision. The low-level handlers take any tool by any
 * spelling, listed or not, which McpServer's own registration does not; McpServer is only the shell that
 * the 2026 handler's header checks ask for.
 */
export class SignalboxMcpServer extends McpServer {
  readonly parts: ServerParts;

  constructor(parts: ServerParts) {
    super(
      { name: 'signalbox', title: 'Signalbox', version: parts.version },
      {
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          extensions: { [tasksExtension]: {} },
          // SPEC 1.9: names that go with a coming version, and what replaces them.
          // A date that is not known is left out: the schema of capabilities has no null.
          experimental: { deprecated_tools: { tools: parts.pipeline.catalogue.deprecated().map(withoutNulls) } },
          ...parts.fixtures?.capabilities,
        },
        instructions,
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

  /** Asked by the 2026 handler, which compares a schema's `x-mcp-header` fields with the headers sent. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.parts.fixtures?.inputSchema(name);
  }

  private install(): void {
    const { parts, server } = this;
    server.setRequestHandler('tools/list', async (_request, ctx) => {
      const exchange = exchangeIn(ctx.http?.authInfo);
      const style = nameStyle(parts, clientName(this, ctx));
      const tools = await parts.pipeline.list(exchange.caller, exchange.profile, style);
      // Listed says `Record<string, unknown>` for schemas; they all are objects.
      return { tools: [...tools, ...(parts.fixtures?.tools ?? [])] as never };
    });
    server.setRequestHandler('tools/call', async (request, ctx) => {
      const fixture = await parts.fixtures?.interactive(request.params, ctx);
      if (fixture) return fixture;
      const answered = await mcpCall(parts, exchangeIn(ctx.http?.authInfo), request.params, {
        requestId: ctx.mcpReq.id,
        signal: ctx.mcpReq.signal,
        notify: (method, params) => void ctx.mcpReq.notify({ method, params }).catch(() => {}),
      });
      return await taskOf(this, ctx, answered);
    });
    installTasks(this);
    parts.fixtures?.install(server);
  }
}

const withoutNulls = (value: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(value).flatMap(([key, field]) => (field === null ? [] : [[key, field]])));

/** From the request itself in 2026, from the handshake before. */
const clientName = (mcp: McpServer, ctx: ServerContext): string | undefined => {
  const envelope = ctx.mcpReq.envelope as Record<string, { name?: string }> | undefined;
  return envelope?.['io.modelcontextprotocol/clientInfo']?.name ?? mcp.server.getClientVersion()?.name;
};
