import { randomUUID } from 'node:crypto';
import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server';
import { mayDecide, type Caller } from '../../contracts/caller.ts';
import type { CallAnswer, CallRequest } from '../../tools/catalogue/pipeline.ts';
import type { ServerParts } from '../parts.ts';
import type { Exchange } from './exchange.ts';
import { isRecord } from './jsonrpc.ts';

/** A question for the person at the client, for `elicitation/create`. */
export type Question =
  | { mode: 'form'; message: string; requestedSchema: typeof decision }
  | { mode: 'url'; message: string; url: string; elicitationId: string };

export interface Said {
  action: string;
  content?: Record<string, unknown>;
}

/** A client with elicitation. */
export interface Elicitor {
  modes: { form: boolean; url: boolean };
  /**
   * Asks now and returns the answer, or null when nobody could be asked; or returns a result that ends the request,
   * so that the client repeats it with the answer.
   */
  ask(question: Question, key: string): Promise<Said | InputRequiredResult | null>;
  /** Data from a repeated request: the answer, and the key of its call. */
  brought?: { key: string; said: Said } | undefined;
}

/** The declared modes of elicitation. Without either mode it is the form, as in the first revision. */
export function modesOf(capabilities: unknown): Elicitor['modes'] | null {
  const elicitation = isRecord(capabilities) ? capabilities.elicitation : undefined;
  if (!isRecord(elicitation)) return null;
  return { form: isRecord(elicitation.form) || !isRecord(elicitation.url), url: isRecord(elicitation.url) };
}

const decision = {
  type: 'object' as const,
  properties: {
    decision: { type: 'string' as const, title: 'Decision', enum: ['approve', 'reject'] },
    note: { type: 'string' as const, title: 'Why (optional)' },
  },
  required: ['decision'],
};

/** How long a call with a URL question waits for the decision, in ms. */
const patienceMs = 60_000;

interface Asking {
  parts: ServerParts;
  exchange: Exchange;
  caller: Caller;
  elicitor: Elicitor;
  /** Repeats the same call. */
  again(key: string, more: Partial<CallRequest>): Promise<CallAnswer>;
}

/**
 * Asks the person at the client about a call that needs approval. A form decides only for a caller that may decide
 * anyway: the program behind an agent's key could fill it in and approve its own calls. Other callers get the address
 * of a page where a person decides with their own key (docs/decisions/0035).
 */
export async function askThrough(waiting: CallAnswer, asking: Asking): Promise<CallAnswer | InputRequiredResult> {
  const { elicitor, exchange, again } = asking;
  const question = questionFor(waiting, asking);
  if (!question) return waiting;
  const key = elicitor.brought?.key ?? exchange.idempotencyKey ?? waiting.envelope.tool_call_id;
  const said = elicitor.brought?.said ?? (await elicitor.ask(question, key));
  if (said === null) return waiting;
  if (!('action' in said)) return said;
  if (said.action !== 'accept') return waiting;
  if (question.mode === 'form' && !(await decide(waiting, said as Said, asking))) return waiting;
  return await again(key, { waitMs: patienceMs, counted: true });
}

function questionFor({ envelope, resolved }: CallAnswer, { caller, elicitor, exchange }: Asking): Question | null {
  const { approval_id: id, reason, four_eyes: fourEyes } = envelope.data as { approval_id: string; reason: string; four_eyes?: true };
  const message = `${caller.principal} wants to call ${resolved?.tool.name ?? 'a tool'}. ${reason}`;
  if (elicitor.modes.form && mayDecide(caller) && !fourEyes) return { mode: 'form', message, requestedSchema: decision };
  if (!elicitor.modes.url || !exchange.base) return null;
  return { mode: 'url', message, url: `${exchange.base()}/approvals/${id}`, elicitationId: id };
}

/**
 * Through the pipeline, so that rights and ledger apply.
 * @returns whether anything was decided
 */
async function decide({ envelope }: CallAnswer, { content }: Said, { parts, exchange, caller }: Asking): Promise<boolean> {
  const wanted = content?.decision;
  if (wanted !== 'approve' && wanted !== 'reject') return false;
  const { approval_id } = envelope.data as { approval_id: string };
  const through = `Through the client "${(exchange.client ?? 'unknown').slice(0, 64)}".`;
  const note =
    typeof content?.note === 'string' && content.note.trim() !== '' ? `${content.note.trim().slice(0, 1_500)} ${through}` : through;
  await parts.pipeline.call({
    name: `approval.request.${wanted}`,
    arguments: { approval_id, note },
    caller,
    front: exchange.front,
    counted: true,
  });
  return true;
}

/**
 * 2026: the request ends with the question; the client repeats it with the answer. The state names only the caller's
 * own call and gives no right.
 */
export function elicitorOf(capabilities: unknown, responses: Record<string, unknown> | undefined, state: unknown): Elicitor | undefined {
  const modes = modesOf(capabilities);
  if (!modes) return undefined;
  const said = responses?.['approval'];
  return {
    modes,
    ask: async (question, key) =>
      inputRequired({
        inputRequests: { approval: question.mode === 'form' ? inputRequired.elicit(question) : inputRequired.elicitUrl(question) },
        requestState: key,
      }),
    brought:
      typeof state === 'string' && isRecord(said) && typeof said.action === 'string'
        ? { key: state, said: said as unknown as Said }
        : undefined,
  };
}

/** 2025: questions on the stream of a call; the client posts the answers. */
export class Questions {
  private readonly open = new Map<string, (said: Said | null) => void>();

  /** @returns null when the call is over, or nobody answered in time */
  async ask(send: (request: object) => void, { mode, ...params }: Question, signal: AbortSignal): Promise<Said | null> {
    const id = `elicit-${randomUUID()}`;
    const over = AbortSignal.any([signal, AbortSignal.timeout(300_000)]);
    try {
      return await new Promise((resolve) => {
        this.open.set(id, resolve);
        over.addEventListener('abort', () => resolve(null));
        // The first revision had no modes.
        send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: mode === 'form' ? params : { mode, ...params } });
      });
    } finally {
      this.open.delete(id);
    }
  }

  /** @returns whether it answers one of these questions */
  take(body: unknown): boolean {
    if (!isRecord(body) || 'method' in body || typeof body.id !== 'string') return false;
    const answer = this.open.get(body.id);
    answer?.(isRecord(body.result) && typeof body.result.action === 'string' ? (body.result as unknown as Said) : null);
    return answer !== undefined;
  }
}
