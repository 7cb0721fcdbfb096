import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../contracts/outbound/events.ts';
import { callTool, failure } from './client.ts';
import type { Following } from './commands/knowledge.ts';
import { CliError, exits } from './exit.ts';
import { clean, note, oneLine, paint, say, sayJson } from './output.ts';

interface Page {
  events: Event[];
  next: string;
}

/** Minimum pause between two calls, in ms, because a key has a limit per minute. */
const pauseMs = 1_000;

export async function showEvents({ types, subject, since, follow, limit, json }: Following): Promise<void> {
  let after = since === 'now' ? undefined : since;
  if (!follow) {
    const page = await pageAfter({ types, subject, after, limit });
    if (json) return sayJson(page);
    if (page.events.length === 0) return say('Nothing.');
    page.events.forEach(show);
    if (page.events.length === limit) note(`There may be more: --since ${page.next}`);
    return;
  }
  for (let away = false; ;) {
    try {
      const page = await pageAfter({ types, subject, after, limit: 500, wait_seconds: after === undefined ? 0 : 30 });
      if (away) note('It is back.');
      away = false;
      for (const event of page.events) {
        if (json) say(JSON.stringify(event));
        else show(event);
      }
      after = page.next;
      if (page.events.length < 500) await sleep(pauseMs);
    } catch (error) {
      // The server is restarting. The next call continues after the last event, so nothing is missed.
      if (!(error instanceof CliError) || error.exit !== exits.unreachable || after === undefined) throw error;
      if (!away) note(error.message);
      away = true;
      await sleep(pauseMs);
    }
  }
}

async function pageAfter(args: Record<string, unknown>): Promise<Page> {
  for (;;) {
    const envelope = await callTool('event.stream.subscribe', args);
    if (!envelope.error) return envelope.data as Page;
    if (envelope.error.code !== 'RATE_LIMIT_EXCEEDED') throw failure(envelope);
    await sleep((envelope.error.retry_after_seconds ?? 5) * 1_000);
  }
}

function show(event: Event): void {
  const facts = Object.entries(event.data)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => `${name}=${oneLine(String(value))}`);
  const at = event.occurred_at.slice(0, 19).replace('T', ' ');
  say(`${paint('dim', at)}  ${paint('bold', event.type)}  ${clean(event.subject)}  ${clean(facts.join('  '))}`.trimEnd());
}
