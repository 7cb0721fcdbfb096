/** What tests of the board share: where its parts are, and calls as agents make them. */
import { cpus, loadavg } from 'node:os';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { TestStack } from '../setup/stack.ts';

export type Keyed = Caller & { apiKey: string };

/** Times hold on a machine with this work alone; where others work on it, they are longer by its load. */
export const patience = (): number => Math.max(1.5, (1.5 * loadavg()[0]!) / cpus().length);

/** Long tasks and the durations of events, as the browser measures them. */
export const watch = `window.__long = []; window.__events = [];
  new PerformanceObserver((list) => window.__long.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'longtask' });
  new PerformanceObserver((list) => window.__events.push(...list.getEntries().map((one) => one.duration))).observe({ type: 'event', durationThreshold: 16 });`;

// oxlint-disable-next-line vitest/require-awaited-expect-poll -- its callers await it
export const poll = <T>(probe: () => T) => expect.poll(probe, { timeout: 30_000 });

export const viewport = { width: 1440, height: 900 };
export const card = (page: Page, id: string) => page.locator(`[data-task="${id}"]`);
export const inColumn = (page: Page, column: string) => page.locator(`[data-column="${column}"]`);
export const cards = (page: Page) => page.locator('[data-task]').first().waitFor();
export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

export const createTask = async (stack: TestStack, who: Caller, fields: object = {}): Promise<string> =>
  (await stack.ok<{ task: { id: string } }>(who, 'work.task.create', { description: 'Do it', phase_id: 4, ...fields })).task.id;

/** A tool by MCP, as an agent calls it. */
export async function mcp(url: string, key: string, name: string, args: object): Promise<void> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('"isError":true')]);
}
