/** Runs a real command line through its adapter, as the runner does, and ends everything that it started. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Agent, End, Launch, Reader, Verdict } from '../../../cli/runner/agents/agent.ts';
import type { AgentEvent } from '../../../contracts/work/runs.ts';

export interface Run {
  reader: Reader;
  lines: string[];
  events: AgentEvent[];
  pid: number;
  /** Signals the process that was started, not its children. */
  kill(signal: NodeJS.Signals): void;
  /** Ends its group, then whatever carries its mark. */
  killAll(): void;
  /** Processes that were alive when the one that was started had ended, or was ended by `killAll`. */
  readonly left: number[];
  /** Processes that carry its mark. */
  alive(): number[];
  /** Waits until it runs a process with this command line. @throws when it ends before */
  waitFor(command: string): Promise<void>;
  ended: Promise<{ end: End; verdict: Verdict; seconds: number; stderr: string }>;
}

const mark = 'SIGNALBOX_RUN_ID';

export function runAgent(agent: Agent, launch: Launch, where: { programs: string; cwd: string; env: Record<string, string> }): Run {
  for (const { path, content } of launch.files) writeFileSync(path, content, { mode: 0o600 });
  const id = randomUUID();
  const began = performance.now();
  const path = [where.programs, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const child = spawn(launch.command, launch.args, {
    cwd: where.cwd,
    detached: true,
    // Nothing of this process's environment, which may hold keys of real providers.
    env: { PATH: path, LANG: 'C.UTF-8', NO_COLOR: '1', ...where.env, ...launch.env, [mark]: id },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(launch.stdin ?? '');
  const reader = agent.reader();
  const run = { lines: [] as string[], events: [] as AgentEvent[] };
  const take = (line: string): void => {
    if (line === '') return;
    run.lines.push(line);
    run.events.push(...reader.read(line));
  };
  const alive = (): number[] => marked(id);
  const left: number[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    const lines = `${rest}${data}`.split('\n');
    rest = lines.pop()!;
    lines.forEach(take);
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (data: string) => (stderr = `${stderr}${data}`.slice(-20_000)));
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject);
    // A descendant may hold the pipes for as long as it lives; what this process wrote has arrived shortly after its exit.
    child.once('exit', (exitCode, signal) => {
      const close = globalThis.setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, 1_000);
      child.once('close', () => {
        clearTimeout(close);
        resolve({ exitCode, signal });
      });
    });
  }).then((exit) => {
    left.push(...alive());
    take(rest);
    const end = { ...exit, errors: stderr.split('\n').slice(-20).join('\n') };
    return { end, verdict: reader.end(end), seconds: (performance.now() - began) / 1000, stderr };
  });
  const killAll = (): void => {
    signal(-child.pid!);
    for (let others = alive(); others.length > 0; others = alive()) others.forEach(signal);
  };
  // An agent has a group of its own, so Ctrl-C does not reach it.
  process.once('exit', killAll);
  void ended.finally(() => process.off('exit', killAll)).catch(() => {});
  return {
    ...run,
    reader,
    pid: child.pid!,
    kill: (signal) => void child.kill(signal),
    alive,
    async waitFor(command) {
      let over = false;
      void ended.then(() => (over = true));
      while (!alive().some((pid) => commandOf(pid) === command)) {
        if (over) throw new Error(`It ended before it ran "${command}": ${run.lines.slice(-3).join('\n')}`);
        await setTimeout(50);
      }
    },
    killAll,
    left,
    ended,
  };
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** Processes, zombies aside, whose environment has the mark; Linux only. */
function marked(id: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`${mark}=${id}`) &&
          !/\) Z /.test(readFileSync(`/proc/${name}/stat`, 'utf8'))
          ? [Number(name)]
          : [];
      } catch {
        return [];
      }
    });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
