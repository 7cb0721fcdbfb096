import type { z } from 'zod';
import type { Caller, Front } from '../../contracts/caller.ts';
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

/** What the code of a tool of domain D may use. Nothing else reaches it. */
export interface ToolContext<D extends string = never> {
  caller: Caller;
  /** Rules may judge by it. */
  front: Front;
  /** The system under whose name, and by whose contract, the call is made. */
  system?: System;
  services: Given<D>;
  /** The tools themselves, for those that find and describe tools. */
  tools: ToolDirectory;
  /** For whom names of tools are spelled; absent: for no client of MCP, so as they are. */
  audience?: Audience | undefined;
  toolCallId: string;
  /**
   * Names this call's effect: equal for repeats under one idempotency key, unique otherwise.
   * Commands derive workflow ids and update ids from it, so that a repeat never acts twice.
   */
  callKey: string;
  /** Aborted when the client goes away or cancels. */
  signal: AbortSignal;
  /** Tells the client how far a long call is; `total` in the same unit as `done`. */
  progress(done: number, total?: number, message?: string): void;
}

/** What a tool's code answers; the pipeline wraps it into the envelope. */
export interface ToolResult<D> {
  data: D;
  /** `accepted`: work goes on as a job. Default `success`. */
  status?: Exclude<Status, 'error' | 'pending_approval'>;
  refs?: Ref[];
  warnings?: string[];
  metadata?: Partial<Metadata>;
  /** What the call found, for its span and its line in the log: `feed.url`, `articles.count` (observed.ts). Never content. */
  observed?: Observed;
}

/** Another spelling of a tool, with its own contract: a change for one system never changes another's. */
export interface Alias<C = unknown, D = unknown> {
  name: string;
  system: System;
  description?: string;
  /** This spelling's own arguments. */
  input: z.ZodObject;
  /** This spelling's arguments as the tool's own. */
  toInput(args: Record<string, unknown>): C;
  /** The tool's `data` as this spelling's contract has it. Default: unchanged. */
  toAnswer?(data: D, args: Record<string, unknown>): unknown;
  /** The readable text that agentic-rag's tools answer with. */
  toText?(data: D, args: Record<string, unknown>): string;
  /**
   * `removedIn`: the major version that goes without it; absent: it stays. `since`: the day from which it was said so,
   * ISO 8601; it lives at least 30 days on.
   */
  deprecated?: { replacement: string; removedIn?: string; since?: string };
  /** Spelled so by old clients, but in no listing. */
  unlisted?: boolean;
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType, D extends string = string> {
  /** `{domain}.{resource}.{action}`, lower snake case, at most 64 characters. */
  name: `${D}.${string}`;
  title: string;
  description: string;
  effect: Effect;
  /** Repeating the call with the same arguments changes nothing more. */
  idempotent: boolean;
  /** Reaches beyond this platform. */
  external: boolean;
  /** A0 never asks, A1 where the level of care demands it, A2 always needs a person's decision. */
  approval: Approval | { people: Approval; agents: Approval };
  /** Whether this very call needs the decision; a dry run does not. Default: yes. */
  asks?(input: z.output<I>): boolean;
  /** What the call is about, for its span and its line in the log, also when it fails: `feed.id` (observed.ts). */
  observes?(input: z.output<I>): Observed;
  /** What it needs mounted in the session: a connector, an external server. */
  provider?: string;
  /** Looking around and coming back for answers: no capability, mount or policy takes it away. */
  ungoverned?: true;
  /** Reads a secret: what only reads may not call it, and nobody is handed it with what only reads. */
  secret?: true;
  /** Is never judged or run for itself: the tool that its arguments name is, in its place (standing-in.ts). */
  standsIn?: true;
  /** Reads only what row-level security holds to a stakeholder team's scope: the only tools that such teams may call. */
  scoped?: true;
  /** A key with scopes needs one of these. */
  scopes: string[];
  latency: 'L1' | 'L2' | 'L3' | 'L4' | 'L5';
  /** A write whose loss costs nothing: it has one entry in the ledger, of its end, written with others. */
  ledger?: 'batched';
  input: I;
  output: O;
  /** The name in lists, where it is too long for clients. */
  listedAs?: string;
  /** Of another server's tool: schemas in its own words, and a check of arguments against them. */
  foreign?: { input: Record<string, unknown>; output?: Record<string, unknown>; check(args: Record<string, unknown>): void };
  /** What people say when they need this tool; searched by `system.tool.search`. */
  intents: string[];
  /** Listed by default. */
  core?: boolean;
  aliases: Alias<z.input<I>, z.output<O>>[];
  handler(input: z.output<I>, context: ToolContext<D>): Promise<ToolResult<z.input<O>>>;
}

// A registry holds tools of many types; variance is given up here and nowhere else.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyTool = Omit<Tool<any, any, any>, 'name'> & { name: string };

/** Exists for type inference only. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodType, D extends string, const N extends `${D}.${string}`>(
  tool: Tool<I, O, D> & { name: N },
): Tool<I, O, D> & { name: N } => tool;

/** Changes nothing, and tells nothing that lets somebody change something. */
export const onlyReads = ({ effect, secret }: Pick<AnyTool, 'effect' | 'secret'>): boolean => effect === 'read' && !secret;

/** As the registry and the pages tell it. */
export const approvalText = ({ approval }: Pick<AnyTool, 'approval'>): string =>
  typeof approval === 'string' ? approval : `${approval.people} people, ${approval.agents} agents`;
