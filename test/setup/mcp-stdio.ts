/** An MCP server on stdio, on the official SDK, as a process of its own. Started by tests of external servers. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [log, ...modes] = process.argv.slice(2);
appendFileSync(log!, `start ${process.pid}\n`);
// A grandchild that never ends by itself: ending the server must also end it.
if (modes.includes('grandchild')) {
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  appendFileSync(log!, `child ${child.pid}\n`);
}
if (modes.includes('stubborn')) process.on('SIGTERM', () => {});
if (modes.includes('broken')) {
  process.stderr.write(`cannot start with ${process.env['SECRET_WORD']}\n`);
  process.exit(3);
}

// Like some old servers: any request before `initialize` ends it.
if (modes.includes('strict')) {
  process.stdin.once('data', (chunk: Buffer) => {
    if (!chunk.toString().includes('"initialize"')) process.exit(4);
  });
}

const server = new Server({ name: 'stdio-fixture', version: '1.2.3' }, { capabilities: { tools: {} } });
const object = { type: 'object' as const };
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    {
      name: 'echo',
      description: 'Says it again.',
      inputSchema: { ...object, properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
    },
    { name: 'environment', description: 'Tells its environment.', inputSchema: object, annotations: { readOnlyHint: true } },
    { name: 'crash', description: 'Ends at once.', inputSchema: object },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name === 'crash') process.kill(process.pid, 'SIGKILL');
  if (params.name === 'environment') return { content: [{ type: 'text', text: Object.keys(process.env).sort().join(',') }] };
  return { content: [{ type: 'text', text: String(params.arguments?.['text']) }] };
});
if (modes.includes('stubborn') || modes.includes('silent')) setInterval(() => {}, 1_000);
// Its client waits for the first answer.
if (!modes.includes('silent')) await server.connect(new StdioServerTransport());
