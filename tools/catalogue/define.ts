import type { z } from 'zod';
import type { Caller, Front, Role } from '../../contracts/caller.ts';
import type { Metadata, Ref, Status } from '../../contracts/envelope.ts';
import type { Audience } from './audience.ts';
import type { ToolDirectory } from './directory.ts';
import type { Given } from './given.ts';
import type { Observed } from './observed.ts';

export const systems = ['pm-intelligence', 'devflow', 'agentic-rag', 'intelli-platform', 'perception'] as const;
/** The source system whose contract an alias keeps; also the name of a listing profile. */
export type System = (typeof systems)[number];

export type Effect = 'read' | 'write' | 'destructive';
export type Approval = 'A0' | 'A1' | 'A2';

/** Everything that the code of a tool of domain D can use. */
export interface ToolContext<D extends string = never> {
  caller: Caller;
  /** Policy rules may depend on it. */
  front: Front;
  /** The system whose alias and contract the call uses. */
  system?: System;
  services: Given<D>;
  /** The directory of tools, for tools that search and describe tools. */
  tools: ToolDirectory;
  /** The client for which tool names are spelled; absent: not an MCP client, so names stay canonical. */
  audience?: Audience | undefined;
  toolCallId: string;
  /**
   * Identifies this call's effect: equal for repeats with the same idempotency key, otherwise unique. Commands derive
   * workflow ids and update ids from it, so that a repeat never acts twice.
   */
  callKey: string;
  /** Aborts when the client disconnects or cancels. */
  signal: AbortSignal;
  /** Reports a long call's progress to the client; `total` has the same unit as `done`. */
  progress(done: number, total?: number, message?: string): void;
}

/** The result of a tool's code; the pipeline wraps it in the envelope. */
export interface ToolResult<D> {
  data: D;
  /** `accepted`: the work continues as a job. Default: `success`. */
  status?: Exclude<Status, 'error' | 'pending_approval'>;
  refs?: Ref[];
  warnings?: string[];
  metadata?: Partial<Metadata>;
  /** Values for the call's span and log line: `feed.url`, `articles.count` (observed.ts). Never content. */
  observed?: Observed;
}

/** Another name of a tool, with its own contract, so that a change for one system never affects another. */
export interface Alias<C = unknown, D = unknown> {
  name: string;
  system: System;
  description?: string;
  /** The alias's own arguments. */
  input: z.ZodObject;
  /** Converts the alias's arguments to the tool's. */
  toInput(args: Record<string, unknown>): C;
  /** Converts the tool's `data` to the alias's contract. Default: unchanged. */
  toAnswer?(data: D, args: Record<string, unknown>): unknown;
  /** The readable text of agentic-rag's tools. */
  toText?(data: D, args: Record<string, unknown>): string;
  /**
   * `removedIn`: the major version that removes it; absent: it stays. `since`: the day of the deprecation, ISO 8601; it
   * is kept for at least 30 days after that.
   */
  deprecated?: { replacement: string; removedIn?: string; since?: string };
  /** Accepted from old clients, but never listed. */
  unlisted?: boolean;
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType, D extends string = string> {
  /** `{domain}.{resource}.{action}`, lower snake case, at most 64 characters. */
  name: `${D}.${string}`;
  title: string;
  description: string;
  effect: Effect;
  /** A repeat with the same arguments has no further effect. */
  idempotent: boolean;
  /** Calls systems outside this platform. */
  external: boolean;
  /** A0 never needs a person's decision, A1 if the level of care demands it, A2 always. */
  approval: Approval | { people: Approval; agents: Approval };
  /** Whether this call needs the decision; a dry run does not. Default: yes. */
  asks?(input: z.output<I>): boolean;
  /** The call's subject for its span and log line, also when it fails: `feed.id` (observed.ts). */
  observes?(input: z.output<I>): Observed;
  /** What must be mounted in the session: a connector or an external server. */
  provider?: string;
  /** For discovery and for fetching answers: capabilities, mounts and policies never block it. */
  ungoverned?: true;
  /** Reads a secret, so it does not count as read-only: read-only roles and read-only sets of tools exclude it. */
  secret?: true;
  /** Changes nothing but the caller's own sign-in, unless its service lets an admin do more: read-only roles may call it. */
  own?: true;
  /** Only these roles may call it. */
  roles?: readonly Role[];
  /** A field of its answer that is told once: stored answers, for repeats and of approved calls, have null in its place. */
  toldOnce?: keyof z.output<O> & string;
  /** The pipeline replaces its call by a call of the tool that its arguments name (standing-in.ts). */
  standsIn?: true;
  /** Reads only tables that row-level security limits to a stakeholder team's scope. Such teams may call only these tools. */
  scoped?: true;
  /** A key with scopes needs one of these. */
  scopes: string[];
  latency: 'L1' | 'L2' | 'L3' | 'L4' | 'L5';
  /** A write that may be lost: the ledger has only its end, written in a batch. */
  ledger?: 'batched';
  input: I;
  output: O;
  /** The name in lists, if the full name is too long for clients. */
  listedAs?: string;
  /** For another server's tool: its own schemas, and a check of arguments against them. */
  foreign?: { input: Record<string, unknown>; output?: Record<string, unknown>; check(args: Record<string, unknown>): void };
  /** Phrases of people who need this tool; `system.tool.search` searches them. */
  intents: string[];
  /** Listed by default. `seldom`: inputs that such a list leaves out; system.tool.describe tells them. */
  core?: true | { seldom: (keyof z.input<I> & string)[] };
  /** Listed for the agent of a run, whose runner holds the task. */
  worker?: true;
  aliases: Alias<z.input<I>, z.output<O>>[];
  handler(input: z.output<I>, context: ToolContext<D>): Promise<ToolResult<z.input<O>>>;
}

// A registry holds tools of many types, so this is the one place with `any`.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyTool = Omit<Tool<any, any, any>, 'name'> & { name: string };

/** Exists for type inference only. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodType, D extends string, const N extends `${D}.${string}`>(
  tool: Tool<I, O, D> & { name: N },
): Tool<I, O, D> & { name: N } => tool;

/** Changes nothing, and reveals nothing that allows a change. */
export const onlyReads = ({ effect, secret }: Pick<AnyTool, 'effect' | 'secret'>): boolean => effect === 'read' && !secret;

/** The approval level as shown in the registry and on pages. */
export const approvalText = ({ approval }: Pick<AnyTool, 'approval'>): string =>
  typeof approval === 'string' ? approval : `${approval.people} people, ${approval.agents} agents`;
