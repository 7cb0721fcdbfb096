/** `signalbox mcp`: MCP over stdio for clients that start a process; it forwards to the running api. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, isBroken, isModern, type Link, type LinkOptions, type Message } from './mcp-link.ts';

export interface BridgeOptions extends Omit<LinkOptions, 'log' | 'onMessage'> {
  input?: Readable;
  output?: Writable;
  /** Prints one line for a person; default: on stderr, because stdout carries only the protocol. */
  log?: (line: string) => void;
}

/**
 * Forwards newline-delimited JSON-RPC to `/mcp`, and all replies back, including progress and server messages. A line `{tool, args}`
 * without `jsonrpc` is a devflow call: its answer is also one line, in the order of the calls. Resolves when the input has ended and all
 * open requests are answered.
 */
export async function runStdioBridge(options: BridgeOptions): Promise<void> {
  const bridge = new Bridge(options);
  for await (const line of createInterface({ input: options.input ?? process.stdin, crlfDelay: Infinity })) {
    if (line.trim() !== '') bridge.take(line);
  }
  await bridge.finish();
}

interface Flight {
  abort: AbortController;
  modern: boolean;
  endless: boolean;
}

class Bridge {
  private readonly link: Link;
  private readonly output: Writable;
  private readonly flights = new Map<string | number, Flight>();
  private readonly pending = new Set<Promise<void>>();
  /** The next message waits for this: the handshake and notifications. */
  private gate: Promise<void> = Promise.resolve();
  /** devflow's answers have no id, so they are sent in the order of the calls. */
  private s1: Promise<void> = Promise.resolve();

  constructor(options: BridgeOptions) {
    this.output = options.output ?? process.stdout;
    const log = options.log ?? ((line: string) => void process.stderr.write(`signalbox mcp: ${line}\n`));
    this.link = connect({ ...options, log, onMessage: (message) => this.write(message) });
  }

  take(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      this.write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: not a line of JSON.' } });
      return;
    }
    if (message !== null && typeof message === 'object' && !('jsonrpc' in message) && 'tool' in message) {
      this.s1 = this.track(this.s1.then(() => this.execute(message)));
      return;
    }
    const work = this.gate.then(() => this.forward(message));
    if (message?.method === 'initialize' || (message?.method !== undefined && message.id === undefined)) this.gate = work;
    void this.track(work);
  }

  async finish(): Promise<void> {
    for (const flight of this.flights.values()) if (flight.endless) flight.abort.abort();
    while (this.pending.size > 0) await Promise.all(this.pending);
    await this.link.close();
  }

  private async forward(message: Message): Promise<void> {
    const id = message.id ?? null;
    const isRequest = message.method !== undefined && id !== null;
    if (message.method === 'notifications/cancelled') {
      const flight = this.flights.get(message.params?.requestId ?? '');
      // Since MCP 2026-07-28 a client cancels by closing the request's connection; before, by a notification.
      if (flight?.modern) return flight.abort.abort();
    }
    const abort = new AbortController();
    if (isRequest) this.flights.set(id, { abort, modern: isModern(message), endless: message.method === 'subscriptions/listen' });
    try {
      await this.deliver(message, abort.signal);
    } catch (error) {
      if (isRequest && !abort.signal.aborted) this.write({ jsonrpc: '2.0', id, error: failure(error) });
    } finally {
      if (isRequest) this.flights.delete(id);
    }
  }

  /** Sends until an answer arrives. The idempotency key makes it safe to repeat a call whose connection broke. */
  private async deliver(message: Message, signal: AbortSignal): Promise<void> {
    const key = message.method === 'tools/call' && message.params?._meta?.idempotency_key === undefined ? randomUUID() : undefined;
    const giveUp = Date.now() + 60_000;
    for (let attempt = 0; ; attempt += 1) {
      try {
        for await (const answer of this.link.exchange(message, signal, key)) {
          if (attempt > 0 && Date.now() < giveUp && stillRunning(answer)) throw new StillRunning();
          this.write(answer);
        }
        return;
      } catch (error) {
        const mayRepeat = error instanceof StillRunning || isBroken(error);
        if (signal.aborted || !mayRepeat || Date.now() > giveUp) throw error;
        await sleep(error instanceof StillRunning ? 2_000 : 250);
      }
    }
  }

  private async execute(message: Message): Promise<void> {
    const { tool, args, request_id: requestId = null } = message;
    try {
      this.write(await this.link.execute({ tool, args: args ?? {}, request_id: requestId }));
    } catch (error) {
      this.write({ request_id: requestId, result: null, error: failure(error).message });
    }
  }

  private track(work: Promise<void>): Promise<void> {
    const guarded = work.catch(() => {});
    this.pending.add(guarded);
    void guarded.finally(() => this.pending.delete(guarded));
    return guarded;
  }

  private write(message: unknown): void {
    this.output.write(`${JSON.stringify(message)}\n`);
  }
}

/** The attempt whose connection broke is still running, or it died and its key is not free yet. */
class StillRunning extends Error {}

const stillRunning = (answer: Message): boolean => {
  const error = (answer.result as { structuredContent?: { error?: { code?: string; message?: string } } } | undefined)?.structuredContent
    ?.error;
  return error?.code === 'CONFLICT' && /still running/.test(error.message ?? '');
};

const failure = (error: unknown): { code: number; message: string } => ({
  code: -32000,
  message: error instanceof Error ? [error.message, (error.cause as Error | undefined)?.message].filter(Boolean).join(': ') : String(error),
});
