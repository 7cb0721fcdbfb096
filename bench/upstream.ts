/**
 * MCP servers on the official SDK, in a separate process: `node bench/upstream.ts SERVERS TOOLS`. Serves /{n}/mcp; POST
 * /{n}/mode?hang and ?reset make one faulty. Prints its port.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const [servers = 1, tools = 1] = process.argv.slice(2).map(Number);
const things = ['invoice', 'ticket', 'branch', 'meeting', 'parcel', 'recipe', 'lamp', 'contract', 'playlist', 'flight'];
const deeds = ['create', 'find', 'archive', 'share', 'translate'];

const echo = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};
const toolsOf = (server: number) => [
  echo,
  ...Array.from({ length: tools - 1 }, (_, i) => {
    const [deed, thing] = [deeds[i % deeds.length]!, things[(server + Math.floor(i / deeds.length)) % things.length]!];
    return {
      name: `${deed}_${thing}_${i}`,
      description: `${deed[0]!.toUpperCase()}${deed.slice(1)}s a ${thing} of account ${server}, by its number or by a part of its title.`,
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', description: `Number of the ${thing}` }, note: { type: 'string' } },
      },
    };
  }),
];

const handlers = Array.from({ length: servers }, (_, server) => {
  const offered = toolsOf(server);
  return createMcpHandler(() => {
    const mcp = new McpServer({ name: `upstream-${server}`, version: '1.0.0' }, { capabilities: { tools: {} } });
    mcp.server.setRequestHandler('tools/list', () => ({ tools: offered }) as never);
    mcp.server.setRequestHandler('tools/call', (request) => ({
      content: [{ type: 'text', text: String(request.params.arguments?.['text']) }],
    }));
    return mcp;
  });
});
const modes = new Map<number, string>();

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, number = '', path = ''] = (request.url ?? '').split('/');
  const server = Number(number);
  const handler = handlers[server];
  if (!handler) return void response.writeHead(404).end();
  if (path.startsWith('mode?')) {
    modes.set(server, path.slice(5));
    return void response.end();
  }
  const mode = modes.get(server);
  if (mode === 'reset') return void request.socket.destroy();
  if (mode === 'hang') return;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await handler.fetch(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'POST',
      headers: new Headers(Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])),
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks).toString() } : {}),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.headers.get('content-type')?.includes('json')) return void response.end(await answer.text());
  response.flushHeaders();
  if (answer.body) for await (const chunk of answer.body) response.write(chunk);
  response.end();
}

const http = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
http.listen(0, '127.0.0.1', () => console.log((http.address() as AddressInfo).port));
// Ends when its parent ends.
process.stdin.resume().once('end', () => process.exit());
