/**
 * Tools of a running Signalbox for LangGraph.js and LangChain: each with its JSON Schema, each call through the platform's
 * pipeline with its policy, approval and ledger. Needs `@langchain/core`; interrupts and `signalboxNode` need `@langchain/langgraph`.
 */
import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { tool, type DynamicStructuredTool, type ToolSchemaBase } from '@langchain/core/tools';
import type { Envelope } from '../contracts/envelope.ts';
import { signalboxHttp, type SignalboxConnection } from './http.ts';
import { textOf } from './text.ts';

export type { SignalboxConnection } from './http.ts';

export interface SignalboxOptions extends SignalboxConnection {
  /** The profile whose tools are loaded; default `core`, whose tools can find and call all others. */
  profile?: string;
  /** Only these tools of the profile, in any spelling. */
  only?: string[];
  /**
   * Handling of a call that waits for approval. `tell` (default): the model gets this status. `interrupt`: the graph
   * stops with `{type: 'signalbox.approval', approval_id, tool, arguments}` and continues with the outcome when it is
   * resumed.
   */
  approvals?: 'tell' | 'interrupt';
}

/** A tool call of a model. */
interface Call {
  name: string;
  args: Record<string, unknown>;
  id: string;
}

type Caller = (call: Call, config: RunnableConfig | undefined) => Promise<ToolMessage>;

/**
 * The tools of a profile, for `bindTools` and `ToolNode`. Names have hyphens instead of dots, because some models refuse
 * dots. A refusal is a ToolMessage of status `error`; each message carries the platform's envelope as its artifact.
 * @throws Error when Signalbox does not answer, or refuses the key
 */
export async function signalboxTools(options: SignalboxOptions): Promise<DynamicStructuredTool[]> {
  const call = caller(options);
  const listed = await signalboxHttp(options).list(options.profile ?? 'core');
  const wanted = options.only && new Set(options.only.map(hyphenated));
  return listed
    .filter(({ name }) => !wanted || wanted.has(hyphenated(name)))
    .map(({ name, description, inputSchema }) =>
      tool(
        async (args, config: RunnableConfig & { toolCall?: { id?: string } }) => {
          const message = await call({ name, args: args as Record<string, unknown>, id: config.toolCall?.id ?? '' }, config);
          if (config.toolCall?.id !== undefined) return message;
          // Called by code, not by a model: throw like a function.
          if (message.status === 'error') throw new Error(message.text);
          return message.text;
        },
        { name: hyphenated(name), description, schema: inputSchema as ToolSchemaBase },
      ),
    ) as unknown as DynamicStructuredTool[];
}

/**
 * A graph node that runs the tool calls of the last message in parallel. It accepts any tool name that Signalbox knows,
 * also of tools that the model has found with `system-tool-search`.
 */
export function signalboxNode(options: SignalboxOptions) {
  const call = caller(options);
  return async ({ messages }: { messages: BaseMessage[] }, config?: RunnableConfig): Promise<{ messages: ToolMessage[] }> => {
    const last = messages.at(-1);
    const calls = AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
    return { messages: await Promise.all(calls.map(({ name, args, id }) => call({ name, args, id: id ?? '' }, config))) };
  };
}

function caller(options: SignalboxOptions): Caller {
  const http = signalboxHttp(options);
  return async (call, config) => {
    const signal = config?.signal;
    const key = idempotencyKey(call, config);
    let envelope = await http.call(call.name, call.args, { ...(key ? { key } : {}), ...(signal ? { signal } : {}) });
    if (envelope.status === 'pending_approval' && options.approvals === 'interrupt') {
      const approvalId = approvalOf(envelope);
      const { interrupt } = await import('@langchain/langgraph');
      interrupt({ type: 'signalbox.approval', approval_id: approvalId, tool: call.name, arguments: call.args });
      envelope = await outcomeOf(http, approvalId, envelope);
    }
    return new ToolMessage({
      content: textOf(envelope),
      status: envelope.status === 'error' ? 'error' : 'success',
      artifact: envelope,
      name: call.name,
      tool_call_id: call.id,
    });
  };
}

/** After the graph was resumed: the approved call's answer, or its status. */
async function outcomeOf(http: ReturnType<typeof signalboxHttp>, approvalId: string | null, pending: Envelope): Promise<Envelope> {
  if (approvalId === null) return pending;
  const found = await http.call('approval.request.get', { approval_id: approvalId }, {});
  const approval = (found.data as { approval?: { status?: string; note?: string | null; answer?: Envelope | null } } | null)?.approval;
  if (found.status === 'error' || !approval) return found;
  if (approval.answer) return approval.answer;
  if (['pending', 'approved', 'started'].includes(approval.status ?? '')) return pending;
  const message = `The call was not made: its approval is ${approval.status}${approval.note ? ` (${approval.note})` : ''}.`;
  return { ...pending, status: 'error', data: null, error: { code: 'FORBIDDEN', message, retryable: false } };
}

/**
 * Equal when a node is run again after an interrupt or a crash, so that a write acts once; different for each new run.
 * Undefined outside a graph.
 */
function idempotencyKey(call: Call, config: RunnableConfig | undefined): string | null {
  const place: unknown = config?.metadata?.['langgraph_checkpoint_ns'] ?? config?.configurable?.['checkpoint_ns'];
  const thread: unknown = config?.configurable?.['thread_id'];
  if (typeof place !== 'string' || place === '' || thread === undefined || call.id === '') return null;
  return `langgraph/${String(thread)}/${place}/${call.id}`.slice(-256);
}

const approvalOf = (envelope: Envelope): string | null => envelope.refs.find(({ type }) => type === 'approval')?.id ?? null;

const hyphenated = (name: string): string => name.replaceAll('.', '-');
