/** An agent of the tour: the official client, one session, one key. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Target } from '../../cli/target.ts';
import type { Envelope } from '../../contracts/envelope.ts';

export interface Agent {
  name: string;
  /** Name and version of the server. */
  server: string;
  tools(): Promise<string[]>;
  /** @returns the whole answer, also of a failed call */
  call(tool: string, args?: Record<string, unknown>, idempotencyKey?: string): Promise<Envelope>;
  /** @returns the data. @throws Error with the tool's message */
  ok<T>(tool: string, args?: Record<string, unknown>, idempotencyKey?: string): Promise<T>;
  /** Ends the session. */
  close(): Promise<void>;
}

export async function connectAgent(to: Target, name: string, key: string | undefined): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`), {
    requestInit: { headers: key === undefined ? {} : { 'x-api-key': key } },
  });
  const client = new Client({ name: `signalbox-tour/${name}`, version: '1.0.0' });
  await client.connect(transport);
  let open = true;
  const agent: Agent = {
    name,
    server: `${client.getServerVersion()?.name ?? 'unknown'} ${client.getServerVersion()?.version ?? ''}`.trim(),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name.replaceAll('-', '.')),
    async call(tool, args = {}, idempotencyKey) {
      const result = await client.callTool({
        name: tool,
        arguments: args,
        ...(idempotencyKey ? { _meta: { idempotency_key: idempotencyKey } } : {}),
      });
      return result.structuredContent as Envelope;
    },
    async ok<T>(tool: string, args: Record<string, unknown> = {}, idempotencyKey?: string) {
      const envelope = await agent.call(tool, args, idempotencyKey);
      if (envelope.error) throw new Error(`${tool}: ${envelope.error.code}: ${envelope.error.message}`);
      return envelope.data as T;
    },
    async close() {
      if (!open) return;
      open = false;
      await transport.terminateSession();
      await client.close();
    },
  };
  return agent;
}
