/** Task tools of the conformance suite: their state is kept in this process, because the product does not use it. */
import { inputRequired, type CallToolResult, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server';
import { requireTasks, takesTasks, type DetailedTask } from './tasks.ts';

type Outcome = Pick<DetailedTask, 'status' | 'result' | 'error'>;
type Answers = Record<string, { content?: Record<string, unknown> }>;
type Handler = (ctx: ServerContext, args: Record<string, unknown>) => Promise<CallToolResult | InputRequiredResult>;

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const completed = (text: string): Outcome => ({ status: 'completed', result: say(text) });
const ask = (message: string) => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } } } },
});
const askName = inputRequired.elicit({
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

interface Kept {
  task: DetailedTask;
  answers: Answers;
  /** Called when every request for input is answered. */
  answered: () => void;
  timer?: NodeJS.Timeout;
}

export class FixtureJobs {
  private readonly kept = new Map<string, Kept>();
  private next = 0;

  get(id: string): DetailedTask | undefined {
    return this.kept.get(id)?.task;
  }

  /** @returns whether there is such a task */
  cancel(id: string): boolean {
    const found = this.kept.get(id);
    if (!found) return false;
    if (found.task.status === 'working' || found.task.status === 'input_required') this.end(id, { status: 'cancelled' });
    return true;
  }

  /** @returns whether there is such a task */
  update(id: string, answers: Record<string, unknown>): boolean {
    const found = this.kept.get(id);
    if (!found) return false;
    const open = found.task.inputRequests ?? {};
    for (const key of Object.keys(open).filter((asked) => asked in answers)) {
      delete open[key];
      found.answers[key] = answers[key] as Answers[string];
    }
    if (found.task.status === 'input_required' && Object.keys(open).length === 0) found.answered();
    return true;
  }

  readonly tools: Record<string, Handler> = {
    greet: async (_ctx, { name }) => say(`Hello, ${String(name)}!`),
    slow_compute: async (ctx, { seconds = 0 }) => {
      const text = `Computed for ${String(seconds)} s.`;
      if (!takesTasks(ctx) || seconds === 0) return say(text);
      return this.after(Number(seconds) * 1_000, completed(text));
    },
    failing_job: async (ctx) => {
      requireTasks(ctx);
      return this.after(100, { status: 'completed', result: { ...say('It failed.'), isError: true } });
    },
    protocol_error_job: async (ctx) => {
      requireTasks(ctx);
      return this.after(100, { status: 'failed', error: { code: -32603, message: 'It broke.' } });
    },
    confirm_delete: async (ctx) => {
      requireTasks(ctx);
      return this.asking({ confirm: ask('Delete it?') }, () => completed('It was confirmed.'));
    },
    multi_input: async (ctx) => {
      requireTasks(ctx);
      return this.asking({ first: ask('First?'), second: ask('Second?') }, () => completed('Both were answered.'));
    },
    test_tool_with_task: async (ctx) => {
      requireTasks(ctx);
      const answer = ctx.mcpReq.inputResponses?.['user_name'] as Answers[string] | undefined;
      if (!answer) return inputRequired({ inputRequests: { user_name: askName } });
      return this.after(100, completed(`Hello, ${String(answer.content?.['name'])}!`));
    },
  };

  private open(status: DetailedTask['status'], answered: () => void): Kept {
    const now = new Date().toISOString();
    const taskId = `fixture-${(this.next += 1)}`;
    const task: DetailedTask = { taskId, status, createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 100 };
    const kept: Kept = { task, answers: {}, answered };
    this.kept.set(taskId, kept);
    return kept;
  }

  private after(ms: number, outcome: Outcome): CallToolResult {
    const kept = this.open('working', () => {});
    kept.timer = setTimeout(() => this.end(kept.task.taskId, outcome), ms).unref();
    return created(kept.task);
  }

  private asking(inputRequests: Record<string, unknown>, outcome: (answers: Answers) => Outcome): CallToolResult {
    const kept = this.open('input_required', () => this.end(kept.task.taskId, outcome(kept.answers)));
    kept.task.inputRequests = inputRequests;
    return created(kept.task);
  }

  private end(id: string, outcome: Outcome): void {
    const found = this.kept.get(id)!;
    clearTimeout(found.timer);
    const { inputRequests: _, ...task } = found.task;
    found.task = { ...task, ...outcome, lastUpdatedAt: new Date().toISOString() };
  }
}

const created = ({ inputRequests: _, ...task }: DetailedTask): CallToolResult =>
  ({ ...task, resultType: 'task' }) as unknown as CallToolResult;
