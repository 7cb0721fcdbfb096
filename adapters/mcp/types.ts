/** How other MCP servers are spoken to. */

export type McpTarget =
  | { transport: 'stdio'; command: string; args: string[]; cwd?: string; env: Record<string, string> }
  | {
      transport: 'http' | 'sse';
      url: string;
      headers: Record<string, string>;
      /** Named by whoever runs this platform, not by a caller: private addresses are as good as others. */
      trusted?: boolean;
    };

/** One server as it is to be spoken to. */
export interface McpServer {
  /** `{tenant}/{name}`: what connections are kept by. */
  key: string;
  /** Changes with whatever below does; connections made for another version are closed. */
  version: string;
  target: McpTarget;
  /** For one request, waiting for a free place included. */
  timeoutMs: number;
  /** Requests at the same time; as many again, sixteen times, may wait. */
  concurrency: number;
}

/** A tool as its server defines it. */
export interface McpDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

export interface McpIdentity {
  name: string | null;
  version: string | null;
  protocolVersion: string | null;
}

export type McpContent = Record<string, unknown> & { type: string };

export interface McpResult {
  content: McpContent[];
  structuredContent?: unknown;
  isError?: boolean;
}

export interface McpCall {
  tool: string;
  arguments: Record<string, unknown>;
  /** The definition asks for arguments as headers (`x-mcp-header`). */
  definition?: McpDefinition;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

/**
 * Connections to MCP servers: one for each server, made when it is needed, closed when it is idle.
 * Every method throws AppError. `details.reason` says what it means for the request:
 * `not_sent` (never left), `unknown_outcome` (left, and nobody knows), `refused` (the server said no), `auth`,
 * `protocol` (it does not speak MCP), `busy` (too many wait).
 */
export interface McpClients {
  call(server: McpServer, call: McpCall): Promise<McpResult>;
  /** All pages. */
  tools(server: McpServer): Promise<{ identity: McpIdentity; tools: McpDefinition[] }>;
  /** Any other request that only reads; methods the server does not know are refused with NOT_FOUND. */
  read(
    server: McpServer,
    method: 'resources/list' | 'resources/templates/list' | 'resources/read' | 'prompts/list' | 'prompts/get',
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>;
  /** Told when a server says that its tools have changed, and when a connection was made anew. */
  onChange(listener: (key: string, why: 'connected' | 'changed') => void): void;
  /** Ends what there is for this key; the next request begins anew. */
  drop(key: string): Promise<void>;
  /** What is open, for tests and /status. `pid` of a child. */
  open(): { key: string; transport: string; pid: number | null }[];
  close(): Promise<void>;
}
