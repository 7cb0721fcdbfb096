/** A Temporal behind mutual TLS and API keys, and what the setup of a namespace may do there. */
import { Worker, type NativeConnection } from '@temporalio/worker';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTemporal, type Temporal } from '../../adapters/temporal/client.ts';
import { readCredentials, temporalTarget, watchCredentials } from '../../adapters/temporal/connection.ts';
import { connectionProblem } from '../../adapters/temporal/refusals.ts';
import { setUpNamespace } from '../../adapters/temporal/setup.ts';
import { readConfig } from '../../platform/config.ts';
import { connectWorkers } from '../../workers/connection.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { authority, temporalGate, type Authority, type Gate } from '../setup/temporal-gate.ts';

let stack: TestStack;
let ours: Authority;
let gate: Gate;
let settings: Record<string, string>;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  const folder = join(stack.config.SIGNALBOX_DATA_DIR, 'certificates');
  ours = authority(folder);
  gate = await temporalGate(inject('servers').temporalAddress, ours);
  const { certFile, keyFile } = ours.issue('client');
  const apiKeyFile = join(folder, 'api-key');
  writeFileSync(apiKeyFile, 'first-key\n');
  gate.keys.add('first-key');
  settings = {
    TEMPORAL_ADDRESS: gate.address,
    TEMPORAL_NAMESPACE: stack.namespace,
    TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: ours.caFile,
    TEMPORAL_TLS_CLIENT_CERT_PATH: certFile,
    TEMPORAL_TLS_CLIENT_KEY_PATH: keyFile,
    TEMPORAL_API_KEY_FILE: apiKeyFile,
  };
});
afterAll(async () => {
  await gate?.close();
  await stack?.stop();
});

const targetOf = (env: Record<string, string>) => temporalTarget(readConfig(env));
const without = (...names: string[]) => Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
const describing = ({ client, namespace }: Temporal): Promise<string> =>
  client.withDeadline(Date.now() + 8_000, async () => {
    const { namespaceInfo } = await client.connection.workflowService.describeNamespace({ namespace });
    return namespaceInfo?.name ?? '';
  });

/** How a client with these settings is told what is wrong. */
async function problemOf(env: Record<string, string>): Promise<string> {
  const temporal = openTemporal({ ...targetOf(env), secrets: null, retry: false });
  try {
    return await describing(temporal);
  } catch (error) {
    const { message, hint } = connectionProblem(error, temporal.target);
    return `${message} ${hint}`;
  } finally {
    await temporal.close();
  }
}

/** The same for a worker. */
async function workerProblemOf(env: Record<string, string>): Promise<string> {
  try {
    const { close } = await connectWorkers(targetOf(env));
    await close();
    return 'connected';
  } catch (error) {
    return `${(error as Error).message} ${(error as { hint?: string }).hint}`;
  }
}

it('lets in clients and workers that have certificate and key', async () => {
  expect(await problemOf(settings)).toBe(stack.namespace);
  expect(await workerProblemOf(settings)).toBe('connected');
});

it('names the setting to look at when one of them is missing or wrong', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [without('TEMPORAL_TLS_SERVER_CA_CERT_PATH'), /TEMPORAL_TLS_SERVER_CA_CERT_PATH/],
    [{ ...settings, TEMPORAL_TLS_SERVER_NAME: 'another.test' }, /TEMPORAL_TLS_SERVER_NAME/],
    [without('TEMPORAL_API_KEY_FILE'), /TEMPORAL_API_KEY/],
    [{ ...without('TEMPORAL_API_KEY_FILE'), TEMPORAL_API_KEY: 'unknown' }, /TEMPORAL_API_KEY/],
    [{ ...settings, TEMPORAL_NAMESPACE: 'nowhere' }, /temporal setup/],
  ];
  for (const [env, wanted] of cases) expect(await problemOf(env)).toMatch(wanted);
  expect(await workerProblemOf(without('TEMPORAL_TLS_SERVER_CA_CERT_PATH'))).toMatch(/TEMPORAL_TLS_SERVER_CA_CERT_PATH/);
  expect(await workerProblemOf({ ...settings, TEMPORAL_TLS_SERVER_NAME: 'another.test' })).toMatch(/TEMPORAL_TLS_SERVER_NAME/);
  expect(await workerProblemOf(without('TEMPORAL_API_KEY_FILE'))).toMatch(/TEMPORAL_API_KEY/);
});

it('goes on with a renewed certificate and key, without a restart', async () => {
  const target = targetOf(settings);
  const renewals: unknown[] = [];
  const before = readCredentials(target);
  const stop = watchCredentials(target, (given) => void renewals.push(given), undefined, 20);
  try {
    const { certFile } = ours.issue('client');
    await eventually('the pair is read again', async () => renewals.length > 0);
    expect(renewals.at(-1)).toEqual(readCredentials(target));
    expect(renewals.at(-1)).not.toEqual(before);
    expect(await problemOf(settings)).toBe(stack.namespace);
    expect(gate.serials).toContain(new X509Certificate(readFileSync(certFile)).serialNumber);
    // A half-written pair is not used.
    const seen = renewals.length;
    writeFileSync(settings['TEMPORAL_API_KEY_FILE']!, '');
    writeFileSync(settings['TEMPORAL_API_KEY_FILE']!, 'second-key');
    await eventually('the key is read again', async () => renewals.length > seen);
    expect(renewals.at(-1)).toMatchObject({ apiKey: 'second-key' });
  } finally {
    stop();
  }
  gate.keys.add('second-key');
  gate.keys.delete('first-key');
  expect(await problemOf(settings)).toBe(stack.namespace);
});

it('moves running workers to each renewed key, and closes what they have left', async () => {
  const link = await connectWorkers(targetOf(settings), undefined, 20);
  const activities = { ping: async () => 'pong' };
  const worker = await Worker.create({ connection: link.connection, namespace: stack.namespace, taskQueue: 'renewed', activities });
  const running = worker.run();
  const unwatch = link.keep([worker]);
  const answers = (connection: NativeConnection): Promise<unknown> => connection.workflowService.getSystemInfo({});
  const used = [link.connection];
  for (const key of ['key-3', 'key-4', 'key-5']) {
    gate.keys.add(key);
    writeFileSync(settings['TEMPORAL_API_KEY_FILE']!, key);
    used.push(await eventually(`the worker has ${key}`, async () => (worker.connection === used.at(-1) ? null : worker.connection)));
  }
  await eventually('the first two are closed', async () =>
    (await Promise.allSettled(used.slice(0, 2).map(answers))).every(({ status }) => status === 'rejected'),
  );
  await Promise.all(used.slice(2).map(answers));
  expect(worker.getState()).toBe('RUNNING');
  unwatch();
  worker.shutdown();
  await running;
  await link.close();
});

it('is set up once, and again without a change', async () => {
  const temporal = openTemporal({
    ...targetOf({ ...settings, TEMPORAL_NAMESPACE: `setup-${stack.namespace}` }),
    secrets: null,
    retry: false,
  });
  try {
    const states = (steps: { name: string; state: string }[]) => steps.map(({ name, state }) => `${name}: ${state}`);
    const [one, other] = await Promise.all([setUpNamespace(temporal, 3), setUpNamespace(temporal, 3)]);
    expect([...states(one), ...states(other)]).toContain('namespace: created');
    // The namespace is known to every part of a server a moment later.
    await eventually('everything is there', async () => {
      const steps = states(await setUpNamespace(temporal, 3));
      return steps.join() === 'namespace: there,search attributes: there';
    });
    expect(states(await setUpNamespace(temporal, 5))).toEqual(['namespace: there', 'retention: changed', 'search attributes: there']);
    await eventually('the retention is kept', async () => (await setUpNamespace(temporal, undefined))[0]!.what.includes('5 days'));
  } finally {
    await temporal.close();
  }
});

it('says what to create by hand where the server permits nothing, as Temporal Cloud', async () => {
  for (const method of ['RegisterNamespace', 'ListSearchAttributes', 'AddSearchAttributes']) gate.denies.set(method, 7);
  const temporal = openTemporal({
    ...targetOf({ ...settings, TEMPORAL_NAMESPACE: `cloud-${stack.namespace}` }),
    secrets: null,
    retry: false,
  });
  try {
    const steps = await setUpNamespace(temporal, undefined);
    expect(steps[0]).toMatchObject({ name: 'namespace', state: 'by hand', what: expect.stringContaining('tcld namespace create') });
  } finally {
    await temporal.close();
    gate.denies.clear();
  }
});
