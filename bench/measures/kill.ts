/** A worker killed during claims: how long no claim succeeds, and whether acknowledged work is lost. */
import { randomUUID } from 'node:crypto';
import { thinCaller, type Answer, type Caller } from '../clients.ts';
import { eventually, type Context } from '../context.ts';
import { ms, type Section } from '../report.ts';
import { fillPhase, startedAll } from './tasks.ts';

const goalMs = 5_000;
const tenant = 'kill';
const phase = 2;

interface Task {
  id: string;
  status: string;
  fencing_token: number;
}

export async function measureKill(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const [agents, tasks, kills] = context.quick ? [20, 300, 1] : [20, 900, 3];
  const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant, role: 'agent', name: 'survivor' }));
  try {
    context.say(`kill: making ${tasks} tasks`);
    const ids = await fillPhase(thin, phase, tasks);
    await startedAll(runtime, tenant, ids.slice(-50));

    const claimedAt: number[] = [];
    const killedAt: number[] = [];
    const claimed = new Map<string, number>();
    const completed = new Set<string>();
    let doubled = 0;
    const agent = async (name: string): Promise<void> => {
      for (;;) {
        const { task } = await persist<{ task: Task | null }>(thin, 'work.task.claim', { phase_id: phase }, name);
        if (!task) return;
        claimedAt.push(performance.now());
        if (claimed.get(task.id) === task.fencing_token) doubled += 1;
        claimed.set(task.id, task.fencing_token);
        await persist(thin, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token }, name);
        completed.add(task.id);
      }
    };
    const killer = async (): Promise<void> => {
      for (let kill = 1; kill <= kills; kill += 1) {
        await eventually('enough is claimed', () => Promise.resolve(claimedAt.length >= (tasks * kill) / (kills + 1)), 600_000);
        const pid = runtime.pids['worker'] ?? 0;
        process.kill(pid, 'SIGKILL');
        killedAt.push(performance.now());
        await eventually('the worker is back', () => Promise.resolve((runtime.pids['worker'] ?? pid) !== pid), 60_000);
        context.say(`kill ${kill}: the worker is ready again after ${ms(performance.now() - killedAt.at(-1)!)} ms`);
      }
    };
    await Promise.all([killer(), ...Array.from({ length: agents }, (_, i) => agent(`survivor-${i}`))]);

    const gaps = killedAt.map((at) => longestGap(claimedAt, at));
    const worst = Math.max(...gaps);
    let lost = 0;
    for (const id of completed) {
      const { task } = await thin.ok<{ task: Task }>('work.task.get', { task_id: id });
      if (task.status !== 'done') lost += 1;
    }
    const missing = ids.filter((id) => !completed.has(id)).length;
    return {
      title: 'A worker killed with -9 under claims',
      lines: [
        {
          path: `longest time without a claim, ${kills} kill${kills > 1 ? 's' : ''}`,
          product: `${(worst / 1000).toFixed(1)} s`,
          floor: '',
          goal: `≤ ${goalMs / 1000} s`,
          met: worst <= goalMs,
          figures: { gaps },
        },
        {
          path: 'completes lost / tasks left over / claimed twice under one token',
          product: `${lost} / ${missing} / ${doubled}`,
          floor: '',
          goal: '0 / 0 / 0',
          met: lost + missing + doubled === 0,
          figures: { lost, missing, doubled, tasks },
        },
      ],
      notes: [`${agents} agents claim and complete; unknown outcomes are repeated under the same idempotency key.`],
    };
  } finally {
    await thin.close();
  }
}

/** The same call under the same key until its outcome is known. */
async function persist<T>(thin: Caller, tool: string, args: object, agent: string): Promise<T> {
  const idempotencyKey = randomUUID();
  for (;;) {
    const answer: Answer<T> | null = await thin.call<T>(tool, args, { agent, idempotencyKey }).catch(() => null);
    if (answer && !answer.error) return answer.data;
    const retry = answer === null || answer.error?.retryable === true || /still running/.test(answer.error?.message ?? '');
    if (!retry) throw new Error(`${tool}: ${answer?.error?.code} ${answer?.error?.message}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The longest pause between two events whose later one is after `at`; looks no further than the next event. */
function longestGap(events: number[], at: number): number {
  let worst = 0;
  for (let i = 1; i < events.length; i += 1) {
    const [before, after] = [events[i - 1]!, events[i]!];
    if (after > at && before < at + 30_000) worst = Math.max(worst, after - before);
  }
  return worst;
}
