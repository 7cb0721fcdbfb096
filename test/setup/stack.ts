/** A whole product inside a test: its own database, its own namespace, workers in this process, the pipeline over them. */
import { NativeConnection, type Worker, type WorkflowBundle } from '@temporalio/worker';
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { ZodType } from 'zod';
import { openOutside, type Outside } from '../../adapters/open.ts';
import { createParser, parserSettings } from '../../adapters/parsers/bounded.ts';
import type { Deployment } from '../../adapters/temporal/deployment.ts';
import type { Caller, Role } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import { readConfig, type Config } from '../../platform/config.ts';
import { waitDefault } from '../../services/kernel/waiting.ts';
import { findLost, type Lost } from '../../services/sweep.ts';
import { createServices, type Services } from '../../services/index.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { ToolDirectory } from '../../tools/catalogue/directory.ts';
import { exposedTools } from '../../tools/catalogue/exposed.ts';
import { tools } from '../../tools/index.ts';
import { Metrics } from '../../tools/catalogue/metrics.ts';
import { Pipeline, type CallAnswer } from '../../tools/catalogue/pipeline.ts';
import { toolVersions } from '../../tools/catalogue/registry.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { createWorkers } from '../../workers/host.ts';
import { lightThreads } from '../../workers/threads.ts';
import { onServer, withDatabase } from './databases.ts';
import { leaveNamespace, makeNamespace } from './namespaces.ts';
import { inOneThread } from './one-thread.ts';
import './runtime.ts';

export interface TestStack extends Outside {
  config: Config;
  services: Services;
  pipeline: Pipeline;
  databaseUrl: string;
  namespace: string;
  /** A caller with a key of its own; calls are not limited unless `rpm` says so. */
  caller(options?: {
    tenant?: string;
    role?: Role;
    kind?: 'human' | 'agent';
    name?: string;
    team?: string;
    scopes?: string[];
    rpm?: number;
    burst?: number;
  }): Promise<Caller & { apiKey: string }>;
  /** Calls a tool through the pipeline. */
  call(caller: Caller, name: string, args?: unknown, extra?: { idempotencyKey?: string; signal?: AbortSignal }): Promise<CallAnswer>;
  /** Calls a tool that must succeed. @returns its data */
  ok<T = Record<string, any>>(caller: Caller, name: string, args?: unknown): Promise<T>;
  /** Calls a tool that needs approval, and approves it. @returns its answer, also a refusal */
  afterApproval(caller: Caller, name: string, args?: unknown): Promise<Envelope>;
  /** The same for a call that must succeed. @returns its data */
  approved<T = Record<string, any>>(caller: Caller, name: string, args?: unknown): Promise<T>;
  /** Stops the workers of this process gracefully. */
  stopWorkers(): Promise<void>;
  /** @param given workers of another build, or of a version, beside those that run */
  startWorkers(given?: { bundle?: WorkflowBundle; deployment?: Deployment }): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param options.workers false: none are started. @param options.env further settings, e.g. INGEST_ROOTS
 * @param options.database name of a prepared database, whose files are in a folder of that name
 */
export async function testStack(
  options: { workers?: boolean; env?: Record<string, string>; model?: boolean; database?: string } = {},
): Promise<TestStack> {
  const servers = inject('servers');
  const namespace = await makeNamespace(servers.temporalAddress);
  const name = options.database ?? `t_${randomBytes(8).toString('hex')}`;
  if (options.database === undefined) await onServer(servers.ownerUrl, `create database ${name} template ${servers.template}`);
  const databaseUrl = withDatabase(servers.appUrl, name);
  const dataDir = join(servers.folder, name);
  mkdirSync(dataDir, { recursive: true });
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_UI_URL: 'http://temporal.test',
    SIGNALBOX_DATA_DIR: dataDir,
    EMBEDDING_MODEL_DIR: options.model === false ? 'none' : (servers.modelDir ?? 'none'),
    INGEST_ROOTS: realpathSync(servers.folder),
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    ...options.env,
  });
  const log = pino({ level: config.LOG_LEVEL }, pino.destination({ dest: 2, sync: true }));
  const outside = await openOutside(config, log);
  const services = createServices(outside);
  const parser = createParser(parserSettings(config));
  const catalogue = new Catalogue(exposedTools(tools, config));
  const directory = new ToolDirectory(catalogue, await toolVersions(outside.db.query, tools), outside.localEmbedder);
  const pipeline = new Pipeline({ tools: directory, services, metrics: new Metrics(), log, logRequests: config.LOG_LEVEL !== 'silent' });
  const started: { all: Worker[]; running: Promise<unknown>; connection: NativeConnection }[] = [];
  // Tools wait some seconds for their jobs, and a slow machine may take longer: while workers run, answers come with the end.
  const settle = services.jobs.settle.bind(services.jobs);
  services.jobs.settle = (tenant, id, ms, ...rest) =>
    settle(tenant, id, started.length > 0 && ms > waitDefault / 2 && ms <= waitDefault ? 3 * waitDefault : ms, ...rest);

  const stack: TestStack = {
    ...outside,
    config,
    services,
    pipeline,
    databaseUrl,
    namespace,
    async caller({ tenant = 'acme', role = 'admin', kind, name: keyName, team, scopes, rpm = 1_000_000, burst = 0 } = {}) {
      const key = await services.governance.keys.create({
        tenant,
        role,
        rpm,
        burst,
        ...(kind ? { kind } : {}),
        ...(keyName ? { name: keyName } : {}),
        ...(team ? { team } : {}),
        ...(scopes ? { scopes } : {}),
      });
      const caller = await services.governance.keys.authenticate(key.api_key);
      if (!caller) throw new Error('the new key does not authenticate');
      return { ...caller, apiKey: key.api_key };
    },
    async call(caller, tool, args = {}, extra = {}) {
      const answer = await pipeline.call({ name: tool, arguments: args, caller, front: 'mcp', ...extra });
      assertAsTold(answer);
      return answer;
    },
    async ok<T>(caller: Caller, tool: string, args: unknown = {}) {
      const answer = await stack.call(caller, tool, args);
      if (answer.error) throw answer.error;
      return answer.data as T;
    },
    async afterApproval(caller: Caller, tool: string, args: unknown = {}) {
      const { approval_id } = await stack.ok<{ approval_id: string }>(caller, tool, args);
      const person = await stack.caller({ tenant: caller.tenant, role: 'admin', name: `approver-${randomBytes(3).toString('hex')}` });
      const { approval } = await stack.ok<{ approval: { answer: Envelope | null; status: string } }>(person, 'approval.request.approve', {
        approval_id,
        wait_seconds: 30,
      });
      if (!approval.answer) throw new Error(`${tool} is ${approval.status}`);
      return approval.answer;
    },
    async approved<T>(caller: Caller, tool: string, args: unknown = {}) {
      const { data, error } = await stack.afterApproval(caller, tool, args);
      if (error) throw new Error(`${tool}: ${error.message}`);
      return data as T;
    },
    async startWorkers(given) {
      lightThreads();
      const connection = await NativeConnection.connect({ address: servers.temporalAddress });
      const bundle = given?.bundle ?? (await workflowBundle(join(servers.folder, 'cache')));
      const all = await inOneThread(() =>
        createWorkers({
          connection,
          namespace,
          deployment: given?.deployment ?? null,
          bundle,
          services,
          parse: (input) => parser.parse(input),
          execute: (execution) => pipeline.execute(execution),
          cachedWorkflows: config.WORKFLOW_CACHE_SIZE,
        }),
      );
      started.push({ all, connection, running: Promise.all(all.map((worker) => worker.run())) });
    },
    async stopWorkers() {
      for (const { all, running, connection } of started.splice(0)) {
        for (const worker of all) worker.shutdown();
        await running;
        await connection.close();
      }
    },
    async stop() {
      await stack.stopWorkers();
      await parser.close();
      await services.knowledge.trajectories.close();
      await services.agents.close();
      await services.events.close();
      await services.schemas.close();
      await services.governance.keys.close();
      await services.governance.ledger.close();
      await outside.close();
      await leaveNamespace(servers.temporalAddress, namespace);
    },
  };
  if (options.workers !== false) await stack.startWorkers();
  return stack;
}

/** Clients refuse an answer that is not what the list of tools says (outputSchema). */
function assertAsTold({ error, envelope, resolved }: CallAnswer): void {
  if (
    error ||
    envelope.status === 'error' ||
    envelope.status === 'pending_approval' ||
    !resolved ||
    resolved.alias ||
    resolved.tool.foreign
  )
    return;
  const { error: problem } = (resolved.tool.output as ZodType).safeParse(JSON.parse(JSON.stringify(envelope.data)));
  if (problem) throw new Error(`${resolved.name} answers something else than its output says: ${problem.message}`);
}

/** Polls a condition. @throws Error naming the condition at the timeout */
export async function eventually<T>(what: string, probe: () => Promise<T | null | undefined | false>, timeoutMs = 60_000): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > until) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** The row whose process was terminated: Temporal's list shows a process as running for a moment after its end. */
export const lostOf = async (stack: TestStack, id: string): Promise<Lost[]> =>
  await eventually(`${id} has no process`, async () => {
    // Rows of this very moment count, too.
    const lost = (await findLost(stack, -1)).filter((row) => row.id === id);
    return lost.length > 0 && lost;
  });
