import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { McpFailure } from './failures.ts';
import type { Reaper } from './reaper.ts';

/** Bytes of a child's stderr kept for error messages. */
const keptBytes = 2_000;
/** Time between the end of its input and SIGTERM, and between SIGTERM and SIGKILL, in ms. */
const patience = 1_000;

export interface StdioOptions {
  command: string;
  args: string[];
  cwd?: string | undefined;
  env: Record<string, string>;
  reaper: Reaper;
}

/**
 * An MCP server as a child process in its own process group, so that its own children end with it. The SDK's
 * transport ends only the child, and wrappers such as `npx` then leave the server running.
 */
export class GroupedStdio implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  private readonly options: StdioOptions;
  private readonly buffer = new ReadBuffer({ maxBufferSize: 16 * 1024 * 1024 });
  private child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  private exited: Promise<void> = Promise.resolve();
  private closing: Promise<void> | null = null;
  private tail = '';

  constructor(options: StdioOptions) {
    this.options = options;
  }

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** The last lines of its stderr. */
  get lastWords(): string {
    return this.tail.trim();
  }

  async start(): Promise<void> {
    const { command, args, cwd, env, reaper } = this.options;
    const child = spawn(command, args, {
      cwd,
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    this.child = child;
    this.exited = new Promise((done) => {
      child.once('exit', () => done());
      child.once('error', () => done());
    });
    child.stderr.on('data', (chunk: Buffer) => (this.tail = (this.tail + chunk.toString('utf8')).slice(-keptBytes)));
    child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', (error) => this.onerror?.(error));
    child.once('exit', () => void this.end(child));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) =>
        reject(new McpFailure('not_sent', `"${command}" cannot be started (${error.code ?? error.message}).`, { cause: error })),
      );
    });
    if (child.pid !== undefined) reaper.watch(child.pid);
  }

  private take(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A bad line does not affect the others.
        this.onerror?.(error as Error);
      }
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { child } = this;
    if (!child || this.closing || !child.stdin.writable) return Promise.reject(new McpFailure('not_sent', 'Its process has ended.'));
    return new Promise((resolve, reject) => {
      child.stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the child and its children. */
  close(): Promise<void> {
    return (this.closing ??= this.shut());
  }

  private async shut(): Promise<void> {
    const { child } = this;
    if (!child) return;
    child.stdin.end();
    if (!(await within(patience, this.exited))) {
      signalGroup(child.pid, 'SIGTERM');
      await within(patience, this.exited);
    }
    await this.end(child);
  }

  /** Also after a crash: its own children may have survived it. */
  private async end(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
    if (this.child !== child) return;
    this.child = null;
    signalGroup(child.pid, 'SIGTERM');
    if (groupLives(child.pid)) await new Promise((done) => setTimeout(done, 200));
    signalGroup(child.pid, 'SIGKILL');
    if (child.pid !== undefined) this.options.reaper.forget(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
    this.buffer.clear();
    this.onclose?.();
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    // All of them have ended.
    return false;
  }
}

const groupLives = (pid: number | undefined): boolean => signalGroup(pid, 0);

async function within(ms: number, what: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((done) => (timer = setTimeout(() => done(false), ms)));
  const done = await Promise.race([what.then(() => true as const), late]);
  clearTimeout(timer);
  return done;
}
