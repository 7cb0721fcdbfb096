/** Threads of workflow code as the product starts them. */
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { lightThreads } from '../../workers/threads.ts';
import { leaveNamespace, makeNamespace } from '../setup/namespaces.ts';
import { eventually } from '../setup/stack.ts';
import '../setup/runtime.ts';

const taskQueue = 'threads';
const { temporalAddress: address } = inject('servers');
let namespace: string;
let connection: Connection;
let native: NativeConnection;
let worker: Worker;
let running: Promise<void>;
let client: Client;

beforeAll(async () => {
  lightThreads();
  namespace = await makeNamespace(address);
  connection = await Connection.connect({ address });
  native = await NativeConnection.connect({ address });
  client = new Client({ connection, namespace });
  const silent = (): void => {};
  const workflowBundle = await bundleWorkflowCode({
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    workflowsPath: fileURLToPath(new URL('../setup/waiting-workflows.ts', import.meta.url)),
  });
  worker = await Worker.create({ connection: native, namespace, taskQueue, workflowBundle });
  running = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await running;
  await leaveNamespace(address, namespace);
  await Promise.all([native.close(), connection.close()]);
});

const waiting = () => client.workflow.start('waiting', { taskQueue, workflowId: `waiting-${randomUUID()}`, args: [] });

it('record no stack traces of waiting workflows, and tell whoever asks for one', async () => {
  const handle = await waiting();
  await expect(handle.query('__stack_trace')).rejects.toThrow('stack traces are not enabled on this worker');
  await handle.terminate();
});

it('tell where a workflow failed', async () => {
  const handle = await waiting();
  await handle.signal('give');
  const failure = await handle.result().then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(WorkflowFailedError);
  expect((failure as WorkflowFailedError).cause?.stack).toMatch(/failed .*waiting-workflows\.ts:\d+/);
});

it('end a step without an end, and serve the other workflows', async () => {
  const [endless, other] = await Promise.all([waiting(), waiting()]);
  await endless.signal('spin');
  const message = await eventually('its step fails', async () => {
    const { events } = await endless.fetchHistory();
    return events?.find((event) => event.workflowTaskFailedEventAttributes)?.workflowTaskFailedEventAttributes?.failure?.message;
  });
  expect(message).toMatch(/Script execution timed out|deadlock/i);
  await endless.terminate();
  await other.signal('give');
  await expect(other.result()).rejects.toThrow(WorkflowFailedError);
});
