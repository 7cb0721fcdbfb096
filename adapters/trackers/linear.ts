import { AppError } from '../../contracts/errors.ts';
import { providerError } from '../connectors/failures.ts';
import { awayOf } from './away.ts';
import { asking, perPage, refused } from './requests.ts';
import type { Issue, IssueComment, IssueQuery, TrackerPlace, TrackerPort } from './types.ts';

interface LinearIssue {
  number: number;
  title: string;
  description: string | null;
  url: string;
  updatedAt: string;
  state: { type: string };
  labels: { nodes: { name: string }[] };
  creator: { displayName: string } | null;
  externalUserCreator: { displayName: string } | null;
  comments: { nodes: object[] };
}

interface LinearPresence {
  /** Deleted, and kept for some weeks. */
  trashed: boolean | null;
  team: { key: string };
  labels: { nodes: { name: string }[] };
  assignee: { displayName: string; email: string; name: string } | null;
}

interface LinearComment {
  id: string;
  body: string;
  createdAt: string;
  updatedAt: string;
  user: { displayName: string } | null;
  externalUser: { displayName: string } | null;
  botActor: { name: string | null } | null;
}

interface Page {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

interface Failure {
  message?: string;
  extensions?: { code?: string; type?: string; userPresentableMessage?: string };
}

/** Lists begin with what changed last, so they are read from their end. */
const issuesQuery = `query Issues($filter: IssueFilter, $size: Int, $before: String) {
  issues(filter: $filter, last: $size, before: $before, orderBy: updatedAt) {
    nodes { number title description url updatedAt state { type } labels(first: 50) { nodes { name } } creator { displayName }
      externalUserCreator { displayName } comments(first: 1) { nodes { id } } }
    pageInfo { hasPreviousPage startCursor }
  }
}`;
const commentsQuery = `query Comments($id: String!, $filter: CommentFilter, $size: Int, $after: String) {
  issue(id: $id) {
    comments(filter: $filter, first: $size, after: $after) {
      nodes { id body createdAt updatedAt user { displayName } externalUser { displayName } botActor { name } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
const teamQuery = 'query Team($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id } } }';
const statesQuery = `query States($id: String!) {
  issue(id: $id) { state { type } team { states(filter: { type: { eq: "completed" } }) { nodes { id position } } } }
}`;
const awayQuery = `query Away($id: String!) {
  issue(id: $id) { trashed team { key } labels(first: 50) { nodes { name } } assignee { displayName email name } }
}`;
const commentQuery = 'query Comment($id: String!) { comment(id: $id) { id } }';
const commentMutation = 'mutation Say($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id } } }';
const closeMutation = 'mutation Close($id: String!, $state: String!) { issueUpdate(id: $id, input: { stateId: $state }) { success } }';

/** Linear, by its GraphQL API. A team's key stands for the repository. */
export function linear(fetched: typeof fetch): TrackerPort {
  // A key of a person is sent as it is, an access token of an application as a bearer.
  const ask = asking(fetched, 'Linear', ({ token }) => (token.startsWith('lin_api_') ? { authorization: token } : {}));

  async function run<T>(place: TrackerPlace, text: string, variables: object): Promise<T> {
    const answer = await ask(place, { to: '/graphql', method: 'POST', body: { query: text, variables }, also: [400] });
    const { data, errors } = answer.body as { data?: T | null; errors?: Failure[] };
    if (errors?.length) throw failureOf(errors[0]!, answer.headers);
    if (!data) throw providerError('SERVICE_UNAVAILABLE', 'Linear answered without data.', 'unknown', 'no_data');
    return data;
  }
  const idOf = ({ repository }: TrackerPlace, number: number): string => `${repository}-${number}`;

  return {
    async check(place) {
      const { teams } = await run<{ teams: { nodes: object[] } }>(place, teamQuery, { key: place.repository });
      if (teams.nodes.length === 0) throw refused('Linear', 404, new Headers(), '');
    },

    async issues(place, wanted) {
      const variables = { filter: filterOf(place, wanted), size: perPage, before: wanted.page };
      const { issues } = await run<{ issues: { nodes: LinearIssue[]; pageInfo: Page } }>(place, issuesQuery, variables);
      const listed = issues.nodes.map(issueOf).sort((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt));
      return {
        issues: listed,
        next: issues.pageInfo.hasPreviousPage ? issues.pageInfo.startCursor : null,
        etag: null,
        unchanged: false,
        until: listed.at(-1)?.updatedAt ?? null,
      };
    },

    away: (place, number, filter) =>
      awayOf(filter, async () => {
        const { issue } = await run<{ issue: LinearPresence }>(place, awayQuery, { id: idOf(place, number) });
        if (issue.trashed) return 'gone';
        // The former name of a moved issue leads to it.
        if (issue.team.key !== place.repository) return 'moved';
        const { labels, assignee } = issue;
        return { labels: labels.nodes.map(({ name }) => name), assignees: [assignee?.displayName, assignee?.email, assignee?.name] };
      }),

    async comments(place, number, { since, page }) {
      const filter = since === null ? null : { updatedAt: { gte: since } };
      const variables = { id: idOf(place, number), filter, size: perPage, after: page };
      const found = await run<{ issue: { comments: { nodes: LinearComment[]; pageInfo: Page } } }>(place, commentsQuery, variables);
      const { nodes, pageInfo } = found.issue.comments;
      return { comments: nodes.map(commentOf), next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
    },

    async comment(place, number, text, marker) {
      // The marker is the comment's id, which Linear takes once.
      const input = { id: marker, issueId: idOf(place, number), body: text };
      try {
        await run(place, commentMutation, { input });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'VALIDATION_ERROR') throw error;
        // It may be refused because it is there.
        const there = await run(place, commentQuery, { id: marker }).catch(() => null);
        if (there === null) throw error;
      }
      return marker;
    },

    async close(place, number) {
      const id = idOf(place, number);
      const { issue } = await run<{ issue: { state: { type: string }; team: { states: { nodes: { id: string; position: number }[] } } } }>(
        place,
        statesQuery,
        { id },
      );
      if (isClosed(issue.state.type)) return;
      const [done] = issue.team.states.nodes.toSorted((one, other) => one.position - other.position);
      if (!done) throw providerError('VALIDATION_ERROR', 'The team has no state of the type completed.', 'refused', 'no_transition');
      await run(place, closeMutation, { id, state: done.id });
    },

    pulls: null,
  };
}

function filterOf({ repository }: TrackerPlace, { since, state, labels, assignee }: IssueQuery): object {
  return {
    team: { key: { eq: repository } },
    ...(state === 'open' ? { state: { type: { nin: closed } } } : {}),
    and: labels.map((name) => ({ labels: { some: { name: { eq: name } } } })),
    ...(assignee === null ? {} : { assignee: { or: ['displayName', 'email', 'name'].map((field) => ({ [field]: { eq: assignee } })) } }),
    // A comment does not change its issue.
    ...(since === null ? {} : { or: [{ updatedAt: { gte: since } }, { comments: { some: { updatedAt: { gte: since } } } }] }),
  };
}

const closed = ['completed', 'canceled', 'duplicate'];
const isClosed = (type: string): boolean => closed.includes(type);

const issueOf = (issue: LinearIssue): Issue => ({
  number: issue.number,
  title: issue.title,
  body: issue.description ?? '',
  state: isClosed(issue.state.type) ? 'closed' : 'open',
  url: issue.url,
  labels: issue.labels.nodes.map(({ name }) => name),
  author: (issue.creator ?? issue.externalUserCreator)?.displayName ?? 'somebody',
  comments: issue.comments.nodes.length,
  updatedAt: issue.updatedAt,
});

const commentOf = ({ id, body, createdAt, updatedAt, ...by }: LinearComment): IssueComment => {
  const person = by.user ?? by.externalUser;
  return {
    id,
    author: person?.displayName ?? by.botActor?.name ?? 'somebody',
    automatic: person === null,
    body,
    marker: id,
    createdAt,
    updatedAt,
  };
};

/** Statuses of HTTP for what Linear calls its errors. */
const statuses: Record<string, number> = {
  ratelimited: 429,
  'authentication error': 401,
  forbidden: 403,
  'feature not accessible': 403,
  'invalid input': 422,
  'user error': 422,
  'graphql error': 422,
  'usage limit exceeded': 422,
};

function failureOf({ message = '', extensions = {} }: Failure, headers: Headers): AppError {
  const { code, type = '', userPresentableMessage } = extensions;
  const said = (userPresentableMessage ?? message).replaceAll(/\s+/g, ' ').slice(0, 300);
  const missing = /not found/i.test(message);
  const status = code === 'RATELIMITED' ? 429 : missing ? 404 : (statuses[type] ?? 502);
  return refused('Linear', status, headers, said);
}
