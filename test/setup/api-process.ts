/** An api of a stack as a process of its own, to be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { TestStack } from './stack.ts';

export class ApiProcess {
  private child: ChildProcess | undefined;
  private readonly stack: TestStack;
  private readonly port: number;
  private readonly env: Record<string, string>;

  constructor(stack: TestStack, port: number, env: Record<string, string> = {}) {
    this.stack = stack;
    this.port = port;
    this.env = env;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, SIGNALBOX_DATA_DIR } = this.stack.config;
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../api/main.ts')], {
      env: {
        ...process.env,
        DATABASE_URL,
        TEMPORAL_ADDRESS,
        TEMPORAL_NAMESPACE,
        SIGNALBOX_DATA_DIR,
        MCP_SERVER_PORT: String(this.port),
        EMBEDDING_MODEL_DIR: 'none',
        LOG_LEVEL: 'silent',
        ...this.env,
      },
      stdio: 'ignore',
    });
    const ready = async (): Promise<void> => {
      const { status } = await fetch(`${this.url}/ready`);
      if (status !== 200) throw new Error(`The api is not ready: ${status}`);
    };
    await vi.waitFor(ready, { timeout: 120_000, interval: 100 });
  }

  /** As a deployment does. @returns its exit code */
  async stop(): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    return (await ended)[0];
  }

  /** As a crash does: nothing is finished. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const died = once(child, 'exit');
    child.kill('SIGKILL');
    await died;
  }
}
