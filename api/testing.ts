/** For tests of the front ends: a pipeline without a database, and a server on a free port. */
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { z } from 'zod';
import { actingFor, type Caller } from '../contracts/caller.ts';
import type { Envelope } from '../contracts/envelope.ts';
import { AppError } from '../contracts/errors.ts';
import { newCallId } from '../contracts/ids.ts';
import { environment } from '../platform/config.ts';
import type { Services } from '../services/index.ts';
import { envelopeOf, failureOf, textOf } from '../tools/catalogue/answers.ts';
import { toldTo } from '../tools/catalogue/audience.ts';
import { Catalogue, type Resolved } from '../tools/catalogue/catalogue.ts';
import type { ToolDirectory } from '../tools/catalogue/directory.ts';
import { defineTool, type AnyTool, type ToolContext } from '../tools/catalogue/define.ts';
import { Metrics } from '../tools/catalogue/metrics.ts';
import type { CallAnswer, CallRequest } from '../tools/catalogue/pipeline.ts';
import { calledFor } from '../tools/catalogue/standing-in.ts';
import type { SessionStore, StoredSession } from './mcp/sessions.ts';
import type { ServerConfig, ServerParts } from './parts.ts';
import { buildServer } from './server.ts';

const quick = {
  idempotent: true,
  external: false,
  approval: 'A0' as const,
  scopes: [] as string[],
  latency: 'L1' as const,
  intents: [] as string[],
};

const echoed = z.object({ text: z.string(), worker: z.string(), key: z.string().optional() });

/** Tools for tests of front ends: answer, fail in each way, wait, report progress. */
export const testTools: AnyTool[] = [
  defineTool({
    ...quick,
    name: 'test.text.echo',
    title: 'Echo',
    description: 'Answers what it was sent.',
    effect: 'read',
    core: true,
    input: z.object({ text: z.string(), note: z.string().optional() }),
    output: echoed,
    aliases: [
      { name: 'echo_devflow', system: 'devflow', input: z.object({ text: z.string() }), toInput: (args) => ({ text: String(args.text) }) },
      {
        name: 'echo_rag',
        system: 'agentic-rag',
        input: z.object({ text: z.string() }),
        toInput: (args) => ({ text: String(args.text) }),
        toText: (data) => `Echo: ${data.text}`,
      },
    ],
    async handler({ text }, context) {
      return { data: { text, worker: context.caller.principal, key: context.callKey } };
    },
  }),
  defineTool({
    ...quick,
    name: 'test.error.raise',
    title: 'Fail',
    description: 'Fails as asked.',
    effect: 'write',
    input: z.object({ code: z.string(), feed_id: z.string().optional() }),
    output: z.object({}),
    aliases: [
      {
        name: 'fetch_rss_feed',
        system: 'perception',
        input: z.object({ feed_id: z.string(), code: z.string().default('NOT_FOUND') }),
        toInput: (args) => ({ code: String(args.code), feed_id: String(args.feed_id) }),
      },
    ],
    async handler({ code }) {
      if (code === 'DEFECT') throw new Error('secret detail: postgres://user:hunter2@db');
      throw new AppError(code as 'CONFLICT', `Raised ${code}.`, {
        hint: 'Do not raise.',
        retryAfterSeconds: code === 'RATE_LIMIT_EXCEEDED' ? 7 : 1,
      });
    },
  }),
  defineTool({
    ...quick,
    name: 'test.job.wait',
    title: 'Wait',
    description: 'Waits until it is let go or cancelled, reporting progress.',
    effect: 'read',
    input: z.object({ steps: z.number().default(0), gate: z.string().optional() }),
    output: z.object({ done: z.boolean() }),
    aliases: [],
    async handler({ steps, gate }, context) {
      for (let i = 1; i <= steps; i += 1) {
        context.progress(i, steps, `step ${i}`);
        await new Promise((next) => setTimeout(next, 5));
      }
      if (gate !== undefined) await gates.wait(gate, context);
      return { data: { done: true } };
    },
  }),
  defineTool({
    ...quick,
    name: 'test.item.store',
    title: 'Store',
    description: 'Answers partly stored.',
    effect: 'write',
    input: z.object({}),
    output: z.object({ stored: z.number() }),
    aliases: [],
    async handler() {
      return { data: { stored: 1 }, status: 'partial', warnings: ['one was not stored'] };
    },
  }),
];

/** Lets a test hold a call open, see that it started, and see that it was cancelled. */
class Gates {
  private readonly opened = new Map<string, () => void>();
  private readonly started = new Map<string, (() => void)[]>();
  private readonly running = new Set<string>();
  readonly aborted = new Set<string>();

  async wait(name: string, { signal }: Pick<ToolContext, 'signal'>): Promise<void> {
    const open = new Promise<void>((resolve) => this.opened.set(name, resolve));
    this.running.add(name);
    this.started.get(name)?.forEach((tell) => tell());
    const cancelled = new Promise<void>((resolve) => {
      const stop = (): void => {
        this.aborted.add(name);
        resolve();
      };
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop);
    });
    await Promise.race([open, cancelled]);
  }

  async whenRunning(name: string): Promise<void> {
    if (this.running.has(name)) return;
    await new Promise<void>((resolve) => this.started.set(name, [...(this.started.get(name) ?? []), resolve]));
  }

  /** Forgets earlier calls, so that the next one is noticed. */
  reset(name: string): void {
    this.running.delete(name);
    this.started.delete(name);
  }

  open(name: string): void {
    this.opened.get(name)?.();
  }
}
export const gates = new Gates();

/** The pipeline without stores: resolves, validates and answers, but writes no ledger. */
export function testPipeline(tools: AnyTool[] = testTools): ServerParts['pipeline'] & { calls: CallRequest[] } {
  const catalogue = new Catalogue(tools);
  const metrics = new Metrics();
  const calls: CallRequest[] = [];
  const call = async (given: CallRequest): Promise<CallAnswer> => {
    const request = calledFor(catalogue, given);
    calls.push(request);
    const { caller, audience } = request;
    const told = (envelope: Envelope, called?: Resolved): Envelope =>
      audience ? toldTo(envelope, { catalogue, caller, audience }, called) : envelope;
    const started = performance.now();
    const toolCallId = newCallId();
    const limit = { limit: 60, remaining: 59, resetSeconds: 60 };
    let resolved: CallAnswer['resolved'];
    try {
      resolved = catalogue.resolve(request.name, request.caller);
      const { tool, alias } = resolved;
      const aliasArgs = parse(alias?.input ?? tool.input, request.arguments ?? {});
      const input = alias ? parse(tool.input, alias.toInput(aliasArgs)) : aliasArgs;
      const result = await tool.handler(input, {
        caller: request.caller,
        front: request.front,
        services: {} as Services,
        tools: {} as ToolDirectory,
        toolCallId,
        callKey: request.idempotencyKey ?? toolCallId,
        signal: request.signal ?? new AbortController().signal,
        progress: request.onProgress ?? (() => {}),
      });
      const durationMs = performance.now() - started;
      const envelope = told(envelopeOf(result, { tool, alias, aliasArgs, toolCallId, durationMs, warnings: [] }), resolved);
      metrics.called({ name: resolved.name, front: request.front, durationMs, latency: resolved.tool.latency });
      return { envelope, data: envelope.data, text: textOf(envelope, result.data, alias, aliasArgs), resolved, limit };
    } catch (caught) {
      const error = caught instanceof AppError ? caught : new AppError('INTERNAL', 'Something went wrong inside Signalbox.');
      const envelope = told(failureOf(error, toolCallId, 1, resolved?.tool), resolved);
      metrics.called({ name: resolved?.name ?? 'unknown', front: request.front, durationMs: 1, errorCode: error.code });
      return { envelope, data: null, text: textOf(envelope, null, resolved?.alias, {}), error, ...(resolved ? { resolved } : {}) };
    }
  };
  return { catalogue, metrics, call, calls, list: async (caller, profile, listing) => catalogue.list(caller, profile, listing) };
}

function parse(schema: z.ZodObject, value: unknown): Record<string, unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError('VALIDATION_ERROR', z.prettifyError(parsed.error), { hint: 'See system.tool.describe.' });
}

export const testCaller = (name: string, extra: Partial<Caller> = {}): Caller => ({
  ...actingFor(`tenant-${name}`, name, `key_${name}`),
  profile: 'unified',
  ...extra,
});

export const testConfig = (values: Partial<ServerConfig> = {}): ServerConfig => ({ ...environment.parse({}), ...values });

/** Keys `alice` and `bob` are valid; for `away` the key store is unreachable. */
export function testParts(extra: Partial<ServerParts> = {}): ServerParts & { pipeline: ReturnType<typeof testPipeline> } {
  return {
    pipeline: testPipeline(),
    config: testConfig(),
    async authenticate(secret) {
      if (secret === 'away')
        throw new AppError('SERVICE_UNAVAILABLE', 'The record store (Postgres) is not reachable.', { retryAfterSeconds: 2 });
      return secret === 'alice' || secret === 'bob' ? testCaller(secret) : null;
    },
    health: async () => ({ postgres: { up: true }, temporal: { up: true }, embeddings: { up: false, optional: true } }),
    log: pino({ level: 'silent' }),
    version: '0.0.0-test',
    pingMs: 30_000,
    ...extra,
  } as ServerParts & { pipeline: ReturnType<typeof testPipeline> };
}

export interface TestServer extends AsyncDisposable {
  app: FastifyInstance;
  url: string;
  parts: ReturnType<typeof testParts>;
  /** A JSON request with alice's key unless headers say otherwise. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: any }>;
}

export async function testServer(extra: Partial<ServerParts> = {}): Promise<TestServer> {
  const parts = testParts(extra);
  const app = buildServer(parts);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    app,
    url,
    parts,
    async send(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers: { 'x-api-key': 'alice', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
      };
    },
    [Symbol.asyncDispose]: async () => void (await app.close()),
  };
}

/** Keeps sessions in memory, for servers that stand for one process before and after a restart. */
export function memorySessions(): SessionStore {
  const rows = new Map<string, StoredSession>();
  return {
    save: async (row) => void rows.set(row.id, row),
    find: async (tenant, id) => [...rows.values()].find((row) => row.tenant === tenant && row.id === id) ?? null,
    touch: async () => {},
    remove: async (_tenant, id) => void rows.delete(id),
    send: async () => {},
    news: async (_tenant, id) => ({ known: rows.has(id), messages: [] }),
    taken: async () => {},
  };
}
