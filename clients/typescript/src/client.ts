import { SignalboxError } from './errors.ts';
import { Http, type Connection, type Envelope } from './http.ts';
import { Lease } from './lease.ts';
import type { Event, Tools } from './tools.ts';

export type ToolName = keyof Tools;
export type Input<Name extends ToolName> = Tools[Name]['input'];
export type Output<Name extends ToolName> = Tools[Name]['output'];
/** Tools that answer page by page. */
export type PagedTool = { [Name in ToolName]: 'cursor' extends keyof Input<Name> ? Name : never }[ToolName];
type EventType = NonNullable<Input<'event.stream.subscribe'>['types']>[number];

/** Tools that work without arguments are called without any. */
type Given<Name extends ToolName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>, options?: CallOptions] : [input: Input<Name>, options?: CallOptions];

export interface CallOptions {
  signal?: AbortSignal;
  /** Repeats under the same key act once, also in another run of the program. Default: a new key for each call. */
  idempotencyKey?: string;
  /** How long the call is repeated if it fails, in ms; default: as the client says. */
  retryForMs?: number;
}

const eventWaitSeconds = 20;

/** A Signalbox. Any number of calls may run at once. */
export class Signalbox {
  /** The name under which this client claims; empty: the key's own. */
  readonly agentId: string;
  readonly #http: Http;
  /** The task that this worker holds; `claiming` while it is asked for. */
  #lease: Lease | 'claiming' | null = null;

  constructor(connection: Connection) {
    this.agentId = connection.agentId ?? `worker-${crypto.randomUUID().slice(0, 8)}`;
    this.#http = new Http({ ...connection, agentId: this.agentId });
  }

  /**
   * Calls a tool and answers with its data.
   * @throws SignalboxError; `PENDING_APPROVAL` when a person has to approve the call first
   */
  async call<Name extends ToolName>(name: Name, ...[input, options]: Given<Name>): Promise<Output<Name>> {
    return await this.#data<Output<Name>>(name, input ?? {}, options);
  }

  /** As `call`, for tools that this package does not know: those of other servers, and of newer releases. */
  async callAny(name: string, input: object = {}, options?: CallOptions): Promise<unknown> {
    return await this.#data(name, input, options);
  }

  /** The whole answer: refs, warnings, metadata. A call that waits for a person is an answer, too. @throws SignalboxError */
  async envelope<Name extends ToolName>(name: Name, ...[input, options]: Given<Name>): Promise<Envelope<Output<Name> | null>> {
    return await this.#answer<Output<Name> | null>(name, input ?? {}, options);
  }

  /** The data of each page, from the first or from `input.cursor` on. @throws SignalboxError */
  async *pages<Name extends PagedTool>(
    name: Name,
    input: Omit<Input<Name>, 'cursor'> & { cursor?: string },
    options?: Omit<CallOptions, 'idempotencyKey'>,
  ): AsyncGenerator<Output<Name>, void, undefined> {
    for (let cursor: string | undefined = input.cursor; ;) {
      const page = await this.#answer<Output<Name>>(name, { ...input, ...(cursor === undefined ? {} : { cursor }) }, options);
      yield page.data;
      cursor = page.metadata.next_cursor ?? (page.data as { next_cursor?: string | null }).next_cursor ?? undefined;
      if (cursor === undefined) return;
    }
  }

  /**
   * Events as they happen, in order, until the loop is left or `signal` is aborted. After a break it goes on where it was, for
   * as long as it takes. To go on in another run of the program, give the id of the last event as `after`.
   * @param after `oldest`: all that are kept; absent: from now on
   * @throws SignalboxError; `GONE` when the events after `after` are no longer kept
   */
  async *events({
    types = [],
    subject,
    after,
    signal,
  }: { types?: EventType[]; subject?: string; after?: string; signal?: AbortSignal } = {}): AsyncGenerator<Event, void, undefined> {
    const filter = { types, ...(subject === undefined ? {} : { subject }) };
    const read = async (place: object): Promise<Output<'event.stream.subscribe'>> =>
      await this.#data('event.stream.subscribe', { ...filter, ...place }, { retryForMs: Infinity, ...(signal ? { signal } : {}) });
    try {
      // "From now on" is a place, too: an answer that is lost while waiting for the first event must not lose that event.
      let next = after ?? (await read({})).next;
      for (;;) {
        const page = await read({ after: next, wait_seconds: eventWaitSeconds });
        yield* page.events;
        next = page.next;
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  /**
   * The next ready task of a phase, or the task named, under a lease that is kept by itself; null when nothing is ready.
   * @throws SignalboxError; `CONFLICT` when this client holds a task already
   */
  async claim(wanted: Input<'work.task.claim'>, options?: CallOptions): Promise<Lease | null> {
    if (this.#lease !== null)
      throw new SignalboxError('CONFLICT', `${this.agentId || 'This worker'} already holds a task, or asks for one.`, {
        hint: 'A worker holds one task at a time: complete, fail or release it first, or make another client.',
        details: this.#lease === 'claiming' ? {} : { task_id: this.#lease.task.id },
      });
    this.#lease = 'claiming';
    try {
      const since = performance.now();
      const { task, already_held: resumed = false } = await this.#data<Output<'work.task.claim'>>('work.task.claim', wanted, options);
      const lease = task && (await Lease.open(this.#http, { task, resumed }, since, () => (this.#lease = null)));
      this.#lease = lease;
      return lease;
    } finally {
      if (this.#lease === 'claiming') this.#lease = null;
    }
  }

  async #answer<Data>(
    name: string,
    input: object,
    { idempotencyKey = crypto.randomUUID(), ...options }: CallOptions = {},
  ): Promise<Envelope<Data>> {
    return (await this.#http.call(name, input, { idempotencyKey, ...options })) as Envelope<Data>;
  }

  async #data<Data>(name: string, input: object, options?: CallOptions): Promise<Data> {
    const { status, data, refs, tool_call_id: toolCallId } = await this.#answer<Data>(name, input, options);
    if (status !== 'pending_approval') return data;
    const details = { approval_id: refs.find(({ type }) => type === 'approval')?.id };
    throw new SignalboxError('PENDING_APPROVAL', `${name} waits for a person's approval.`, {
      hint: 'approval.request.get tells how it stands, and has the answer once it is approved.',
      details,
      toolCallId,
    });
  }
}
