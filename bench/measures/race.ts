/** Fifty concurrent agents until no task is left, compared with the same fifty on the floor. */
import { thinCaller, type Caller } from '../clients.ts';
import type { Context } from '../context.ts';
import { floorClaims, type FloorClaims } from '../floor/claims.ts';
import { CpuMeter, stackPids } from '../processes.ts';
import { rate, type Line, type Section } from '../report.ts';
import { median } from '../stats.ts';
import { historiesReach, fillPhase, startedAll } from './tasks.ts';

const goals = { claim: 0.85, cycle: 0.8 };
const tenant = 'race';
const variants = {
  claim: 'claim only, a new agent for each',
  cycle: 'claim and complete',
} as const;
type Variant = keyof typeof variants;

interface Outcome {
  perSecond: number;
  doubled: number;
  lost: number;
}

export async function measureRace(context: Context): Promise<Section> {
  const { runtime } = context.stack;
  const [agents, tasks, rounds] = context.quick ? [50, 300, 2] : [50, 500, 4];
  const thin = thinCaller(runtime.mcp, await context.stack.key({ tenant, role: 'agent', name: 'racer' }));
  const floor = await floorClaims(runtime);
  const outcomes = {
    claim: { product: [] as Outcome[], floor: [] as Outcome[] },
    cycle: { product: [] as Outcome[], floor: [] as Outcome[] },
  };
  const cpu = new CpuMeter(stackPids(runtime, floor));
  let made = 0;

  const meter = (name: string) => (block: () => Promise<void>) => cpu.around(name, block);
  async function productRound(variant: Variant, count: number): Promise<Outcome> {
    const phase = 100 + made++;
    await thin.ok('work.phase.set', { phase_id: phase, name: `race ${phase}` }, {});
    const ids = await fillPhase(thin, phase, count);
    await startedAll(runtime, tenant, ids.slice(-50));
    return await race(
      count,
      agents,
      meter(`product ${variant}`),
      async (agent, turn) => await productTurn(thin, variant, phase, agent, turn),
    );
  }
  async function floorRound(variant: Variant, count: number): Promise<Outcome> {
    await floor.clear();
    const ids = await floor.fill(count);
    await historiesReach(runtime, ids.slice(-50));
    return await race(count, agents, meter(`floor ${variant}`), async (agent) => await floorTurn(floor, variant, agent));
  }

  try {
    // Warms both sides up, so that their first calls do not count.
    await productRound('cycle', 100);
    await floorRound('cycle', 100);
    cpu.reset();
    for (let round = 0; round < rounds; round += 1) {
      for (const variant of Object.keys(variants) as Variant[]) {
        const { product, floor: bare } = outcomes[variant];
        const sides = [
          async () => product.push(await productRound(variant, tasks)),
          async () => bare.push(await floorRound(variant, tasks)),
        ];
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side();
        context.say(`race, ${variants[variant]}: product ${rate(product.at(-1)!.perSecond)}, floor ${rate(bare.at(-1)!.perSecond)}`);
      }
    }
  } finally {
    await thin.close();
    await floor.close();
  }

  const lines = (Object.keys(variants) as Variant[]).map((variant): Line => {
    const product = median(outcomes[variant].product.map((outcome) => outcome.perSecond));
    const bare = median(outcomes[variant].floor.map((outcome) => outcome.perSecond));
    return {
      path: `${agents} agents, ${tasks} tasks: ${variants[variant]}`,
      product: rate(product),
      floor: rate(bare),
      ratio: product / bare,
      goal: `≥ ×${goals[variant]}`,
      met: product / bare >= goals[variant],
      figures: { product: outcomes[variant].product, floor: outcomes[variant].floor },
    };
  });
  const all = Object.values(outcomes).flatMap(({ product }) => product);
  const sum = (of: (outcome: Outcome) => number): number => all.reduce((total, outcome) => total + of(outcome), 0);
  const [doubled, lost] = [sum((outcome) => outcome.doubled), sum((outcome) => outcome.lost)];
  lines.push({
    path: 'tasks claimed twice / never, over all rounds',
    product: `${doubled} / ${lost}`,
    floor: '',
    goal: '0 / 0',
    met: doubled === 0 && lost === 0,
    figures: { doubled, lost, tasks: all.length * tasks },
  });
  lines.push({
    path: 'calls not answered within 15 s and asked again',
    product: String(askedAgain),
    floor: '',
    goal: '0',
    met: askedAgain === 0,
    figures: { askedAgain },
  });
  const costs = (Object.keys(variants) as Variant[]).flatMap((variant) =>
    ['floor', 'product'].map((side) => `  ${variant}, ${side}: ${cpu.perCall(`${side} ${variant}`, rounds * tasks).text}`),
  );
  return {
    title: 'The race',
    lines,
    notes: [
      'Processor milliseconds a task:',
      ...costs,
      `Medians of ${rounds} rounds in turns. The floor completes by a local activity; the product's complete looks for dependants, too.`,
    ],
  };
}

/** Each agent continues until it gets no task. @param turn one claim of an agent; @returns its task, or null */
async function race(
  tasks: number,
  agents: number,
  around: (block: () => Promise<void>) => Promise<void>,
  turn: (agent: number, turn: number) => Promise<string | null>,
): Promise<Outcome> {
  const claimed = new Map<string, number>();
  const started = performance.now();
  let ends: PromiseSettledResult<void>[] = [];
  await around(async () => {
    // allSettled, because the other agents must stop before connections are closed for an error.
    ends = await Promise.allSettled(
      Array.from({ length: agents }, async (_, agent) => {
        for (let n = 0; ; n += 1) {
          const id = await turn(agent, n);
          if (id === null) return;
          claimed.set(id, (claimed.get(id) ?? 0) + 1);
        }
      }),
    );
  });
  const seconds = (performance.now() - started) / 1000;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return {
    perSecond: claimed.size / seconds,
    doubled: [...claimed.values()].filter((times) => times > 1).length,
    lost: tasks - claimed.size,
  };
}

/** Calls that timed out and were repeated. */
let askedAgain = 0;

/** Repeats without an idempotency key: a repeated claim returns the held task, a repeated complete finds it done. */
async function insist<T>(thin: Caller, tool: string, args: object, agent: string): Promise<T | null> {
  for (;;) {
    const answer = await thin.call<T>(tool, args, { agent });
    if (!answer.error) return answer.data;
    const reason = answer.error.details?.['reason'];
    if (reason === 'done' || reason === 'closed') return null;
    if (!answer.error.retryable) throw new Error(`${tool}: ${answer.error.code} ${answer.error.message}`);
    askedAgain += 1;
  }
}

async function productTurn(thin: Caller, variant: Variant, phase: number, agent: number, turn: number): Promise<string | null> {
  // An agent can hold one task, so agents that do not complete tasks need a new name per claim.
  const name = variant === 'claim' ? `racer-${phase}-${agent}-${turn}` : `racer-${phase}-${agent}`;
  const claimed = await insist<{ task: { id: string; fencing_token: number } | null }>(thin, 'work.task.claim', { phase_id: phase }, name);
  const task = claimed?.task;
  if (task && variant === 'cycle') await insist(thin, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token }, name);
  return task?.id ?? null;
}

async function floorTurn(floor: FloorClaims, variant: Variant, agent: number): Promise<string | null> {
  const row = await floor.claim(`racer-${agent}`);
  if (row && variant === 'cycle') await floor.complete(row.id, `racer-${agent}`);
  return row?.id ?? null;
}
