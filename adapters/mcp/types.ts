/** Transports for other MCP servers. */

export type McpTarget =
  | { transport: 'stdio'; command: string; args: string[]; cwd?: string; env: Record<string, string> }
  | {
      transport: 'http' | 'sse';
      url: string;
      headers: Record<string, string>;
      /** Configured by the operator, not by a caller: private addresses are allowed. */
      trusted?: boolean;
    };

/** Connection data of one server. */
export interface McpServer {
  /** `{tenant}/{name}`: identifies the connection. */
  key: string;
  /** Changes with the data below; connections of another version are closed. */
  version: string;
  target: McpTarget;
  /** Per request, including the wait for a free slot. */
  timeoutMs: number;
  /** Concurrent requests; sixteen times as many may wait. */
  concurrency: number;
}

/** A tool's definition from its server. */
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
  /** The definition has arguments that are sent as headers (`x-mcp-header`). */
  definition?: McpDefinition;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

/**
 * Connections to MCP servers: one per server, opened on demand, closed when idle. Every method throws AppError.
 * `details.reason` says what it means for the request: `not_sent` (never left), `unknown_outcome` (sent, result
 * unknown), `refused` (the server refused), `auth`, `protocol` (it does not speak MCP), `busy` (too many wait).
 */
export interface McpClients {
  call(server: McpServer, call: McpCall): Promise<McpResult>;
  /** All pages. */
  tools(server: McpServer): Promise<{ identity: McpIdentity; tools: McpDefinition[] }>;
  /** Any other read-only request; methods that the server does not support are refused with NOT_FOUND. */
  read(
    server: McpServer,
    method: 'resources/list' | 'resources/templates/list' | 'resources/read' | 'prompts/list' | 'prompts/get',
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>;
  /** Called when a server reports changed tools, and after a reconnection. */
  onChange(listener: (key: string, why: 'connected' | 'changed') => void): void;
  /** Closes the connection of this key; the next request opens a new one. */
  drop(key: string): Promise<void>;
  /** Open connections, for tests and /status. `pid` of a child. */
  open(): { key: string; transport: string; pid: number | null }[];
  close(): Promise<void>;
}
