import type { FastifyRequest } from 'fastify';
import { topics } from '../../contracts/notices.ts';
import type { AppError } from '../../contracts/errors.ts';
import type { ServerParts } from '../parts.ts';
import { callerNow, isFinal } from './auth.ts';

/** How long one wait for a notice lasts, in ms. */
const noticeMs = 60_000;

export interface KeyWatch {
  request: FastifyRequest;
  /** Fires at the end of the stream. */
  signal: AbortSignal;
  /** How soon the end of a key is found without a notice, because it has expired, in ms. */
  everyMs: number;
  /** Looks further than whether key and rights are the same; default: it does not. */
  refused?: () => Promise<AppError | null>;
  /** Called once, when the stream could no longer be opened. */
  over(error: AppError): void;
}

/** Watches the key of an open stream: it expires, or any process revokes it or changes its rights. */
export function watchKey(parts: ServerParts, { request, signal, everyMs, refused, over }: KeyWatch): void {
  if (signal.aborted) return;
  let told = false;
  const check = async (): Promise<void> => {
    let error: AppError | null = null;
    try {
      if (refused) error = await refused();
      else await callerNow(parts, request);
    } catch (caught) {
      // Otherwise it is unknown at the moment.
      if (isFinal(caught)) error = caught;
    }
    if (!error || told || signal.aborted) return;
    told = true;
    over(error);
  };
  const timer = setInterval(() => void check(), everyMs).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  void listen(parts, request.caller.tenant, signal, check);
}

async function listen(parts: ServerParts, tenant: string, signal: AbortSignal, check: () => Promise<void>): Promise<void> {
  const notices = parts.notices?.();
  if (!notices) return;
  const wait = (): Promise<boolean> => notices.wait(topics.keys(tenant), noticeMs, signal);
  for (let heard = wait(); !signal.aborted;) {
    const told = await heard;
    // Heard from before the check on, so that no notice falls between.
    heard = wait();
    if (!told || signal.aborted) continue;
    const { keys, consoleSessions } = parts.services!().governance;
    keys.forget();
    consoleSessions.forget();
    await check();
  }
}
