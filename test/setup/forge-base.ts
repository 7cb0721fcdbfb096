/** What the servers in forges.ts have in common. */
import type { TrackerKind } from '../../contracts/work/tracker-kinds.ts';

export interface ForgeIssue {
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  labels: string[];
  assignee: string | null;
  author: string;
  updated: string;
  /** In GitHub, pull requests are listed among issues. */
  pull?: boolean;
  /** What became of it. In GitLab a moved one is closed, and listed. */
  away?: 'deleted' | 'moved';
}

export interface ForgeComment {
  id: number | string;
  number: number;
  author: string;
  bot: boolean;
  body: string;
  created: string;
  updated: string;
  /** Of Jira. */
  properties?: { key: string; value: unknown }[];
}

export interface ForgePull {
  number: number;
  head: string;
  base: string;
  title: string;
  body: string;
  state: 'open' | 'closed' | 'merged';
  commit: string | null;
}

/** What becomes of the next request: this answer, done with a lost connection, or a connection lost before. */
export type Mishap = { status: number; headers?: Record<string, string>; body?: unknown } | 'lost_after' | 'lost_before';

export interface Forge {
  kind: TrackerKind;
  /** Of the API. */
  url: string;
  repository: string;
  token: string;
  issues: ForgeIssue[];
  comments: ForgeComment[];
  pulls: ForgePull[];
  /** Method and path of each request. */
  requests: string[];
  /** One for each request that writes, in order; then all goes well. */
  mishaps: Mishap[];
  /** The same for those that read. */
  readMishaps: Mishap[];
  /** Called when a comment was written, before it is answered. */
  held: (() => Promise<void>) | null;
  file(issue?: Partial<ForgeIssue>): ForgeIssue;
  change(number: number, change: Partial<ForgeIssue>): void;
  say(number: number, author: string, body: string, bot?: boolean): ForgeComment;
  /** Bodies of the comments of an issue that came through the API. */
  written(number: number): string[];
  end(pull: number, state: 'merged' | 'closed', commit?: string): void;
  close(): Promise<void>;
}

/** The author of whatever comes through the API. */
export const me = 'signalbox-bot';

export interface Asked {
  method: string;
  /** After the prefix. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

export interface Answer {
  status: number;
  body: unknown;
  /** Entries of a list, of which one page is answered. */
  listed?: boolean;
  /** A comment was written. */
  spoke?: boolean;
  headers?: Record<string, string>;
}

/** How one kind of tracker speaks. */
export interface Dialect {
  repository: string;
  token: string;
  /** Of the API's address. */
  path: string;
  /** Of the repository, after `path`. */
  prefix(forge: Forge): string;
  authorization(token: string): string;
  now(): string;
  reads(asked: Pick<Asked, 'method' | 'body'>): boolean;
  /** Null: there is no such thing. */
  answer(forge: Forge, asked: Asked): Answer | null;
}

/** Issues that a query names, those that changed first first. */
export function found(
  forge: Forge,
  { labels, assignee, since, state }: Record<'labels' | 'assignee' | 'since' | 'state', string | null>,
): ForgeIssue[] {
  const wanted = (labels ?? '').split(',').filter(Boolean);
  return forge.issues
    .filter(({ away }) => away === undefined || (away === 'moved' && forge.kind === 'gitlab'))
    .filter((issue) => wanted.every((label) => issue.labels.includes(label)))
    .filter((issue) => assignee === null || issue.assignee === assignee)
    .filter((issue) => since === null || Date.parse(issue.updated) >= Date.parse(since))
    .filter((issue) => state === null || state === 'all' || issue.state === (state === 'opened' ? 'open' : state))
    .sort((one, other) => Date.parse(one.updated) - Date.parse(other.updated) || one.number - other.number);
}

export const speak = (forge: Forge, number: number, body: unknown): ForgeComment => forge.say(number, me, String(body));
