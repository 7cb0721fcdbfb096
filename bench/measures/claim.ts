/** `work.task.claim` over MCP with one caller, compared with pick + update + local activity called directly. */
import type { Context } from '../context.ts';
import { officialCaller, thinCaller } from '../clients.ts';
import { floorClaims } from '../floor/claims.ts';
import { CpuMeter, stackPids } from '../processes.ts';
import { ms, spreadText, type Section } from '../report.ts';
import { spread, takeTurns } from '../stats.ts';
import { fillPhase, startedAll } from './tasks.ts';

const goal = 1.2;

export async function measureClaim(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const [rounds, block, warmUp] = context.quick ? [4, 10, 15] : [12, 20, 40];
  const needed = rounds * block + warmUp;
  const key = await context.stack.key({ tenant: 'claims', role: 'agent', name: 'claimer' });
  const thin = thinCaller(runtime.mcp, key);
  const session = await officialCaller(runtime.mcp, key, '2025');
  const modern = await officialCaller(runtime.mcp, key, '2026');
  const floor = await floorClaims(runtime);
  const callers = { thin, session, modern };
  try {
    context.say(`claim: making ${needed} tasks for each of four contenders`);
    const ids = await fillPhase(thin, 2, 3 * needed);
    await floor.fill(needed);
    await startedAll(runtime, 'claims', ids.slice(-50));

    const cpu = new CpuMeter(stackPids(runtime, floor));
    const claims = { thin: 0, session: 0, modern: 0, floor: 0 };
    const claimWith = (name: keyof typeof callers) => async (): Promise<void> => {
      // A new agent for each claim, because an agent can hold only one task.
      const agent = `${name}-${claims[name]++}`;
      const { task } = await callers[name].ok<{ task: { assigned_agent_id: string } | null }>(
        'work.task.claim',
        { phase_id: 2 },
        { agent },
      );
      if (task?.assigned_agent_id !== agent) throw new Error(`the claim of ${agent} was answered with ${JSON.stringify(task)}`);
    };
    const times = await takeTurns(
      {
        floor: async () => {
          if (!(await floor.claim(`agent-${claims.floor++}`))) throw new Error('the floor ran out of tasks');
        },
        thin: claimWith('thin'),
        session: claimWith('session'),
        modern: claimWith('modern'),
      },
      { rounds, block, warmUp, around: cpu.around },
    );
    const base = spread(times.floor);
    const line = (path: string, name: keyof typeof callers, judged: boolean) => {
      const product = spread(times[name]);
      const ratio = product.p50 / base.p50;
      return {
        path,
        product: spreadText(product),
        floor: `p50 ${ms(base.p50)} ms`,
        ratio,
        goal: judged ? `p50 ≤ ×${goal}` : '',
        ...(judged ? { met: ratio <= goal } : {}),
        figures: { product, floor: base, cpu: cpu.perCall(name, base.n).parts, floorCpu: cpu.perCall('floor', base.n).parts },
      };
    };
    return {
      title: 'Claiming, one caller',
      lines: [
        line('work.task.claim, plain JSON-RPC posts', 'thin', true),
        line('work.task.claim, official client, session (2025)', 'session', false),
        line('work.task.claim, official client, stateless (2026)', 'modern', false),
      ],
      notes: [
        'Processor milliseconds a call:',
        ...(['floor', 'thin', 'session', 'modern'] as const).map((name) => `  ${name}: ${cpu.perCall(name, base.n).text}`),
        `Floor: SKIP LOCKED pick, update of a minimal workflow, local activity writing its row. ${base.n} calls each, in turns of ${block}.`,
      ],
    };
  } finally {
    await Promise.allSettled([thin, session, modern].map((caller) => caller.close()));
    await floor.close();
  }
}
