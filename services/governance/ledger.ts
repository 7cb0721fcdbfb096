import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller, Front } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import type { LedgerType } from '../../contracts/governance/ledger.ts';
import { AppError } from '../../contracts/errors.ts';
import { storable } from '../../contracts/json.ts';
import { rowMac, type LedgerRow } from './ledger-chain.ts';
import { Service } from '../kernel/service.ts';

export interface LedgerEvent {
  type: LedgerType;
  toolCallId: string;
  tool: string;
  calledAs: string;
  toolVersion: number;
  effect: string;
  front: Front;
  caller: Caller;
  inputHash: string;
  status?: string;
  errorCode?: string;
  refs?: Ref[];
  durationMs?: number;
  traceId?: string;
  approvalId?: string | undefined;
  /** Tokens of the language model that the call itself used; not part of the row's MAC. */
  tokens?: number | undefined;
  at: Date;
}

interface Waiting {
  event: LedgerEvent;
  done?: (error?: Error) => void;
}

/** How long an event that need not be awaited waits to be batched, in ms. A kill -9 loses at most this. */
const linger = 100;
const maxWaiting = 20_000;

/**
 * Appends call events: hashes and references, never arguments or answers.
 * Concurrent events share one statement per tenant, so fifty agents cost few commits. `record` resolves
 * when the event is committed (a write's start, before its effect); `note` does not wait (ends and reads).
 */
export class Ledger extends Service<'secrets' | 'log'> {
  private waiting: Waiting[] = [];
  private flushing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;

  /** @throws AppError SERVICE_UNAVAILABLE when Postgres is unavailable: without its entry a write must not start. */
  record(event: LedgerEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ event, done: (error) => (error ? reject(error) : resolve()) });
      this.flushSoon(0);
    });
  }

  note(event: LedgerEvent): void {
    if (this.waiting.length >= maxWaiting) {
      this.deps.log.error({ tool: event.tool }, 'ledger buffer is full while Postgres is unavailable: entry dropped');
      return;
    }
    this.waiting.push({ event });
    this.flushSoon(linger);
  }

  /** Writes all pending entries. Called before the process ends. */
  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flushing;
    await this.flush();
  }

  private flushSoon(delay: number): void {
    if (this.flushing) return;
    if (delay === 0) {
      if (this.timer) clearTimeout(this.timer);
      this.timer = null;
      this.start();
    } else this.timer ??= setTimeout(() => this.start(), delay);
  }

  private start(): void {
    this.timer = null;
    this.flushing ??= Promise.resolve()
      .then(() => this.flush())
      .finally(() => {
        this.flushing = null;
        if (this.waiting.length > 0) this.flushSoon(this.waiting.some((entry) => entry.done) ? 0 : linger);
      });
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    const tenants = Map.groupBy(batch, (entry) => entry.event.caller.tenant);
    await Promise.all([...tenants].map(([tenant, entries]) => asTenant(tenant, () => this.write(entries))));
  }

  /** For one tenant. A row that cannot be written is isolated by halving, so that the others are written. */
  private async write(entries: Waiting[]): Promise<void> {
    const events = entries.map((entry) => entry.event);
    try {
      await insertEvents(this.db.query, this.deps.secrets, events);
    } catch (error) {
      const half = entries.length >> 1;
      if (!isRowsFault(error)) this.putBack(entries, error);
      else if (half > 0) {
        await this.write(entries.slice(0, half));
        await this.write(entries.slice(half));
      } else {
        // A retry would fail again.
        for (const { type, toolCallId } of events)
          this.deps.log.error({ err: error, type, tool_call_id: toolCallId }, 'ledger entry dropped');
        for (const entry of entries) entry.done?.(error as Error);
      }
      return;
    }
    for (const entry of entries) entry.done?.();
  }

  /** Ends are kept for the next flush: an outage must not lose them. */
  private putBack(entries: Waiting[], error: unknown): void {
    const kept = entries.filter((entry) => !entry.done);
    for (const entry of entries) entry.done?.(error as Error);
    this.waiting = [...kept, ...this.waiting].slice(-maxWaiting);
    this.deps.log.warn({ err: error, kept: kept.length }, 'ledger flush failed');
  }
}

/** The row can never be written: a defect in creating it, or SQLSTATE classes 22, 23 and 54. */
function isRowsFault(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const { code } = (error instanceof AppError ? (error.cause ?? error) : error) as { code?: unknown };
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}

/** An address without its query, which may contain credentials. */
const refsOf = (refs: Ref[]): Ref[] =>
  storable(refs.map((ref) => (ref.url === undefined ? ref : { ...ref, url: ref.url.split('?', 1)[0]! })));

const columns: [name: string, type: string, value: (event: LedgerEvent) => unknown][] = [
  ['tenant_id', 'text', (e) => e.caller.tenant],
  ['tool_call_id', 'text', (e) => e.toolCallId],
  ['type', 'text', (e) => e.type],
  ['tool', 'text', (e) => e.tool],
  ['called_as', 'text', (e) => e.calledAs],
  ['tool_version', 'int', (e) => e.toolVersion],
  ['effect', 'text', (e) => e.effect],
  ['front', 'text', (e) => e.front],
  ['key_id', 'text', (e) => e.caller.keyId],
  ['principal', 'text', (e) => e.caller.principal],
  ['principal_kind', 'text', (e) => e.caller.principalKind],
  ['persona', 'text', (e) => e.caller.role],
  ['input_hash', 'text', (e) => e.inputHash],
  ['status', 'text', (e) => e.status ?? null],
  ['error_code', 'text', (e) => e.errorCode ?? null],
  ['refs', 'jsonb', (e) => (e.refs?.length ? JSON.stringify(refsOf(e.refs)) : null)],
  ['duration_ms', 'float8', (e) => e.durationMs ?? null],
  ['trace_id', 'text', (e) => e.traceId ?? null],
  ['policy', 'text', ({ caller: { access } }) => (access ? `${access.policy.name}@${access.policy.version}` : null)],
  ['approval_id', 'text', (e) => e.approvalId ?? null],
  ['session_id', 'text', (e) => e.caller.access?.session?.id ?? null],
  ['at', 'timestamptz', (e) => e.at],
];
const insertSql = prepared(`insert into ledger_events (${columns.map(([name]) => name).join(', ')}, mac, tokens)
  select * from unnest(${columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')}, $${columns.length + 1}::bytea[], $${columns.length + 2}::int[])`);

/** For entries that must be written in the caller's transaction; all others go through `Ledger`. */
export const insertEvents = (query: Database['query'], secrets: SecretBox, events: LedgerEvent[]): Promise<unknown> =>
  query(insertSql, [
    ...columns.map(([, , value]) => events.map(value)),
    events.map((event) => rowMac(secrets, rowOf(event))),
    events.map((event) => event.tokens ?? null),
  ]);

/** The row as it will be read back. */
const rowOf = (event: LedgerEvent): LedgerRow =>
  ({
    ...Object.fromEntries(columns.map(([name, , value]) => [name, value(event)])),
    refs: event.refs?.length ? refsOf(event.refs) : null,
    at: event.at.toISOString(),
  }) as LedgerRow;
