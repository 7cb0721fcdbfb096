import type { Envelope } from '../contracts/envelope.ts';

/** Address and credentials of a Signalbox. */
export interface SignalboxConnection {
  /** E.g. http://127.0.0.1:8080 */
  url: string;
  /** A key, or an access token. */
  apiKey: string;
  /** The worker name for calls; default: the key's name. */
  agentId?: string;
  /** Default: the platform's own. */
  fetch?: typeof fetch;
}

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

interface Page {
  result?: { tools: ListedTool[]; nextCursor?: string };
  error?: { message: string };
}

/** Lists tools by MCP and calls them by REST: neither needs a session. */
export function signalboxHttp({ url, apiKey, agentId, fetch: send = fetch }: SignalboxConnection) {
  const base = url.replace(/\/+$/, '');

  async function post(path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<unknown> {
    const answer = await send(`${base}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...(agentId ? { 'x-agent-id': agentId } : {}),
        ...headers,
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new Error(`Signalbox at ${base} answers ${path} with HTTP ${answer.status} and no JSON: is this its address?`);
    }
  }

  return {
    /** Reads all pages. @throws Error with Signalbox's refusal */
    async list(profile: string): Promise<ListedTool[]> {
      const tools: ListedTool[] = [];
      let cursor: string | undefined;
      do {
        const path = `/mcp/p/${encodeURIComponent(profile)}`;
        const params = cursor === undefined ? {} : { cursor };
        const page = (await post(path, { jsonrpc: '2.0', id: 1, method: 'tools/list', params })) as Page;
        if (!page.result) throw new Error(`Signalbox does not list its tools: ${page.error?.message ?? 'no reason given'}`);
        tools.push(...page.result.tools);
        cursor = page.result.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },

    /** A refusal is an answer, too. @throws Error when Signalbox does not answer */
    async call(name: string, args: Record<string, unknown>, { key, signal }: { key?: string; signal?: AbortSignal }): Promise<Envelope> {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      return (await post(`/api/tools/${encodeURIComponent(name)}`, args, headers, signal)) as Envelope;
    },
  };
}
