/** Further apis and workers beside those of the stack, and how they are restarted one after the other. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../bench/context.ts';
import type { BenchStack } from '../bench/stack.ts';
import { startNodeChild } from '../platform/embedded/child.ts';
import { freePort } from '../platform/embedded/ports.ts';
import { createSupervisor } from '../platform/embedded/supervisor.ts';

/** A process that can be killed and restarted. */
export interface Instance {
  name: string;
  kind: 'api' | 'worker' | 'temporal';
  /** Its address, of an api. */
  url?: string;
  pid(): number | undefined;
}

export interface Several {
  instances: Instance[];
  logs: string[];
  stop(): Promise<void>;
}

const entries = {
  api: fileURLToPath(new URL('../api/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../workers/main.ts', import.meta.url)),
};
const backWithin = 120_000;

/** Starts those that the stack does not have: it has one of each. */
export async function startSeveral(
  stack: BenchStack,
  { apis, workers, onEvent }: { apis: number; workers: number; onEvent(line: string): void },
): Promise<Several> {
  const { runtime } = stack;
  const supervisor = createSupervisor({ stopOrder: [], onEvent });
  const instances: Instance[] = [
    { name: 'api', kind: 'api', url: runtime.api, pid: () => runtime.pids['api'] },
    { name: 'worker', kind: 'worker', pid: () => runtime.pids['worker'] },
  ];
  const logs = [join(stack.logs, 'api.log')];
  const start = async (kind: 'api' | 'worker', name: string): Promise<void> => {
    const port = kind === 'api' ? await freePort(0) : 0;
    const log = join(stack.logs, `${name}.log`);
    const env = {
      SIGNALBOX_DATA_DIR: stack.dir,
      DATABASE_URL: runtime.database_url,
      TEMPORAL_ADDRESS: runtime.temporal,
      TEMPORAL_UI_URL: runtime.temporal_ui,
      EMBEDDING_MODEL_DIR: stack.modelDir ?? 'none',
      MCP_SERVER_PORT: String(port),
    };
    await supervisor.start({
      name,
      log,
      start: (signal) => startNodeChild({ name, file: entries[kind], dataDir: stack.dir, env, log, signal }),
    });
    instances.push({ name, kind, ...(kind === 'api' ? { url: `http://127.0.0.1:${port}` } : {}), pid: () => supervisor.pids()[name] });
    if (kind === 'api') logs.push(log);
  };
  for (let n = 2; n <= apis; n += 1) await start('api', `api-${n}`);
  for (let n = 2; n <= workers; n += 1) await start('worker', `worker-${n}`);
  return { instances, logs, stop: () => supervisor.stop() };
}

/** Whether it runs as another process than before, and an api serves. */
export async function isBack({ pid, url }: Pick<Instance, 'pid' | 'url'>, before: number | undefined): Promise<boolean> {
  const now = pid();
  if (now === undefined || now === before) return false;
  if (!url) return true;
  const ready = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  await ready?.arrayBuffer().catch(() => {});
  return ready?.ok ?? false;
}

/** As a deployment does: each process is asked to stop when the one before serves again. */
export async function rollingRestart(instances: readonly Instance[], say: (line: string) => void): Promise<void> {
  for (const instance of instances) {
    // A deployment restarts what is the product's.
    if (instance.kind === 'temporal') continue;
    const before = instance.pid();
    if (before === undefined) continue;
    const since = Date.now();
    process.kill(before, 'SIGTERM');
    await eventually(`${instance.name} is back`, () => isBack(instance, before), backWithin);
    say(`restarted ${instance.name} in ${((Date.now() - since) / 1000).toFixed(1)} s`);
  }
}
