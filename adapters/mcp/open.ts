import type { McpOptions } from './clients.ts';
import type { McpClients } from './types.ts';

type OnChange = Parameters<McpClients['onChange']>[0];

/** Other MCP servers. The protocol's client, 0.9 MB of code, is loaded with the first request. */
export function openMcp(options: McpOptions): McpClients {
  const listeners: OnChange[] = [];
  let loaded: McpClients | null = null;
  let loading: Promise<McpClients> | null = null;
  let closed = false;

  async function load(): Promise<McpClients> {
    const { mcpClients } = await import('./clients.ts');
    loaded = mcpClients(options);
    for (const listener of listeners) loaded.onChange(listener);
    return loaded;
  }
  function clients(): Promise<McpClients> {
    if (closed && !loading) throw new Error('the MCP clients are closed');
    return (loading ??= load());
  }

  return {
    call: async (...asked) => await (await clients()).call(...asked),
    tools: async (server) => await (await clients()).tools(server),
    read: async (...asked) => await (await clients()).read(...asked),
    onChange(listener) {
      listeners.push(listener);
      loaded?.onChange(listener);
    },
    drop: async (key) => await (await loading)?.drop(key),
    open: () => loaded?.open() ?? [],
    async close() {
      closed = true;
      await (await loading)?.close();
    },
  };
}
