/** A warm `npm start`, as a user runs it, and the memory of the idle stack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { officialCaller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { memoryOf, type Memory } from '../processes.ts';
import type { Line, Section } from '../report.ts';
import type { Runtime } from '../../platform/config.ts';

const startGoal = 10;
const memoryGoal = 900;

export async function measureStart(context: Context): Promise<Section> {
  const { stack, say } = context;
  await stack.stop();
  const runtimeFile = join(stack.dir, 'runtime.json');
  say('starting on the same folder, as `npm start` does');
  const started = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../cli/signalbox.js', import.meta.url)), 'up'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SIGNALBOX_DATA_DIR: stack.dir,
      MCP_SERVER_PORT: '0',
      TEMPORAL_PORT: '0',
      TEMPORAL_UI_PORT: '0',
      POSTGRES_PORT: '0',
    },
  });
  const ended = once(child, 'exit');
  try {
    const runtime = await eventually('the stack is up', async () => {
      if (child.exitCode !== null) throw new Error(`signalbox up ended with ${child.exitCode}`);
      if (!existsSync(runtimeFile)) return null;
      const written = JSON.parse(readFileSync(runtimeFile, 'utf8')) as Runtime;
      const ready = await fetch(`${written.api}/ready`).catch(() => null);
      return ready?.ok ? written : null;
    });
    const seconds = (performance.now() - started) / 1000;
    const lines: Line[] = [
      {
        path: 'warm start to ready',
        product: `${seconds.toFixed(1)} s`,
        floor: '',
        goal: `≤ ${startGoal} s`,
        met: seconds <= startGoal,
        figures: { seconds },
      },
    ];
    // The command, its Node child and the supervised parts below it.
    const pids = { command: child.pid ?? 0, ...runtime.pids };
    lines.push(...memoryLines('idle after the start', await settled(pids), true));
    const caller = await officialCaller(runtime.mcp, runtime.api_key, '2025');
    await caller.ok('work.board.get', {});
    await caller.ok('index.chunk.search', { query: 'what do customers complain about' });
    await caller.close();
    lines.push(...memoryLines('idle after a first search', await settled(pids), false));
    return {
      title: 'Starting, and idling',
      lines,
      notes: [
        'PSS divides shared pages among their users; "command" is the supervisor. The model is loaded by the first search and let go after five minutes.',
      ],
    };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Memory after three consecutive readings differ by at most one percent. */
async function settled(pids: Record<string, number>): Promise<Record<string, Memory>> {
  const totals: number[] = [];
  return await eventually(
    'memory has settled',
    async () => {
      const memory = ownMemory(pids);
      totals.push(Object.values(memory).reduce((sum, { pss }) => sum + pss, 0));
      const last = totals.slice(-40);
      const steady = last.length === 40 && Math.max(...last) - Math.min(...last) < Math.max(...last) * 0.01;
      return steady ? memory : null;
    },
    180_000,
  );
}

/** Each part with its child processes; the supervisor without its parts. */
function ownMemory(pids: Record<string, number>): Record<string, Memory> {
  const { command = 0, supervisor: _supervisor, ...parts } = pids;
  const memory = memoryOf({ command, ...parts });
  const below = Object.keys(parts).map((name) => memory[name]!);
  const all = memory['command']!;
  const minus = (of: 'rss' | 'pss'): number => all[of] - below.reduce((sum, part) => sum + part[of], 0);
  return { ...memory, command: { rss: minus('rss'), pss: minus('pss') } };
}

const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;

function memoryLines(title: string, memory: Record<string, Memory>, judged: boolean): Line[] {
  const sum = (of: 'rss' | 'pss'): number => Object.values(memory).reduce((total, part) => total + part[of], 0);
  const line = (path: string, part: Memory, rest: Partial<Line> = {}): Line => ({
    path,
    product: `PSS ${mb(part.pss)} (RSS ${mb(part.rss)})`,
    floor: '',
    goal: '',
    figures: { ...part },
    ...rest,
  });
  const total = { pss: sum('pss'), rss: sum('rss') };
  const met = total.pss <= memoryGoal * 2 ** 20;
  return [
    line(`memory, ${title}`, total, { goal: judged ? `PSS ≤ ${memoryGoal} MB` : '', ...(judged ? { met } : {}) }),
    ...Object.entries(memory).map(([name, part]) => line(`  ${name}`, part)),
  ];
}
