import type { Database } from '../../../adapters/postgres/database.ts';
import { isSettled, isTerminal, type MessageJson, type Plan } from '../../../contracts/agents/a2a.ts';
import type { A2aNext, A2aRef, A2aStanding } from '../../../contracts/activities/a2a.ts';
import type { Front } from '../../../contracts/caller.ts';
import type { Envelope } from '../../../contracts/envelope.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import type { Draft } from '../../../contracts/authoring/authoring.ts';
import type { Approval } from '../../../contracts/governance/policy.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import { watchMade, watchedTask, workArguments, workTool } from '../../work/index.ts';
import { perform } from './perform.ts';
import { changeA2aTask, findA2aTask, saidBy, standingOf, tellProgress, type A2aChange, type A2aTaskRow } from './tasks-records.ts';
import { draftChange, jobChange, resultChange, workChange } from './tasks-result.ts';

/** A tool call as activities make it on behalf of somebody (activities/kernel/execute.ts). */
type Call = (execution: {
  tenant: string;
  keyId: string;
  principal: string;
  front: Front;
  tool: string;
  arguments: Record<string, unknown>;
  callKey: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total?: number, message?: string) => void;
}) => Promise<Envelope>;

interface Parts {
  db: Database;
  jobs: Jobs;
  /** A call that waits for a person; null when it is none of that name. */
  approval: (tenant: string, id: string) => Promise<Approval | null>;
  /** A report or an artifact that is ready. */
  draft: (tenant: string, id: string) => Promise<Draft>;
  /** What a task's messages ask for, oldest first. */
  plan: (messages: MessageJson[]) => Plan;
  /** Progress was told beside the task's process. */
  changed: (ref: A2aRef) => Promise<void>;
}

/** Time between two told steps of progress, in ms. */
const tellEvery = 1_000;

/** What a task's process does with it, turn by turn. Each step writes under the revision it is given, once. */
export class A2aTurns {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async load({ tenant, id }: A2aRef): Promise<A2aStanding | null> {
    const row = await findA2aTask(this.parts.db.query, tenant, id);
    return row ? await this.standing(row) : null;
  }

  /** Understands what is asked for, and shows that it does. */
  async plan(ref: A2aRef, rev: number): Promise<A2aStanding & { next: A2aNext }> {
    const row = await this.row(ref);
    const plan = this.planOf(row);
    const after = row.rev >= rev ? row : await this.change(ref, rev, opening(plan));
    const going = after.state === 'working' || plan.kind === 'script';
    const next = isTerminal(after.state) || !going ? 'none' : plan.kind;
    return { ...(await this.standing(after)), next: next === 'call' || next === 'work' || next === 'script' ? next : 'none' };
  }

  /** Calls the planned tool. @returns `job` when it goes on as one */
  async call(ref: A2aRef, rev: number, call: Call, signal: AbortSignal): Promise<A2aStanding & { job?: string }> {
    const row = await this.row(ref);
    if (row.rev >= rev || isSettled(row.state)) return await this.standing(row);
    const plan = this.planOf(row);
    if (plan.kind !== 'call') throw new AppError('CONFLICT', 'What was asked for is understood otherwise now.', { hint: 'Send it again.' });
    const told = this.progress(row);
    let called = plan.tool;
    const envelope = await perform(plan, saidBy(row), (tool, args, step) => {
      called = step === 'main' ? tool : called;
      return call({
        tenant: ref.tenant,
        keyId: row.key_id,
        principal: row.principal,
        front: 'a2a',
        tool,
        arguments: args,
        callKey: `${turnOf(row)}-${step}`,
        signal,
        onProgress: told.tell,
      });
    });
    await told.settled();
    // Cancelled: whatever came back, it is not wanted any more.
    signal.throwIfAborted();
    const later = envelope.status === 'accepted' ? 'job' : envelope.status === 'pending_approval' ? 'approval' : null;
    const job = later === null ? undefined : envelope.refs.find(({ type }) => type === later)?.id;
    if (job !== undefined) return { ...(await this.standing(row)), job };
    if (envelope.error?.retryable && envelope.error.code === 'SERVICE_UNAVAILABLE') {
      throw new AppError('SERVICE_UNAVAILABLE', envelope.error.message);
    }
    return await this.standing(await this.change(ref, rev, resultChange(turnOf(row), called, envelope)));
  }

  /** Looks at the job that the call became, and tells how far it is or how it ended. */
  async follow(ref: A2aRef, rev: number, jobId: string): Promise<A2aStanding> {
    const row = await this.row(ref);
    if (row.rev >= rev || isSettled(row.state)) return await this.standing(row);
    const approval = await this.parts.approval(ref.tenant, jobId);
    if (approval) return await this.followApproval(ref, rev, row, approval);
    const job = await this.parts.jobs.get(ref.tenant, jobId);
    if (job.kind === 'draft' && job.status === 'completed') {
      const draft = await this.parts.draft(ref.tenant, (job.result as { draft: string }).draft);
      return await this.standing(await this.change(ref, rev, draftChange(turnOf(row), draft)));
    }
    if (job.status === 'completed' || job.status === 'failed' || job.status === 'cancelled') {
      return await this.standing(await this.change(ref, rev, jobChange(turnOf(row), row.tool ?? job.kind, job)));
    }
    const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
    const text = `${job.title}: ${stage ?? job.status}${total === undefined ? '' : ` ${done ?? 0} of ${total}`}`;
    if (textOf(row) === text) return await this.standing(row);
    return await this.standing(await this.change(ref, rev, { state: 'working', parts: [{ text }], passing: true }));
  }

  /** What a person's decision makes of the task. */
  private async followApproval(ref: A2aRef, rev: number, row: A2aTaskRow, approval: Approval): Promise<A2aStanding> {
    const answer = approval.answer as Envelope | null;
    if (answer) {
      const work = this.planOf(row).kind === 'work';
      return await this.standing(
        await this.change(ref, rev, work ? await this.onBoard(ref, answer) : resultChange(turnOf(row), row.tool ?? approval.tool, answer)),
      );
    }
    const over = !['pending', 'approved', 'started'].includes(approval.status);
    const said = approval.note ? `: ${approval.note}` : '.';
    const text = over ? `The call was not made (${approval.status})${said}` : `Waits for a person's approval: ${approval.reason}`;
    if (!over && textOf(row) === text) return await this.standing(row);
    return await this.standing(await this.change(ref, rev, { state: over ? 'failed' : 'working', parts: [{ text }] }));
  }

  /** Puts what was asked for on the board, as any call of the tool that does. @returns `job` when it waits for a person */
  async openWork(ref: A2aRef, rev: number, call: Call): Promise<A2aStanding & { job?: string }> {
    const row = await this.row(ref);
    if (row.rev >= rev || isSettled(row.state)) return await this.standing(row);
    const plan = this.planOf(row);
    if (plan.kind !== 'work') throw new AppError('CONFLICT', 'What was asked for is understood otherwise now.', { hint: 'Send it again.' });
    let args: Record<string, unknown>;
    try {
      args = workArguments(plan.wanted, { a2a_task: row.id, a2a_context: row.context_id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const parts = [{ text: `${error.message} ${error.hint ?? ''}`.trim() }];
      return await this.standing(await this.change(ref, rev, { state: 'input_required', parts }));
    }
    const envelope = await call({
      tenant: ref.tenant,
      keyId: row.key_id,
      principal: row.principal,
      front: 'a2a',
      tool: workTool,
      arguments: args,
      callKey: `${turnOf(row)}-work`,
    });
    if (envelope.error?.retryable) throw new AppError('SERVICE_UNAVAILABLE', envelope.error.message);
    const job = envelope.status === 'pending_approval' ? envelope.refs.find(({ type }) => type === 'approval')?.id : undefined;
    if (job !== undefined) return { ...(await this.standing(row)), job };
    return await this.standing(await this.change(ref, rev, await this.onBoard(ref, envelope)));
  }

  /** What the board's answer makes of the task. */
  private async onBoard({ tenant, id }: A2aRef, envelope: Envelope): Promise<A2aChange> {
    const { error } = envelope;
    const workTaskId = error ? null : await watchMade(this.parts.db, tenant, envelope, workflowIds.a2aTask(tenant, id));
    if (workTaskId !== null)
      return { state: 'working', workTaskId, parts: [{ text: `On the board as ${workTaskId}: waiting for an agent.` }] };
    const text = [error?.message ?? 'No task was made.', error?.suggestion ?? ''].filter(Boolean).join('\n');
    const mendable = error?.code === 'VALIDATION_ERROR' || error?.code === 'NOT_FOUND';
    return { state: mendable ? 'input_required' : 'failed', parts: [{ text }] };
  }

  /** Tells what has become of the task on the board. */
  async tellWork(ref: A2aRef, rev: number): Promise<A2aStanding> {
    const row = await this.row(ref);
    const work = row.work_task_id === null ? null : await watchedTask(this.parts.db, ref.tenant, row.work_task_id);
    if (!work || row.rev >= rev || isSettled(row.state)) return await this.standing(row);
    if (work.status === 'done') return await this.standing(await this.change(ref, rev, workChange(turnOf(row), work)));
    if (work.status === 'failed') {
      const parts = [{ text: work.failure ?? 'The work failed.' }];
      return await this.standing(await this.change(ref, rev, { state: 'failed', parts }));
    }
    const text = work.progress ?? (work.agent ? `${work.agent} works on it.` : 'Waiting for an agent.');
    if (textOf(row) === text) return await this.standing(row);
    return await this.standing(await this.change(ref, rev, { state: 'working', parts: [{ text }], passing: true }));
  }

  async play(ref: A2aRef, rev: number, index: number): Promise<A2aStanding & { holdMs: number | null }> {
    const row = await this.row(ref);
    const plan = this.planOf(row);
    const steps = plan.kind === 'script' ? plan.steps : [];
    const step = steps[index];
    const holdMs = index + 1 >= steps.length ? null : step?.kind === 'status' ? (step.holdMs ?? 0) : 0;
    if (!step || row.rev >= rev || isTerminal(row.state)) return { ...(await this.standing(row)), holdMs };
    const change: A2aChange =
      step.kind === 'artifact'
        ? { artifact: step }
        : { state: step.state, ...(step.text === undefined ? {} : { parts: [{ text: step.text }] }) };
    return { ...(await this.standing(await this.change(ref, rev, change))), holdMs };
  }

  async end(ref: A2aRef, rev: number, state: 'canceled' | 'failed', text: string): Promise<A2aStanding> {
    return await this.standing(await this.change(ref, rev, { state, parts: [{ text }] }));
  }

  private planOf(row: A2aTaskRow): Plan {
    return this.parts.plan(saidBy(row));
  }

  private standing(row: A2aTaskRow): Promise<A2aStanding> {
    return standingOf(this.parts.db.query, row);
  }

  private async row({ tenant, id }: A2aRef): Promise<A2aTaskRow> {
    const row = await findA2aTask(this.parts.db.query, tenant, id);
    if (!row) throw notFound('A2A task', id);
    return row;
  }

  private async change({ tenant, id }: A2aRef, rev: number, change: A2aChange): Promise<A2aTaskRow> {
    const row = await changeA2aTask(this.parts.db, tenant, id, rev, change);
    if (!row) throw notFound('A2A task', id);
    return row;
  }

  /** Progress as status messages, one a second at most; what cannot be told is left out. */
  private progress(row: A2aTaskRow) {
    let last = -Infinity;
    let telling: Promise<unknown> = Promise.resolve();
    return {
      tell: (done: number, total?: number, message?: string): void => {
        const now = performance.now();
        if (now - last < tellEvery) return;
        last = now;
        const text = message ?? `${done}${total === undefined ? '' : ` of ${total}`}`;
        telling = telling
          .then(() => tellProgress(this.parts.db, row.tenant_id, row.id, row.rev, text))
          .then((told) => (told ? this.parts.changed({ tenant: row.tenant_id, id: row.id }) : undefined))
          .catch(() => {});
      },
      settled: () => telling,
    };
  }
}

/** Names a turn of the conversation: repeated, a tool acts once. */
const turnOf = (row: A2aTaskRow): string => `${row.id}-${saidBy(row).length}`;

const textOf = (row: A2aTaskRow): string | undefined => row.status_message?.parts[0]?.text;

/** What understanding alone makes of the task. */
function opening(plan: Plan): A2aChange {
  switch (plan.kind) {
    case 'call':
      return { state: 'working', skill: plan.skill, tool: plan.tool };
    case 'work':
      return { state: 'working', skill: plan.skill };
    case 'ask':
      return { state: 'input_required', parts: [{ text: plan.text }], ...(plan.skill === undefined ? {} : { skill: plan.skill }) };
    case 'reject':
      return { state: 'rejected', parts: [{ text: plan.text }] };
    case 'message':
      return { answer: plan.parts };
    case 'script':
      return {};
  }
}
