import { AppError } from '../../contracts/errors.ts';
import { connect, type ConnectPorts, type Live } from './connect.ts';
import { explained, failureOf, McpFailure, neverBegun } from './failures.ts';
import { Gate } from './gate.ts';
import type { McpServer } from './types.ts';

/** A connection that failed this soon after its start counts as not started. */
const settledMs = 5_000;
const longestPauseMs = 30_000;
/** Waits for a pause up to this length instead of reporting an error. */
const bearableMs = 600;

/** The one connection to a server: opened on demand, replaced when lost, with growing pauses after failures. */
export class Connection {
  readonly server: McpServer;
  lastUsed = Date.now();
  private readonly ports: Omit<ConnectPorts, 'onGone'>;
  private readonly onConnected: () => void;
  private readonly gate: Gate;
  private live: Live | null = null;
  private opening: Promise<Live> | null = null;
  private failures = 0;
  private retryAt = 0;
  private lastFailure: AppError | null = null;
  private closed = false;

  constructor(server: McpServer, ports: Omit<ConnectPorts, 'onGone'>, onConnected: () => void) {
    this.server = server;
    this.ports = ports;
    this.onConnected = onConnected;
    this.gate = new Gate(server.concurrency);
  }

  private get who(): string {
    return this.server.key.slice(this.server.key.indexOf('/') + 1);
  }

  get state(): { transport: string; pid: number | null } | null {
    return this.live && { transport: this.live.transport, pid: this.live.pid };
  }

  get busy(): boolean {
    return this.gate.busy || this.opening !== null;
  }

  /**
   * Runs one request. An expired session is renewed and the request repeated once, because the server has not
   * accepted it.
   * @param work gets a signal that aborts with the caller's, and after the server's timeout; `later` restarts that
   * timeout
   * @throws AppError
   */
  async run<T>(work: (live: Live, signal: AbortSignal, later: () => void) => Promise<T>, caller?: AbortSignal): Promise<T> {
    const { timeoutMs } = this.server;
    const leave = await this.gate.enter(this.who, timeoutMs, caller);
    this.lastUsed = Date.now();
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new McpFailure('unknown_outcome', `It did not answer in time (${timeoutMs / 1000} s).`)),
      timeoutMs,
    );
    const gone = (): void => abort.abort(caller?.reason);
    if (caller?.aborted) gone();
    caller?.addEventListener('abort', gone, { once: true });
    try {
      for (let renewed = false; ; renewed = true) {
        const live = await this.connected();
        if (caller?.aborted) throw neverBegun(this.who);
        if (abort.signal.aborted) throw new McpFailure('not_sent', `It could not be reached in time (${timeoutMs / 1000} s).`);
        try {
          return await work(live, abort.signal, () => void timer.refresh());
        } catch (caught) {
          if (caller?.aborted) throw givenUp(this.who);
          const failure = failureOf(abort.signal.aborted ? abort.signal.reason : caught, live.http?.session.id !== undefined);
          if (failure instanceof McpFailure && lostConnection(failure)) this.forget(live);
          if (failure instanceof McpFailure && failure.reason === 'session' && !renewed) continue;
          throw failure;
        }
      }
    } catch (error) {
      throw error instanceof McpFailure || error instanceof AppError ? explained(this.who, error) : error;
    } finally {
      clearTimeout(timer);
      caller?.removeEventListener('abort', gone);
      this.lastUsed = Date.now();
      leave();
    }
  }

  private async connected(): Promise<Live> {
    if (this.live && !this.live.stale) return this.live;
    if (this.live) this.forget(this.live);
    if (this.opening) return await this.opening;
    const pause = this.retryAt - Date.now();
    if (pause > bearableMs && this.lastFailure) {
      const { code, message, hint, details } = this.lastFailure;
      throw new AppError(code, message, {
        ...(hint ? { hint } : {}),
        ...(details ? { details } : {}),
        retryAfterSeconds: Math.ceil(pause / 1000),
      });
    }
    const opening = this.make(Math.max(0, pause));
    this.opening = opening;
    opening.catch(() => {});
    return await opening;
  }

  private async make(pause: number): Promise<Live> {
    try {
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
      if (this.closed) throw new McpFailure('not_sent', 'Its connection is being closed.');
      const live = await connect(this.server, { ...this.ports, onGone: (which) => this.lost(which) });
      if (this.closed) {
        await live.close();
        throw new McpFailure('not_sent', 'Its connection is being closed.');
      }
      this.live = live;
      this.onConnected();
      return live;
    } catch (caught) {
      const failure = failureOf(caught, false);
      // Whatever the handshake's result, the request itself was not sent.
      const unsent = failure instanceof McpFailure && failure.reason === 'unknown_outcome';
      throw this.failed(explained(this.who, unsent ? new McpFailure('not_sent', failure.message, { cause: failure }) : failure));
    } finally {
      this.opening = null;
    }
  }

  private failed(failure: AppError): AppError {
    this.failures += 1;
    this.lastFailure = failure;
    this.retryAt = Date.now() + Math.min(longestPauseMs, 250 * 2 ** Math.min(10, this.failures));
    return failure;
  }

  /** The connection ended by itself: a crash, or the end of its stream. */
  private lost(live: Live): void {
    if (this.live !== live) return;
    this.live = null;
    if (Date.now() - live.since >= settledMs) {
      this.failures = 0;
      return;
    }
    this.failed(explained(this.who, new McpFailure('not_sent', 'It ended soon after its start.')));
  }

  private forget(live: Live): void {
    if (this.live === live) this.live = null;
    void live.close();
  }

  /** A request succeeded: reset the failures. */
  proven(): void {
    this.failures = 0;
    this.retryAt = 0;
  }

  /** A connection that is being opened closes itself when it is open. */
  async close(): Promise<void> {
    this.closed = true;
    const { live } = this;
    this.live = null;
    await live?.close();
  }
}

/** The connection is gone, not only this answer. */
const lostConnection = ({ reason, message }: McpFailure): boolean =>
  reason === 'session' || reason === 'not_sent' || reason === 'no_endpoint' || (reason === 'unknown_outcome' && /connection/.test(message));

const givenUp = (who: string): AppError =>
  new AppError('TIMEOUT', `The call of ${who} was given up by its caller.`, {
    hint: 'It may have been done nevertheless: look before you repeat a call that changes something.',
    details: { reason: 'unknown_outcome', server: who },
  });
