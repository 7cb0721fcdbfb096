/** A process that holds an MCP server on stdio open until it is killed: node mcp-holder.ts SCRIPT LOG MODES… */
import { openMcp } from '../../adapters/mcp/open.ts';

const args = process.argv.slice(2);
const mcp = openMcp({ allowPrivate: false, userAgent: 'test' });
await mcp.tools({
  key: 't/held',
  version: '1',
  target: { transport: 'stdio', command: process.execPath, args, env: {} },
  timeoutMs: 20_000,
  concurrency: 1,
});
console.log('held');
setInterval(() => {}, 1_000);
