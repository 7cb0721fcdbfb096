import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '../../contracts/notices.ts';
import type { ServerParts } from '../parts.ts';
import { isRecord } from './jsonrpc.ts';
import type { Session } from './sessions.ts';

/** How long one wait for a notice lasts; then a session in use is looked at anyway, in ms. */
const usedMs = 5_000;
const idleMs = 60_000;
const retryMs = 1_000;

/** What this process holds in memory: an MCP session, or a stream of the old transport. */
export interface Held {
  tenant: string;
  id: string;
  signal: AbortSignal;
  /** Calls or streams are open. */
  inUse(): boolean;
  /** Takes what belongs here. @param known whether a session of this id is in the store */
  take(messages: { id: string; body: unknown }[], known: boolean): Promise<void>;
}

/**
 * Several apis may hold a session: one has the running call, another gets the message about it, or ends the session. A
 * notice says that there is news.
 */
export async function listen({ notices: open, sessions, log }: ServerParts, held: Held): Promise<void> {
  const { tenant, id, signal } = held;
  const notices = open?.();
  if (!notices || !sessions) return;
  const wait = (): Promise<boolean> => notices.wait(topics.mcpSession(tenant, id), held.inUse() ? usedMs : idleMs, signal);
  for (let heard = wait(); !signal.aborted;) {
    const told = await heard;
    if (signal.aborted) return;
    // Heard from before the look on, so that no notice falls between.
    heard = wait();
    if (!told && !held.inUse()) continue;
    while (!signal.aborted && !(await look())) await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {});
  }

  async function look(): Promise<boolean> {
    try {
      const { known, messages } = await sessions!.news(tenant, id);
      await held.take(messages, known);
      return true;
    } catch (error) {
      log.debug({ err: error }, 'no news of an MCP session: the database does not answer');
      return false;
    }
  }
}

/** @param end called when another api has ended the session */
export const listenFor = (parts: ServerParts, session: Session, end: () => Promise<void>): Promise<void> =>
  listen(parts, {
    tenant: session.tenant,
    id: session.id,
    signal: session.over.signal,
    inUse: () => session.inUse > 0,
    async take(messages, known) {
      if (!known) return await end();
      const taken = messages.filter(({ body }) => take(session, body)).map((message) => message.id);
      if (taken.length > 0) await parts.sessions?.taken(session.tenant, taken);
    },
  });

/** Gives a message of the client to its call. @returns whether it is here */
export function take(session: Session, body: unknown): boolean {
  if (session.questions.take(body)) return true;
  const call = isCancellation(body) ? session.calls.get(body.params.requestId) : undefined;
  call?.abort(new Error('Cancelled by the client.'));
  return call !== undefined;
}

/** Whether it is about something that another api may hold. */
export const isAboutCall = (body: unknown): boolean => isCancellation(body) || isOurAnswer(body);

const isCancellation = (body: unknown): body is { params: { requestId: string | number } } =>
  isRecord(body) && body.method === 'notifications/cancelled' && isRecord(body.params) && body.params.requestId !== undefined;

/** An answer to one of our questions, by the form of its id. */
export const isOurAnswer = (body: unknown): boolean =>
  isRecord(body) && !('method' in body) && typeof body.id === 'string' && body.id.startsWith('elicit-');
