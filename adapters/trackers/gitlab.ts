import { awayOf } from './away.ts';
import { marked, markerIn } from './markers.ts';
import { asking, nextOf, perPage, query } from './requests.ts';
import type { Issue, IssueComment, Pull, TrackerPlace, TrackerPort } from './types.ts';

interface GitLabIssue {
  iid: number;
  title: string;
  description: string | null;
  state: 'opened' | 'closed';
  web_url: string;
  labels: string[];
  author: { username: string } | null;
  assignees?: { username: string }[] | null;
  /** The issue in another project that it became. */
  moved_to_id?: number | null;
  user_notes_count: number;
  updated_at: string;
}

interface GitLabNote {
  id: number;
  body: string;
  author: { username: string } | null;
  /** Written by GitLab: "changed the description". */
  system: boolean;
  created_at: string;
  updated_at: string;
}

interface GitLabMerge {
  iid: number;
  web_url: string;
  state: 'opened' | 'closed' | 'locked' | 'merged';
  /** Of the branch. */
  sha: string | null;
  /** Null after a fast-forward. */
  merge_commit_sha: string | null;
  squash_commit_sha: string | null;
}

/** GitLab, also on servers of one's own, by its REST API (v4). */
export function gitlab(fetched: typeof fetch): TrackerPort {
  const ask = asking(fetched, 'GitLab');
  const project = ({ repository }: TrackerPlace): string => `/projects/${encodeURIComponent(repository)}`;
  return {
    check: async (place) => void (await ask(place, { to: project(place) })),

    async issues(place, { since, state, labels, assignee, etag, page }) {
      const fields = {
        scope: 'all',
        state: state === 'open' ? 'opened' : 'all',
        updated_after: since,
        labels: labels.join(','),
        assignee_username: assignee,
        order_by: 'updated_at',
        sort: 'asc',
        per_page: perPage,
      };
      const answer = await ask(place, { to: page ?? `${project(place)}/issues?${query(fields)}`, etag });
      const listed = (answer.body ?? []) as GitLabIssue[];
      return {
        issues: listed.map(issueOf),
        next: nextOf(answer.headers),
        etag: answer.headers.get('etag'),
        unchanged: answer.status === 304,
        until: listed.at(-1)?.updated_at ?? null,
      };
    },

    away: (place, number, filter) =>
      awayOf(filter, async () => {
        const issue = (await ask(place, { to: `${project(place)}/issues/${number}` })).body as GitLabIssue;
        if (isMoved(issue)) return 'moved';
        return { labels: issue.labels, assignees: (issue.assignees ?? []).map(({ username }) => username) };
      }),

    async comments(place, number, { since, page }) {
      const first = `${project(place)}/issues/${number}/notes?${query({ order_by: 'updated_at', sort: 'asc', per_page: perPage })}`;
      const { body, headers } = await ask(place, { to: page ?? first });
      const from = since === null ? 0 : Date.parse(since);
      // Notes cannot be asked for by time.
      const comments = (body as GitLabNote[]).filter((note) => Date.parse(note.updated_at) >= from).map(commentOf);
      return { comments, next: nextOf(headers) };
    },

    async comment(place, number, text, marker) {
      const body = { body: marked(text, marker) };
      const answer = await ask(place, { to: `${project(place)}/issues/${number}/notes`, method: 'POST', body });
      return String((answer.body as GitLabNote).id);
    },

    close: async (place, number) =>
      void (await ask(place, { to: `${project(place)}/issues/${number}`, method: 'PUT', body: { state_event: 'close' } })),

    pulls: {
      async of(place, { branch, base }) {
        const fields = { source_branch: branch, target_branch: base, state: 'all', order_by: 'created_at', sort: 'desc', per_page: 1 };
        const [merge] = (await ask(place, { to: `${project(place)}/merge_requests?${query(fields)}` })).body as GitLabMerge[];
        return merge ? pullFrom(merge) : null;
      },

      async open(place, { branch, base, title, body }) {
        const said = { source_branch: branch, target_branch: base, title, description: body };
        const answer = await ask(place, { to: `${project(place)}/merge_requests`, method: 'POST', body: said, also: [409] });
        return answer.status === 409 ? 'exists' : pullFrom(answer.body as GitLabMerge);
      },

      read: async (place, number) => pullFrom((await ask(place, { to: `${project(place)}/merge_requests/${number}` })).body as GitLabMerge),
    },
  };
}

const isMoved = ({ moved_to_id: to }: GitLabIssue): boolean => to !== null && to !== undefined;

const issueOf = (issue: GitLabIssue): Issue => ({
  number: issue.iid,
  title: issue.title,
  body: issue.description ?? '',
  state: issue.state === 'closed' ? 'closed' : 'open',
  ...(isMoved(issue) ? { moved: true } : {}),
  url: issue.web_url,
  labels: issue.labels,
  author: issue.author?.username ?? 'ghost',
  comments: issue.user_notes_count,
  updatedAt: issue.updated_at,
});

const commentOf = (note: GitLabNote): IssueComment => ({
  id: String(note.id),
  author: note.author?.username ?? 'ghost',
  automatic: note.system,
  body: note.body,
  marker: markerIn(note.body),
  createdAt: note.created_at,
  updatedAt: note.updated_at,
});

const pullFrom = ({ iid: number, web_url: url, state, ...merge }: GitLabMerge): Pull =>
  state === 'merged'
    ? { number, url, state, mergedCommit: merge.merge_commit_sha ?? merge.squash_commit_sha ?? merge.sha }
    : { number, url, state: state === 'closed' ? 'closed' : 'open', mergedCommit: null };
