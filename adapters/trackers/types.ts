import type { TrackerKind } from '../../contracts/work/tracker-kinds.ts';
import type { IssueAway } from '../../contracts/work/trackers.ts';

/** A repository or project, and who asks. */
export interface TrackerPlace {
  /** Where the API answers, without trailing slash. */
  baseUrl: string;
  /** GitHub, GitLab: `owner/name`. Jira: key of the project. Linear: key of the team. */
  repository: string;
  token: string;
}

export interface Issue {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  /** It was closed because it goes on elsewhere. */
  moved?: boolean;
  url: string;
  labels: string[];
  /** User name. */
  author: string;
  /** Number of comments; null: not known. */
  comments: number | null;
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
  /** Of a comment that was written with one. People can copy it. */
  marker: string | null;
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
 * Issues of one kind of tracker. Each call is one request without retries, or a few that only read before one that writes,
 * and throws an AppError with `details.outcome` (contracts/outbound/connectors.ts) and `details.reason`; when calls are
 * limited, `reason` is rate_limited and `retryAfterSeconds` says for how long.
 */
export interface TrackerPort {
  /** Whether the token may read the repository or project. */
  check(place: TrackerPlace): Promise<void>;
  issues(place: TrackerPlace, query: IssueQuery): Promise<IssuePage>;
  /**
   * Whether an issue is still among those of the filter, whatever its state.
   * @returns why not; null: it is
   */
  away(place: TrackerPlace, number: number, filter: Pick<IssueQuery, 'labels' | 'assignee'>): Promise<IssueAway | null>;
  /** Those changed at or after `since`, page by page. */
  comments(
    place: TrackerPlace,
    number: number,
    asked: { since: string | null; page?: string },
  ): Promise<{ comments: IssueComment[]; next: string | null }>;
  /**
   * @param text in Markdown
   * @param marker a UUID (version 4) by which the comment is found again
   * @returns the id of the new comment
   */
  comment(place: TrackerPlace, number: number, text: string, marker: string): Promise<string>;
  /** A repeat changes nothing. */
  close(place: TrackerPlace, number: number): Promise<void>;
  /** Null: this kind has issues alone. */
  pulls: PullPort | null;
}

export interface PullPort {
  /** The latest pull request of a branch, whatever its state. */
  of(place: TrackerPlace, wanted: Pick<PullWanted, 'branch' | 'base'>): Promise<Pull | null>;
  /** @returns `exists`: the branch has an open one, also when it was made at this moment */
  open(place: TrackerPlace, wanted: PullWanted): Promise<Pull | 'exists'>;
  read(place: TrackerPlace, number: number): Promise<Pull>;
}

export type TrackerPorts = Record<TrackerKind, TrackerPort>;
