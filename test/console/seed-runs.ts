/** Runs of coding agents, made by the tools as a runner makes them: one at work, one to review, one that asks. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { WorkRun } from '../../contracts/work/runs.ts';
import type { Task } from '../../contracts/work/work.ts';
import type { TestStack } from '../setup/stack.ts';

let phases = 700;
let runners = 0;

/** A phase of its own, so that no other test's worker gets its tasks. */
export async function freshPhase(stack: TestStack, person: Caller, fields: object = {}): Promise<number> {
  phases += 1;
  await stack.ok(person, 'work.phase.set', { phase_id: phases, name: `Phase ${phases}`, needs_review: true, ...fields });
  return phases;
}

export interface Opened {
  task: string;
  run: string;
  runner: Caller;
  held: { run_id: string; fencing_token: number };
}

/** A task, claimed by a runner, with its run opened. */
export async function openRun(stack: TestStack, person: Caller, description: string, fields: object = {}, phase?: number): Promise<Opened> {
  const phase_id = phase ?? (await freshPhase(stack, person));
  const runner = await stack.caller({ role: 'agent', name: `runner/desk/${(runners += 1)}` });
  await stack.ok(person, 'work.task.create', { description, phase_id });
  return await openAgain(stack, runner, phase_id, fields);
}

/** The next task of a phase. */
export async function openAgain(stack: TestStack, runner: Caller, phase_id: number, fields: object = {}): Promise<Opened> {
  const { task } = await stack.ok<{ task: Task }>(runner, 'work.task.claim', { phase_id });
  const lease = { task_id: task.id, fencing_token: task.fencing_token! };
  const { run } = await stack.ok<{ run: WorkRun }>(runner, 'work.run.open', {
    ...lease,
    agent: 'codex',
    agent_version: '1.2.3',
    host: 'desk',
    repository: 'https://git.example/shop',
    branch: `signalbox/${task.id}`,
    base: 'main',
    base_commit: 'abc1234',
    with_key: false,
    ...fields,
  });
  return { task: task.id, run: run.id, runner, held: { run_id: run.id, fencing_token: lease.fencing_token } };
}

let numbers = new Map<string, number>();
/** Appends events with the next numbers. */
export async function say(stack: TestStack, { runner, held, run }: Opened, events: object[], more: object = {}): Promise<void> {
  const from = numbers.get(run) ?? 0;
  numbers = numbers.set(run, from + events.length);
  const at = new Date().toISOString();
  await stack.ok(runner, 'work.run.append', { ...held, events: events.map((event, i) => ({ seq: from + i + 1, at, ...event })), ...more });
}

/** A file's new lines as a diff. */
export const diffOf = (path: string, lines: string[], removed: string[] = []): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -10,${removed.length + 1} +10,${lines.length + 1} @@ export function pay() {\n first\n${removed.map((line) => `-${line}\n`).join('')}${lines.map((line) => `+${line}\n`).join('')}`;

export async function storePatch(stack: TestStack, runner: Caller, diff: string): Promise<string> {
  const { sha256 } = await stack.ok<{ sha256: string }>(runner, 'substrate.artifact.upload', {
    content: diff,
    media_type: 'text/plain',
  });
  return sha256;
}

/** Ends a run with a diff and checks. */
export async function handIn(stack: TestStack, opened: Opened, diff: string, end: object = {}): Promise<void> {
  await stack.ok(opened.runner, 'work.run.close', {
    ...opened.held,
    outcome: 'done',
    summary: 'Built **it**.',
    head_commit: 'def5678',
    commits: 2,
    files_changed: 2,
    insertions: 12,
    deletions: 3,
    patch_artifact: await storePatch(stack, opened.runner, diff),
    checks: [
      { command: 'npm test', exit_code: 0, seconds: 12.5, output: '14 passed' },
      { command: 'npm run lint', exit_code: 1, seconds: 2, output: 'src/pay.ts:11 no-unused-vars' },
    ],
    usage: { input_tokens: 12_000, output_tokens: 3_000, cached_tokens: 9_000, cost_usd: 0.42 },
    ...end,
  });
}

/**
 * A task with runs of every kind by SQL, for tests without workers.
 * @param text where agents and people write @returns addresses of screens that show it
 */
export async function seedRuns(stack: TestStack, text: string, tenant = 'acme'): Promise<string[]> {
  const sql = (statement: string, ...values: unknown[]) => asTenant(tenant, () => stack.db.query(statement, [tenant, ...values]));
  const runner = await stack.caller({ tenant, role: 'agent', name: 'runner/seed' });
  const short = text.slice(0, 200);
  const patch = await storePatch(stack, runner, diffOf('src/pay.ts', [short, 'const b = 2;'], ['old']) + diffOf('docs/a b.md', ['one']));
  await sql(`insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts,
      attempts, fencing_token, rev, assigned_agent_id, started_at)
    values ($1, 'task_runs', 'Pay by card', 1, 'high', 0, 'review', 'ann', 600, 3, 2, 2, 2, 'runner/seed', now())`);
  await sql(
    `insert into work_runs (tenant_id, id, task_id, phase_id, fencing_token, attempt, agent, agent_version, worker, principal, line, host, branch, base,
       base_commit, head_commit, merge, outcome, summary, reason, checks, commits, files_changed, insertions, deletions, patch_artifact, input_tokens,
       output_tokens, cost_usd, next_seq, head_to, tail_from, final, started_at, last_event_at, ended_at)
     select $1, 'wrun_seed' || n, 'task_runs', 1, n, n, 'codex', '1.2', 'runner/seed', 'runner/seed', 'k', 'desk', 'signalbox/runs', 'main', 'abc1234', 'def5678',
       'merge', case n when 1 then 'failed' else 'done' end, $2, case n when 1 then $2 end, $3, 1, 2, 3, 1, $4, 1000, 200, 0.5, 6, 5, 6,
       case n when 1 then 'failed' end, now() - make_interval(hours => 3 - n), now(), now() from generate_series(1, 2) n`,
    text.slice(0, 2_000),
    JSON.stringify([
      { command: 'npm test', exit_code: 0, seconds: 3, output: 'ok' },
      { command: short, exit_code: 1, seconds: 3, output: text.slice(0, 2_000) },
    ]),
    patch,
  );
  await sql(
    `insert into work_run_events (tenant_id, run_id, seq, at, kind, text, data, bytes)
     select $1, 'wrun_seed2', n, now(), (array['text', 'tool', 'tool_result', 'file', 'notice'])[n], $2, jsonb_build_object('name', left($2, 80)), 1
     from generate_series(1, 5) n`,
    text.slice(0, 4_000),
  );
  await sql(
    `insert into work_comments (tenant_id, id, task_id, author, body, run_id, path, line) values ($1, 'comment_seed', 'task_runs', 'ann', $2, 'wrun_seed2', 'src/pay.ts', 11)`,
    text.slice(0, 2_000),
  );
  const task = '/console/work/task_runs';
  return [
    task,
    `${task}?part=steps`,
    `${task}?part=checks`,
    `${task}?run=wrun_seed1`,
    '/console/system?tab=agents',
    '/console/inbox?id=wrun_seed2',
  ];
}
