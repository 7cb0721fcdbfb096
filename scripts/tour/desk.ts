/**
 * A third-party MCP server for the tour: a ticket desk with a read tool and a write tool, over stdio. `node
 * scripts/tour/desk.ts FILE [MS]`: each calling process starts its own server, so the records are in a file. It answers
 * MS after the payment, like a slow server.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [book = '', pause = '0'] = process.argv.slice(2);
const input = z.object({
  ticket: z
    .string()
    .regex(/^[\w-]+$/)
    .describe('Number of the ticket'),
});
const answer = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const refunds = (ticket: string): number =>
  existsSync(book)
    ? readFileSync(book, 'utf8')
        .split('\n')
        .filter((line) => line === ticket).length
    : 0;

serveStdio(() => {
  const server = new McpServer({ name: 'ticket-desk', version: '1.0.0' });
  server.registerTool(
    'count_refunds',
    { description: 'Tells how often a ticket was paid back.', inputSchema: input, annotations: { readOnlyHint: true } },
    ({ ticket }) => answer(String(refunds(ticket))),
  );
  server.registerTool('refund_ticket', { description: 'Pays the price of a ticket back.', inputSchema: input }, async ({ ticket }) => {
    appendFileSync(book, `${ticket}\n`);
    await sleep(Number(pause));
    return answer(`Ticket ${ticket} is paid back.`);
  });
  return server;
});
