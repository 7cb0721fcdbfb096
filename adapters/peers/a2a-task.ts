import { Artifact, type Message, type Part, type Task, TaskState } from '@a2a-js/sdk';
import type { AgentCard } from '@a2a-js/sdk';
import type { DelegatedStatus } from '../../contracts/agents/agents.ts';
import type { OutgoingTask, PeerProgress, PeerState } from './types.ts';

/** Pure: messages to standard agents, and the meaning of their tasks and messages. */

/** An agent's result of a task. */
export interface A2aResult {
  /** In the protocol's own JSON, 1.0. */
  artifacts: unknown[];
  /** All text, in order. */
  text: string;
  /** The data part; several as a list; absent without one. */
  data?: unknown;
}

/** Longer text of a result is cut for display; the artifacts have all of it. */
const maxText = 100_000;
const maxWords = 8_000;

const makePart = (content: Part['content'], mediaType: string): Part => ({ content, metadata: undefined, filename: '', mediaType });

const accepts = (modes: readonly string[], type: string): boolean =>
  modes.length === 0 ||
  modes.some((mode) => mode === type || mode === '*/*' || mode === `${type.split('/')[0]}/*` || mode === type.split('/')[0]);

/** A data part for agents that accept them, text for others; both if both are accepted. */
export function partsOf(card: AgentCard, task: OutgoingTask): Part[] {
  const skill = card.skills?.find((each) => each.id === task.capability);
  const modes = skill?.inputModes?.length ? skill.inputModes : (card.defaultInputModes ?? []);
  const data = makePart({ $case: 'data', value: { skill: task.capability, arguments: task.parameters } }, 'application/json');
  const words = makePart({ $case: 'text', value: wordsOf(task) }, 'text/plain');
  const readsData = accepts(modes, 'application/json');
  const readsWords = accepts(modes, 'text/plain');
  return readsData && readsWords ? [data, words] : readsData ? [data] : [words];
}

/** Agents with a language model read text: the given text, else the parameters as JSON. */
function wordsOf({ capability, parameters }: OutgoingTask): string {
  const given = ['text', 'prompt', 'query', 'question', 'message', 'instruction', 'description']
    .map((name) => parameters[name])
    .find((value) => typeof value === 'string');
  const [only, ...more] = Object.keys(parameters);
  if (typeof given === 'string' && only !== undefined && more.length === 0) return given.slice(0, maxWords);
  return `${capability}: ${JSON.stringify(parameters)}`.slice(0, maxWords);
}

const statuses: Partial<Record<TaskState, DelegatedStatus>> = {
  [TaskState.TASK_STATE_SUBMITTED]: 'accepted',
  [TaskState.TASK_STATE_WORKING]: 'running',
  [TaskState.TASK_STATE_COMPLETED]: 'completed',
  [TaskState.TASK_STATE_CANCELED]: 'cancelled',
};
const refusals: Partial<Record<TaskState, [code: string, words: string]>> = {
  [TaskState.TASK_STATE_FAILED]: ['PEER_FAILED', 'The agent failed.'],
  [TaskState.TASK_STATE_REJECTED]: ['REJECTED', 'The agent will not do it.'],
  [TaskState.TASK_STATE_INPUT_REQUIRED]: ['INPUT_REQUIRED', 'The agent asks for more and does not say what.'],
  [TaskState.TASK_STATE_AUTH_REQUIRED]: ['AUTH_REQUIRED', 'The agent wants to be shown other credentials.'],
};

/** State of a task. A task that waits for input has failed, because nobody can answer here. */
export function stateOf(task: Task): PeerState {
  const state = task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
  const refused = refusals[state];
  if (refused) return { status: 'failed', error: { code: refused[0], message: textOf(task.status?.message?.parts ?? []) || refused[1] } };
  const status = statuses[state] ?? 'accepted';
  return status === 'completed' ? { status, result: resultOf(task.artifacts ?? [], task.status?.message?.parts ?? []) } : { status };
}

/** An answer without a task is a completed task. */
export const answerOf = (message: Message): PeerState => ({ status: 'completed', result: resultOf([], message.parts) });

/** @param said the last message's parts: the result of agents without artifacts */
function resultOf(artifacts: Artifact[], said: Part[]): A2aResult {
  const made = artifacts.flatMap((artifact) => artifact.parts);
  const parts = made.length > 0 ? made : said;
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value as unknown] : []));
  return {
    artifacts: artifacts.map((artifact) => Artifact.toJSON(artifact)),
    text: textOf(parts).slice(0, maxText),
    ...(data.length === 0 ? {} : { data: data.length === 1 ? data[0] : data }),
  };
}

const textOf = (parts: readonly Part[]): string =>
  parts
    .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
    .join('\n')
    .trim();

/** Progress in a status; null: none. */
export function progressOf(status: Task['status'], metadata: Record<string, unknown> | undefined): PeerProgress | null {
  const message = textOf(status?.message?.parts ?? []).slice(0, 2_000);
  const count = (name: string): number | undefined => {
    const value = metadata?.[name] ?? status?.message?.metadata?.[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const done = count('done');
  const total = count('total');
  if (message === '' && done === undefined) return null;
  return { ...(done === undefined ? {} : { done }), ...(total === undefined ? {} : { total }), ...(message === '' ? {} : { message }) };
}
