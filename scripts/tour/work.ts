import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../contracts/work/work.ts';
import type { Agent } from './agent.ts';
import { expect, seconds, type Tell } from './narrate.ts';

/** Separate phases, so that the tour's agents never claim real work. */
const phases = [
  { id: 901, name: 'tour: plan' },
  { id: 902, name: 'tour: build' },
  { id: 903, name: 'tour: verify' },
];

/** Key, phase, description, and what must be done first. */
const steps: [key: string, phase: number, description: string, after: string[]][] = [
  ['hood', 901, 'Get offers for a rain hood', []],
  ['cause', 901, 'Find out why bookings arrive twice', []],
  ['order', 901, 'Decide in which order boats are fitted', []],
  ['fit', 902, 'Fit the hood on one boat', ['hood', 'order']],
  ['refuse', 902, 'Refuse a scan number that is already booked', ['cause']],
  ['books', 902, "Correct last month's books", ['cause']],
  ['rain', 903, 'Scan a thousand tickets in the rain', ['fit']],
  ['network', 903, 'Cut the network in the middle of a crossing', ['refuse', 'books']],
];

export interface Plan {
  phases: { id: number; name: string }[];
  tag: string;
  ids: string[];
  blockers: Map<string, string[]>;
  /** The task of the agent that will die. */
  first: string;
  link: string | undefined;
}

export async function planWork(me: Agent, run: string, tell: Tell): Promise<Plan> {
  for (const phase of phases) await me.ok('work.phase.set', { phase_id: phase.id, name: phase.name, needs_review: false });
  const tag = `tour-${run}`;
  const byKey = new Map<string, string>();
  const blockers = new Map<string, string[]>();
  let link: string | undefined;
  for (const [key, phase_id, description, after] of steps) {
    const blocked_by = after.map((name) => byKey.get(name)!);
    const filed = await me.call(
      'work.task.create',
      { description, phase_id, blocked_by, tags: ['tour', tag], lease_seconds: 30 },
      `${tag}-${key}`,
    );
    expect(!filed.error, `"${description}" is filed (${filed.error?.message})`);
    const { task } = filed.data as { task: Task };
    expect(task.status === (after.length > 0 ? 'blocked' : 'ready'), `"${description}" starts ${after.length > 0 ? 'blocked' : 'ready'}`);
    byKey.set(key, task.id);
    blockers.set(task.id, blocked_by);
    link ??= filed.refs.find((ref) => ref.url)?.url;
  }
  tell(`${steps.length} tasks, ${[...blockers.values()].filter((list) => list.length > 0).length} of them waiting for others.`);
  const [key, phase_id, description] = steps[0]!;
  const again = await me.ok<{ task: Task }>(
    'work.task.create',
    { description, phase_id, blocked_by: [], tags: ['tour', tag], lease_seconds: 30 },
    `${tag}-${key}`,
  );
  expect(again.task.id === byKey.get(key), 'a repeated call under one idempotency key files one task');
  tell('The first is filed twice under one idempotency key: it is one task.');
  return { phases, tag, ids: [...byKey.values()], blockers, first: byKey.get(key)!, link };
}

interface Done {
  agent: string;
  task: string;
  token: number;
}

/** The task of an agent that died, and its next holder. */
interface Inheritance {
  task: string;
  from: string;
  onTaken(): Promise<void>;
}

/** All agents in parallel: claim a ready task, work, complete, until every task of the plan is done. */
export async function race(team: Agent[], plan: Plan, lost: Inheritance, tell: Tell): Promise<void> {
  const started = performance.now();
  const done: Done[] = [];
  const claims = new Set<string>();
  const finished = (id: string): boolean => done.some((each) => each.task === id);
  const deadline = started + 60_000;

  const finish = async (agent: Agent, task: Task): Promise<void> => {
    const token = task.fencing_token!;
    const claim = `${task.id} ${token}`;
    expect(!claims.has(claim), `${claim} is claimed once`);
    claims.add(claim);
    const early = plan.blockers.get(task.id)?.filter((id) => !finished(id)) ?? [];
    expect(early.length === 0, `${task.id} waits for ${early.join(', ')}`);
    if (task.id === lost.task) {
      tell(
        `${seconds(performance.now() - started)}: the lease of ${lost.from} lapsed, ${agent.name} is given ${task.id} with token ${token}.`,
      );
      await lost.onTaken();
    }
    await sleep(100 + Math.random() * 200);
    await agent.ok('work.task.heartbeat', { task_id: task.id, fencing_token: token, progress: 'half way' });
    await sleep(100 + Math.random() * 200);
    // Before the call, because others may claim the unblocked tasks before its answer arrives.
    done.push({ agent: agent.name, task: task.id, token });
    await agent.ok('work.task.complete', { task_id: task.id, fencing_token: token, result: `done by ${agent.name}` });
  };

  await Promise.all(
    team.map(async (agent) => {
      while (!plan.ids.every(finished)) {
        expect(performance.now() < deadline, 'all tasks are done within a minute');
        const task = await claimAny(agent, plan);
        if (task) await finish(agent, task);
        else await sleep(150);
      }
    }),
  );
  const ours = done.filter((each) => plan.ids.includes(each.task));
  expect(ours.length === plan.ids.length, 'every task is completed exactly once');
  const taken = ours.find((each) => each.task === lost.task);
  expect(taken !== undefined && taken.token >= 2, 'the second lease has a higher token');
  tell(
    `${ours.length} tasks done: ${team.map((agent) => `${agent.name} ${ours.filter((each) => each.agent === agent.name).length}`).join(', ')}. None twice, none before what it waits for.`,
  );
}

async function claimAny(agent: Agent, plan: Plan): Promise<Task | null> {
  for (const phase of plan.phases) {
    const { task } = await agent.ok<{ task: Task | null }>('work.task.claim', { phase_id: phase.id });
    if (task) return task;
  }
  return null;
}
