/** Shapes of the A2A protocol as they are stored: its own JSON, version 1.0. */

export const a2aStates = [
  'submitted',
  'working',
  'input_required',
  'auth_required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;
export type A2aState = (typeof a2aStates)[number];

const terminal: readonly string[] = ['completed', 'failed', 'canceled', 'rejected'];
/** The state is final. */
export const isTerminal = (state: A2aState): boolean => terminal.includes(state);
/** Final, or waiting for the client: streams end here, and a blocking send is answered. */
export const isSettled = (state: A2aState): boolean => isTerminal(state) || state === 'input_required' || state === 'auth_required';

/** As the protocol's JSON spells a state, e.g. TASK_STATE_INPUT_REQUIRED. */
export const stateName = (state: A2aState): string => `TASK_STATE_${state.toUpperCase()}`;

type Metadata = Record<string, unknown>;

/** Exactly one of text, raw (base64), url and data. */
export interface PartJson {
  text?: string;
  raw?: string;
  url?: string;
  data?: unknown;
  mediaType?: string;
  filename?: string;
  metadata?: Metadata;
}

export interface MessageJson {
  messageId: string;
  role: 'ROLE_USER' | 'ROLE_AGENT';
  parts: PartJson[];
  contextId?: string;
  taskId?: string;
  metadata?: Metadata;
  extensions?: string[];
  referenceTaskIds?: string[];
}

export interface A2aArtifactJson {
  artifactId: string;
  parts: PartJson[];
  name?: string;
  description?: string;
  metadata?: Metadata;
  extensions?: string[];
}

export interface StatusJson {
  state: string;
  message?: MessageJson;
  timestamp?: string;
}

export interface TaskJson {
  id: string;
  contextId: string;
  status: StatusJson;
  artifacts?: A2aArtifactJson[];
  history?: MessageJson[];
  metadata?: Metadata;
}

/** One event of a stream or a callback. */
export type StreamJson =
  | { task: TaskJson }
  | { message: MessageJson }
  | { statusUpdate: { taskId: string; contextId: string; status: StatusJson; metadata?: Metadata } }
  | {
      artifactUpdate: {
        taskId: string;
        contextId: string;
        artifact: A2aArtifactJson;
        append?: boolean;
        lastChunk?: boolean;
        metadata?: Metadata;
      };
    };

/** The next action of a scripted task. `holdMs`: the pause before the next step. */
export type Step =
  | { kind: 'status'; state: A2aState; text?: string; holdMs?: number }
  | { kind: 'artifact'; artifact: A2aArtifactJson; append?: boolean; lastChunk?: boolean };

/** The request in a task's messages, as the router understands it. */
export type Plan =
  | { kind: 'call'; skill: string; tool: string; arguments: Record<string, unknown> }
  /** Becomes a kanban task; `wanted` as for `workArguments`. */
  | { kind: 'work'; skill: string; wanted: Record<string, unknown> }
  | { kind: 'ask'; skill?: string; text: string }
  | { kind: 'reject'; text: string }
  /** Answered by a message instead of a task. */
  | { kind: 'message'; parts: PartJson[] }
  | { kind: 'script'; steps: Step[] };

/** A skill of the agent card, and the tools behind it. */
export interface Skill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
  deprecated?: boolean;
  tools: string[];
}
