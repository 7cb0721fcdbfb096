import { isSettled, isTerminal, type A2aState, type MessageJson, type Plan } from '../../../contracts/agents/a2a.ts';
import type { A2aNext, A2aRef, A2aStanding } from '../../../contracts/activities/agents/a2a.ts';
import type { Envelope } from '../../../contracts/envelope.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import type { Draft } from '../../../contracts/authoring/authoring.ts';
import type { Approval } from '../../../contracts/governance/policy.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import { planOf } from '../../../engines/intents/router.ts';
import { skills } from '../../../engines/intents/skills.ts';
import type { Execute } from '../../kernel/execution.ts';
import { isUnfinished } from '../../kernel/jobs.ts';
import { Service } from '../../kernel/service.ts';
import { watchMade } from '../../work/index.ts';
import { goesOnAs, onBehalf, putOnBoard, workOf } from '../asked.ts';
import { perform } from './perform.ts';
import { scriptedPlan } from './scripted.ts';
import { changeA2aTask, findA2aTask, saidBy, standingOf, tellProgress, type A2aChange, type A2aTaskRow } from './tasks-records.ts';
import { draftChange, jobChange, resultChange, workChange } from './tasks-result.ts';

interface Parts {
  /** A call that waits for a person; null when it does not exist. */
  approval: (tenant: string, id: string) => Promise<Approval | null>;
  /** A report or an artifact that is ready. */
  draft: (tenant: string, id: string) => Promise<Draft>;
  /** Whether message ids select scripted behaviour (test switch). */
  scripted: boolean;
  /** Called after progress was written without the task's workflow. */
  changed: (ref: A2aRef) => Promise<void>;
}

type Stepped = A2aStanding & { job?: string };

/** Minimum time between two progress messages, in ms. */
const tellEvery = 1_000;

/** The steps of a task's workflow, turn by turn. Each step writes its revision at most once. */
export class A2aTurns extends Service<'jobs', Parts> {
  async load({ tenant, id }: A2aRef): Promise<A2aStanding | null> {
    const row = await findA2aTask(this.db.query, tenant, id);
    return row ? await this.standing(row) : null;
  }

  /** Finds out what the messages ask for, and writes that the task is working. */
  async plan(ref: A2aRef, rev: number): Promise<A2aStanding & { next: A2aNext }> {
    const row = await this.row(ref);
    const plan = this.planOf(row);
    const after = row.rev >= rev ? row : await this.change(ref, rev, opening(plan));
    const going = after.state === 'working' || plan.kind === 'script';
    const next = isTerminal(after.state) || !going ? 'none' : plan.kind;
    return { ...(await this.standing(after)), next: next === 'call' || next === 'work' || next === 'script' ? next : 'none' };
  }

  /** Calls the planned tool. @returns `job` when the call continues as a job */
  async call(ref: A2aRef, rev: number, execute: Execute, signal: AbortSignal): Promise<Stepped> {
    return await this.step(ref, rev, async (row) => {
      const plan = this.planned(row, 'call');
      const told = this.progress(row);
      const call = onBehalf(row, row.principal, execute);
      let called = plan.tool;
      const envelope = await perform(plan, saidBy(row), (tool, args, step) => {
        called = step === 'main' ? tool : called;
        return call(tool, args, `${turnOf(row)}-${step}`, { signal, onProgress: told.tell });
      });
      await told.settled();
      // The task was cancelled: drop the answer.
      signal.throwIfAborted();
      const job = goesOnAs(envelope);
      if (job !== undefined) return { job };
      if (envelope.error?.retryable && envelope.error.code === 'SERVICE_UNAVAILABLE') {
        throw new AppError('SERVICE_UNAVAILABLE', envelope.error.message);
      }
      return resultChange(turnOf(row), called, envelope);
    });
  }

  /** Reads the call's job, and writes its progress or its end. */
  async follow(ref: A2aRef, rev: number, jobId: string): Promise<A2aStanding> {
    return await this.step(ref, rev, async (row) => {
      const approval = await this.deps.approval(ref.tenant, jobId);
      if (approval) return await this.decided(row, approval);
      const job = await this.deps.jobs.get(ref.tenant, jobId);
      if (job.kind === 'draft' && job.status === 'completed') {
        return draftChange(turnOf(row), await this.deps.draft(ref.tenant, (job.result as { draft: string }).draft));
      }
      if (!isUnfinished(job)) return jobChange(turnOf(row), row.tool ?? job.kind, job);
      const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
      return passing(row, `${job.title}: ${stage ?? job.status}${total === undefined ? '' : ` ${done ?? 0} of ${total}`}`);
    });
  }

  /** Turns a person's decision into a change of the task. */
  private async decided(row: A2aTaskRow, { answer, status, note, reason, tool }: Approval): Promise<A2aChange | null> {
    if (answer) {
      const envelope = answer as Envelope;
      return this.planOf(row).kind === 'work' ? await this.onBoard(row, envelope) : resultChange(turnOf(row), row.tool ?? tool, envelope);
    }
    const over = !['pending', 'approved', 'started'].includes(status);
    const said = note ? `: ${note}` : '.';
    const text = over ? `The call was not made (${status})${said}` : `Waits for a person's approval: ${reason}`;
    return !over && textOf(row) === text ? null : says(over ? 'failed' : 'working', text);
  }

  /** Puts the work on the board. @returns `job` when the call waits for approval */
  async openWork(ref: A2aRef, rev: number, execute: Execute): Promise<Stepped> {
    return await this.step(ref, rev, async (row) => {
      const { wanted } = this.planned(row, 'work');
      const about = { a2a_task: row.id, a2a_context: row.context_id };
      let envelope: Envelope;
      try {
        envelope = await putOnBoard(onBehalf(row, row.principal, execute), wanted, about, `${turnOf(row)}-work`);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
        return says('input_required', `${error.message} ${error.hint ?? ''}`.trim());
      }
      if (envelope.error?.retryable) throw new AppError('SERVICE_UNAVAILABLE', envelope.error.message);
      const job = goesOnAs(envelope);
      return job === undefined ? await this.onBoard(row, envelope) : { job };
    });
  }

  /** Turns the board's answer into a change of the task. */
  private async onBoard({ tenant_id: tenant, id }: A2aTaskRow, envelope: Envelope): Promise<A2aChange> {
    const { error } = envelope;
    const workTaskId = error ? null : await watchMade(this.db, tenant, envelope, workflowIds.a2aTask(tenant, id));
    if (workTaskId !== null) return { ...says('working', `On the board as ${workTaskId}: waiting for an agent.`), workTaskId };
    const text = [error?.message ?? 'No task was made.', error?.suggestion ?? ''].filter(Boolean).join('\n');
    return says(error?.code === 'VALIDATION_ERROR' || error?.code === 'NOT_FOUND' ? 'input_required' : 'failed', text);
  }

  /** Writes the state of the task on the board to this task. */
  async tellWork(ref: A2aRef, rev: number): Promise<A2aStanding> {
    return await this.step(ref, rev, async (row) => {
      const work = await workOf(this.db, row);
      if (!work) return null;
      if (work.status === 'done') return workChange(turnOf(row), work);
      if (work.status === 'failed') return says('failed', work.failure ?? 'The work failed.');
      return passing(row, work.progress ?? (work.agent ? `${work.agent} works on it.` : 'Waiting for an agent.'));
    });
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
    return await this.standing(await this.change(ref, rev, says(state, text)));
  }

  /** Runs a step and writes its change, unless the step was written before. */
  private async step(ref: A2aRef, rev: number, make: (row: A2aTaskRow) => Promise<A2aChange | { job: string } | null>): Promise<Stepped> {
    const row = await this.row(ref);
    const made = row.rev >= rev || isSettled(row.state) ? null : await make(row);
    if (made === null) return await this.standing(row);
    if ('job' in made) return { ...(await this.standing(row)), job: made.job };
    return await this.standing(await this.change(ref, rev, made));
  }

  /** @throws AppError CONFLICT when the messages now lead to another plan */
  private planned<K extends Plan['kind']>(row: A2aTaskRow, kind: K): Plan & { kind: K } {
    const plan = this.planOf(row);
    if (plan.kind === kind) return plan as Plan & { kind: K };
    throw new AppError('CONFLICT', 'The request is now understood in another way.', { hint: 'Send it again.' });
  }

  /**
   * The plan for the task's messages: from the script (test switch), from a tool that is called by name, or from the
   * router. The pipeline checks whether the key may call the tool.
   */
  private planOf(row: A2aTaskRow): Plan {
    const messages = saidBy(row);
    const last = messages.at(-1);
    const scripted = this.deps.scripted && last ? scriptedPlan(last.messageId) : null;
    return scripted ?? (last ? toolNamed(last) : null) ?? planOf(messages);
  }

  private standing(row: A2aTaskRow): Promise<A2aStanding> {
    return standingOf(this.db.query, row);
  }

  private async row({ tenant, id }: A2aRef): Promise<A2aTaskRow> {
    const row = await findA2aTask(this.db.query, tenant, id);
    if (!row) throw notFound('A2A task', id);
    return row;
  }

  private async change({ tenant, id }: A2aRef, rev: number, change: A2aChange): Promise<A2aTaskRow> {
    const row = await changeA2aTask(this.db, tenant, id, rev, change);
    if (!row) throw notFound('A2A task', id);
    return row;
  }

  /** Writes progress as status messages, at most one per second. Failed writes are ignored. */
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
          .then(() => tellProgress(this.db, row.tenant_id, row.id, row.rev, text))
          .then((told) => (told ? this.deps.changed({ tenant: row.tenant_id, id: row.id }) : undefined))
          .catch(() => {});
      },
      settled: () => telling,
    };
  }
}

/** The idempotency key of a turn, so that a repeated turn's tool acts once. */
const turnOf = (row: A2aTaskRow): string => `${row.id}-${saidBy(row).length}`;

const textOf = (row: A2aTaskRow): string | undefined => row.status_message?.parts[0]?.text;

const says = (state: A2aState, text: string): A2aChange => ({ state, parts: [{ text }] });

/** A progress message; null: the last one had the same text. */
const passing = (row: A2aTaskRow, text: string): A2aChange | null =>
  textOf(row) === text ? null : { ...says('working', text), passing: true };

/** The change that follows directly from the plan. */
function opening(plan: Plan): A2aChange {
  switch (plan.kind) {
    case 'call':
      return { state: 'working', skill: plan.skill, tool: plan.tool };
    case 'work':
      return { state: 'working', skill: plan.skill };
    case 'ask':
      return { ...says('input_required', plan.text), ...(plan.skill === undefined ? {} : { skill: plan.skill }) };
    case 'reject':
      return says('rejected', plan.text);
    case 'message':
      return { answer: plan.parts };
    case 'script':
      return {};
  }
}

const ofSkills = new Set(skills.flatMap(({ tools }) => tools));

/** Reads `{"tool": NAME, "arguments": {…}}`, for tools without a skill. Extended cards list them. */
function toolNamed({ parts }: MessageJson): Plan | null {
  for (const { data } of parts) {
    if (data === null || typeof data !== 'object' || Array.isArray(data)) continue;
    const { skill, tool = skill, arguments: args, input = args } = data as Record<string, unknown>;
    if (typeof tool !== 'string' || !tool.includes('.') || ofSkills.has(tool) || tool.length > 128) continue;
    if (skill !== undefined && skill !== tool) continue;
    if (input !== undefined && (input === null || typeof input !== 'object' || Array.isArray(input))) {
      return { kind: 'ask', skill: tool, text: `The arguments of ${tool} must be an object.` };
    }
    return { kind: 'call', skill: tool, tool, arguments: (input ?? {}) as Record<string, unknown> };
  }
  return null;
}
