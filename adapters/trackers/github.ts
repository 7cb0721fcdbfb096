import { AppError } from '../../contracts/errors.ts';
import { awayOf } from './away.ts';
import { marked, markerIn } from './markers.ts';
import { asking, nextOf, perPage, query } from './requests.ts';
import type { Issue, IssueComment, Pull, TrackerPlace, TrackerPort } from './types.ts';

interface User {
  login: string;
  type?: string;
}

interface GitHubIssue {
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  html_url: string;
  labels: (string | { name?: string })[];
  user: User | null;
  assignees?: User[] | null;
  comments: number;
  updated_at: string;
  /** Pull requests are listed among the issues. */
  pull_request?: object;
}

interface GitHubComment {
  id: number;
  body?: string | null;
  user: User | null;
  created_at: string;
  updated_at: string;
}

interface GitHubPull {
  number: number;
  html_url: string;
  state: 'open' | 'closed';
  merged_at: string | null;
  /** While it is open, a merge that GitHub tries out. */
  merge_commit_sha: string | null;
}

/** GitHub and GitHub Enterprise Server, by their REST API. */
export function github(fetched: typeof fetch): TrackerPort {
  const ask = asking(fetched, 'GitHub', () => ({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }));
  const repo = ({ repository }: TrackerPlace): string => `/repos/${repository}`;
  return {
    check: async (place) => void (await ask(place, { to: repo(place) })),

    async issues(place, { since, state, labels, assignee, etag, page }) {
      const first = `${repo(place)}/issues?${query({ state, since: seconds(since), labels: labels.join(','), assignee, sort: 'updated', direction: 'asc', per_page: perPage })}`;
      const answer = await ask(place, { to: page ?? first, etag });
      const listed = (answer.body ?? []) as GitHubIssue[];
      return {
        issues: listed.filter((each) => !each.pull_request).map(issueOf),
        next: nextOf(answer.headers),
        etag: answer.headers.get('etag'),
        unchanged: answer.status === 304,
        until: listed.at(-1)?.updated_at ?? null,
      };
    },

    away: (place, number, filter) =>
      awayOf(filter, async () => {
        const issue = (await ask(place, { to: `${repo(place)}/issues/${number}` })).body as GitHubIssue;
        const names = (issue.assignees ?? []).map(({ login }) => login);
        // As the list of issues is asked: `*` is anybody, `none` nobody.
        return { labels: namesOf(issue.labels), assignees: names.length === 0 ? ['none'] : [...names, '*'] };
      }),

    async comments(place, number, { since, page }) {
      const first = `${repo(place)}/issues/${number}/comments?${query({ since: seconds(since), per_page: perPage })}`;
      const { body, headers } = await ask(place, { to: page ?? first });
      return { comments: (body as GitHubComment[]).map(commentOf), next: nextOf(headers) };
    },

    async comment(place, number, text, marker) {
      const body = { body: marked(text, marker) };
      const answer = await ask(place, { to: `${repo(place)}/issues/${number}/comments`, method: 'POST', body });
      return String((answer.body as GitHubComment).id);
    },

    close: async (place, number) =>
      void (await ask(place, {
        to: `${repo(place)}/issues/${number}`,
        method: 'PATCH',
        body: { state: 'closed', state_reason: 'completed' },
      })),

    pulls: {
      async of(place, { branch, base }) {
        const [owner] = place.repository.split('/');
        const found = query({ head: `${owner}:${branch}`, base, state: 'all', sort: 'created', direction: 'desc', per_page: 1 });
        const [pull] = (await ask(place, { to: `${repo(place)}/pulls?${found}` })).body as GitHubPull[];
        return pull ? pullFrom(pull) : null;
      },

      async open(place, { branch, base, title, body }) {
        const said = { title, head: branch, base, body };
        const answer = await ask(place, { to: `${repo(place)}/pulls`, method: 'POST', body: said }).catch((error: unknown) => {
          if (error instanceof AppError && /pull request already exists/i.test(String(error.details?.['said']))) return null;
          throw error;
        });
        return answer === null ? 'exists' : pullFrom(answer.body as GitHubPull);
      },

      read: async (place, number) => pullFrom((await ask(place, { to: `${repo(place)}/pulls/${number}` })).body as GitHubPull),
    },
  };
}

/** Its times have no fractions. */
const seconds = (time: string | null): string | null => time?.replace(/\.\d+Z$/, 'Z') ?? null;

const namesOf = (labels: GitHubIssue['labels']): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter(Boolean);

const issueOf = (issue: GitHubIssue): Issue => ({
  number: issue.number,
  title: issue.title,
  body: issue.body ?? '',
  state: issue.state,
  url: issue.html_url,
  labels: namesOf(issue.labels),
  author: issue.user?.login ?? 'ghost',
  comments: issue.comments,
  updatedAt: issue.updated_at,
});

const commentOf = (comment: GitHubComment): IssueComment => ({
  id: String(comment.id),
  author: comment.user?.login ?? 'ghost',
  automatic: comment.user?.type === 'Bot',
  body: comment.body ?? '',
  marker: markerIn(comment.body ?? ''),
  createdAt: comment.created_at,
  updatedAt: comment.updated_at,
});

const pullFrom = ({ number, html_url: url, state, merged_at, merge_commit_sha }: GitHubPull): Pull =>
  merged_at === null ? { number, url, state, mergedCommit: null } : { number, url, state: 'merged', mergedCommit: merge_commit_sha };
