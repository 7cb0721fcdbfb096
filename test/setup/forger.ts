/** An attacker with access to Temporal's port but without a key: a plain client, and a worker that schedules any activity. */
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

export interface Forger {
  client: Client;
  /** Has a workflow of its own schedule an activity on our queues. @throws as the activity fails */
  activity(queue: string, name: string, ...args: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

export async function forger(namespace: string): Promise<Forger> {
  const { temporalAddress: address } = inject('servers');
  const connection = await Connection.connect({ address });
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  const silent = (): void => {};
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./forged-workflow.ts', import.meta.url)),
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  });
  const worker = await Worker.create({ connection: native, namespace, taskQueue: 'forged', workflowBundle });
  const running = worker.run();
  return {
    client,
    activity: (queue, name, ...args) =>
      client.workflow.execute('forged', { taskQueue: 'forged', workflowId: `forged-${randomUUID()}`, args: [queue, name, args] }),
    async close() {
      worker.shutdown();
      await running;
      await Promise.all([native.close(), connection.close()]);
    },
  };
}
