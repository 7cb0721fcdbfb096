/** JSON-RPC bodies as plain objects, for answers without the SDK. */

export type Id = string | number | null;

export interface RpcRequest {
  jsonrpc: '2.0';
  id: Id;
  method: string;
  params?: Record<string, unknown>;
}

export const jsonRpcError = (id: Id, code: number, message: string, data?: unknown): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

export const jsonRpcResult = (id: Id, result: unknown): Record<string, unknown> => ({ jsonrpc: '2.0', id, result });

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A request with an id, which agentic-rag's clients may send as null. */
export const isRpcRequest = (body: unknown): body is RpcRequest =>
  isRecord(body) &&
  body.jsonrpc === '2.0' &&
  typeof body.method === 'string' &&
  (typeof body.id === 'string' || typeof body.id === 'number' || body.id === null) &&
  (body.params === undefined || isRecord(body.params));

/** The paths that speak MCP's Streamable HTTP. */
export const isMcpPath = (url: string): boolean => /^\/mcp\/?(p\/[^/?]*\/?)?(\?|$)/.test(url);
