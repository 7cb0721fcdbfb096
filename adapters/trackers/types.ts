import type { TrackerKind } from '../../contracts/work/trackers.ts';

/** A repository and who asks. */
export interface TrackerPlace {
  /** Where the API answers, without trailing slash. */
  baseUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
}

export interface Issue {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  url: string;
  labels: string[];
  /** User name. */
  author: string;
  /** Number of comments. */
  comments: number;
  /** ISO time. */
  updatedAt: string;
}

export interface IssueQuery {
  /** ISO time: changed at or after. Null: from the beginning. */
  since: string | null;
  state: 'open' | 'all';
  labels: readonly string[];
  assignee: string | null;
  /** Of the same query before. */
  etag: string | null;
  /** Address of a further page, from `next`. */
  page?: string;
}

export interface IssuePage {
  /** Those that changed first come first. */
  issues: Issue[];
  next: string | null;
  /** Null: the other side gives none. */
  etag: string | null;
  /** The list is the one that `etag` stands for; `issues` is empty. */
  unchanged: boolean;
  /** ISO time of the last entry, also of one that is no issue; null: the page is empty. */
  until: string | null;
}

export interface IssueComment {
  id: string;
  author: string;
  /** Written by a program or by the tracker itself. */
  automatic: boolean;
  body: string;
  /** ISO times. */
  createdAt: string;
  updatedAt: string;
}

export interface Pull {
  number: number;
  url: string;
  state: 'open' | 'merged' | 'closed';
  /** What base became by the merge. */
  mergedCommit: string | null;
}

export interface PullWanted {
  branch: string;
  base: string;
  title: string;
  body: string;
}

/**
 * Issues and pull requests of one kind of tracker. Each call is one request without retries, and throws an AppError with
 * `details.outcome` (contracts/outbound/connectors.ts) and `details.reason`; when calls are limited, `reason` is
 * rate_limited and `retryAfterSeconds` says for how long.
 */
export interface TrackerPort {
  /** Whether the token may read the repository. */
  check(place: TrackerPlace): Promise<void>;
  issues(place: TrackerPlace, query: IssueQuery): Promise<IssuePage>;
  /** Those changed at or after `since`, oldest change first. */
  comments(
    place: TrackerPlace,
    number: number,
    asked: { since: string | null; page?: string },
  ): Promise<{ comments: IssueComment[]; next: string | null }>;
  /** @returns the id of the new comment */
  comment(place: TrackerPlace, number: number, body: string): Promise<string>;
  /** A repeat changes nothing. */
  close(place: TrackerPlace, number: number): Promise<void>;
  /** The latest pull request of a branch, whatever its state. */
  pullOf(place: TrackerPlace, wanted: Pick<PullWanted, 'branch' | 'base'>): Promise<Pull | null>;
  /** @returns `exists`: the branch has an open one, also when it was made at this moment */
  openPull(place: TrackerPlace, wanted: PullWanted): Promise<Pull | 'exists'>;
  pull(place: TrackerPlace, number: number): Promise<Pull>;
}

export type TrackerPorts = Record<TrackerKind, TrackerPort>;
