/** A stack for tests of the client kits: an api behind a proxy that breaks, and tenants of their own. */
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { apiOf } from './api.ts';
import { shakyProxy, type ShakyProxy } from './shaky-proxy.ts';
import { testStack, type TestStack } from './stack.ts';

export interface Tenant {
  /** An agent's key. */
  apiKey: string;
  /** Creates tasks, ready in phase 1. @returns their ids */
  tasks(count: number): Promise<string[]>;
  task(id: string): Promise<Record<string, any>>;
  /** Calls a tool as a person of the tenant. */
  ok<T = Record<string, any>>(tool: string, args?: object): Promise<T>;
}

export class ClientStack {
  readonly stack: TestStack;
  readonly proxy: ShakyProxy;
  private app: FastifyInstance | undefined;
  private port = 0;

  private constructor(stack: TestStack, proxy: ShakyProxy) {
    this.stack = stack;
    this.proxy = proxy;
  }

  static async start(): Promise<ClientStack> {
    const found: { api?: ClientStack } = {};
    const proxy = await shakyProxy(() => `http://127.0.0.1:${found.api?.port}`);
    found.api = new ClientStack(await testStack({ model: false }), proxy);
    await found.api.startApi();
    return found.api;
  }

  /** At the same address as before. */
  async startApi(): Promise<void> {
    this.app = apiOf(this.stack);
    await this.app.listen({ host: '127.0.0.1', port: this.port });
    this.port = (this.app.server.address() as AddressInfo).port;
  }

  async stopApi(): Promise<void> {
    await this.app?.close();
  }

  async tenant(tenant: string): Promise<Tenant> {
    const { apiKey } = await this.stack.caller({ tenant, role: 'agent', kind: 'agent', name: 'builders' });
    const person = await this.stack.caller({ tenant, kind: 'human', name: 'ann' });
    const ok: Tenant['ok'] = (tool, args = {}) => this.stack.ok(person, tool, args);
    const create = async (_: unknown, i: number): Promise<string> =>
      (await ok('work.task.create', { description: `Task ${i}`, phase_id: 1 })).task.id;
    return {
      apiKey,
      tasks: (count) => Promise.all(Array.from({ length: count }, create)),
      task: async (id) => (await ok('work.task.get', { task_id: id })).task,
      ok,
    };
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.stopApi();
    await this.stack.stop();
  }
}

/** As the pipeline answers after a defect. */
export const internalError = {
  status: 500,
  body: JSON.stringify({
    status: 'error',
    data: null,
    metadata: { source: 'test', query_time_ms: 1 },
    refs: [],
    warnings: [],
    tool_call_id: 'call_1',
    error: { code: 'INTERNAL', message: 'Something went wrong inside Signalbox.', retryable: false },
  }),
};

/** As the pipeline answers a call that a person has to approve. */
export const pendingApproval = {
  status: 202,
  body: JSON.stringify({
    status: 'pending_approval',
    data: { approval_id: 'apr_1' },
    metadata: { source: 'test', query_time_ms: 1 },
    refs: [{ type: 'approval', id: 'apr_1' }],
    warnings: [],
    tool_call_id: 'call_1',
  }),
};
