import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Front } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Event } from '../../contracts/outbound/events.ts';
import type { Page } from '../../services/outbound/events/index.ts';
import { failureOf } from '../../tools/catalogue/answers.ts';
import { judge, refusal } from '../../tools/catalogue/policy.ts';
import { newCallId } from '../../contracts/ids.ts';
import { EventStream } from '../mcp/event-stream.ts';
import type { ServerParts } from '../parts.ts';
import { callerNow } from '../plugins/auth.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { watchKey } from '../plugins/key-watch.ts';
import { calling, sendEnvelope } from '../rest/calling.ts';

const paths: Record<string, Front> = { '/api/agents/v1/events': 'rest', '/api/agents/events': 'rest', '/console/api/events': 'console' };

/** Keeps proxies from closing a silent connection, in ms. */
const keepAliveMs = 15_000;
/** How soon a stream ends after its key has expired, or was revoked without a notice, in ms. */
const checkKeyMs = 5_000;
/** How long a client may read nothing before it is disconnected, in ms; it reconnects and resumes. */
const patienceMs = 60_000;
/** How long a client waits before it reconnects, in ms. */
const retryMs = 1_000;

/**
 * Streams events as server-sent events with ids for resumption (`Last-Event-ID`). Opening one is a call of
 * event.stream.subscribe, with its rights, limit and ledger entry; the events that follow are not calls.
 */
export function installEventStream(app: FastifyInstance, parts: ServerParts): void {
  const streams = new OpenStreams();
  for (const [path, front] of Object.entries(paths)) app.get(path, (request, reply) => serve(parts, streams, front, request, reply));
  app.addHook('preClose', async () => streams.close());
}

async function serve(
  parts: ServerParts,
  streams: OpenStreams,
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request;
  const { types, subject, after } = argumentsOf(request);
  // The client disconnected during the key check; `close` has already fired.
  if (reply.raw.destroyed) return reply.hijack();
  const leave = await enter(parts, caller);
  if (streams.closed) {
    leave();
    throw new AppError('SERVICE_UNAVAILABLE', 'The server is stopping.', { retryAfterSeconds: 1 });
  }
  if (reply.raw.destroyed) {
    leave();
    return reply.hijack();
  }
  reply.raw.once('close', leave);
  const answer = await parts.pipeline.call({
    ...calling(request, reply),
    front,
    name: 'event.stream.subscribe',
    arguments: { ...(types ? { types } : {}), ...(subject === undefined ? {} : { subject }), ...(after === undefined ? {} : { after }) },
  });
  if (reply.raw.destroyed) return reply.hijack();
  if (answer.error || answer.envelope.status !== 'success') return sendEnvelope(reply, answer);

  const ended = new AbortController();
  streams.onClose(ended);
  const stream = new EventStream(reply.headers(limitHeaders(answer.limit)));
  stream.onClose(() => ended.abort());
  const first = answer.data as Page;
  const told = new Told(stream);
  stream.field('retry', retryMs);
  told.page(first);
  // A stream that breaks before its first event needs a position to resume from, too.
  told.stillHere();
  stream.every(keepAliveMs, () => told.stillHere());
  watchKey(parts, {
    request,
    signal: ended.signal,
    everyMs: checkKeyMs,
    refused: () => refusedNow(parts, front, request),
    over(error) {
      refuse(stream, error, request.cookie !== undefined && error.code === 'UNAUTHORIZED' ? 'session.ended' : 'refused');
      ended.abort();
    },
  });
  try {
    const filter = { types: (types ?? []) as Event['type'][], subject: subject ?? null };
    for await (const page of parts.services!().events.follow(caller.tenant, first.next, filter, ended.signal)) {
      if (!stream.open) break;
      told.page(page);
      // Backpressure: read more only when the client has received the last events.
      await stream.flushed(patienceMs);
    }
  } catch (error) {
    const known = error instanceof AppError ? error : new AppError('INTERNAL', 'The stream broke. Connect again with the last id.');
    if (known !== error) request.log.error({ err: error }, 'a stream of events failed unexpectedly');
    refuse(stream, known);
  } finally {
    streams.forget(ended);
    stream.end();
  }
  return reply;
}

/** Writes events, and keeps the client's position. */
class Told {
  private readonly stream: EventStream;
  private next = '';
  private said = '';

  constructor(stream: EventStream) {
    this.stream = stream;
  }

  page({ events, next }: Page): void {
    this.stream.together(() => {
      for (const event of events) this.stream.event(event.type, textOf(event), event.id);
    });
    this.said = events.at(-1)?.id ?? this.said;
    this.next = next;
  }

  /** Also sends the position when no recent event matched: older events may be deleted before the client reconnects. */
  stillHere(): void {
    if (this.next !== this.said) this.stream.field('id', this.next);
    else this.stream.comment('still here');
    this.said = this.next;
  }
}

/** The text of an event, shared by all clients. */
const texts = new WeakMap<Event, string>();
function textOf(event: Event): string {
  let text = texts.get(event);
  if (text === undefined) texts.set(event, (text = JSON.stringify(event)));
  return text;
}

/** Open streams of this process. */
class OpenStreams {
  closed = false;
  private readonly running = new Set<AbortController>();

  onClose(ended: AbortController): void {
    if (this.closed) ended.abort();
    else this.running.add(ended);
  }

  forget(ended: AbortController): void {
    this.running.delete(ended);
  }

  close(): void {
    this.closed = true;
    for (const ended of this.running) ended.abort();
  }
}

/**
 * Counts the stream, at all apis.
 * @returns a function to call at its end.
 * @throws AppError RATE_LIMIT_EXCEEDED
 */
async function enter({ services, config }: ServerParts, { tenant, keyId, consoleSession }: Caller): Promise<() => void> {
  const limit = config.EVENT_STREAMS_PER_KEY;
  return await services!().governance.streams.enter(
    { tenant, id: randomUUID(), kind: 'events', holder: consoleSession ?? keyId },
    limit,
    (open) =>
      new AppError('RATE_LIMIT_EXCEEDED', `This key already has ${open} open event streams.`, {
        hint: 'Close one, or request several types in one stream. EVENT_STREAMS_PER_KEY sets the limit.',
        retryAfterSeconds: 30,
        details: { limit },
      }),
  );
}

async function refusedNow(parts: ServerParts, front: Front, request: FastifyRequest): Promise<AppError | null> {
  const { pipeline, services } = parts;
  const named = await callerNow(parts, request);
  const access = await services!().governance.policies.accessOf(named, request.caller.access?.session?.id);
  const { tool } = pipeline.catalogue.named('event.stream.subscribe');
  const verdict = judge(tool, { ...named, access }, front);
  return verdict.effect === 'allow' ? null : refusal(verdict, tool.name);
}

/** Not named "error": browsers use that name for a lost connection. */
const refuse = (stream: EventStream, error: AppError, name: 'refused' | 'session.ended' = 'refused'): void =>
  stream.event(name, failureOf(error, newCallId(), 0, undefined));

function argumentsOf({ query, headers }: FastifyRequest): { types?: string[]; subject?: string; after?: string } {
  const { types, subject, last_event_id, ...unknown } = query as Record<string, string | string[] | undefined>;
  const [parameter] = Object.keys(unknown);
  if (parameter !== undefined) {
    throw new AppError('VALIDATION_ERROR', `There is no query parameter "${parameter.slice(0, 64)}".`, {
      hint: 'There are types, subject and last_event_id.',
      details: { unknown_fields: [parameter.slice(0, 64)] },
    });
  }
  const header = headers['last-event-id'];
  const after = (Array.isArray(header) ? header[0] : header) || one('last_event_id', last_event_id);
  const about = one('subject', subject);
  const wanted = [types ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((type) => type.trim())
    .filter(Boolean);
  return { ...(wanted.length > 0 ? { types: wanted } : {}), ...(about ? { subject: about } : {}), ...(after ? { after } : {}) };
}

function one(name: string, value: string | string[] | undefined): string | undefined {
  if (!Array.isArray(value)) return value;
  throw new AppError('VALIDATION_ERROR', `${name} may be given once.`, { details: { field: name } });
}
