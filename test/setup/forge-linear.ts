/** The GraphQL API of Linear, for the operations that we ask. */
import { found, me, type Answer, type Dialect, type Forge, type ForgeComment, type ForgeIssue } from './forge-base.ts';

interface Filter {
  team: { key: { eq: string } };
  state?: { type: { nin: string[] } };
  and: { labels: { some: { name: { eq: string } } } }[];
  assignee?: { or: Record<string, { eq: string }>[] };
  or?: [{ updatedAt: { gte: string } }, { comments: { some: { updatedAt: { gte: string } } } }];
}

const failed = (message: string, type: string, code: string, status = 200): Answer => ({
  status,
  body: { errors: [{ message, path: [], extensions: { type, code, userError: true } }], data: null },
});
const missing = (what: string): Answer => failed(`Entity not found: ${what}`, 'invalid input', 'INPUT_ERROR');
const data = (body: object): Answer => ({ status: 200, body: { data: body } });

const issueOf = (forge: Forge, issue: ForgeIssue) => ({
  number: issue.number,
  title: issue.title,
  description: issue.body,
  url: `https://linear.test/acme/issue/${forge.repository}-${issue.number}/slug`,
  updatedAt: new Date(issue.updated).toISOString(),
  state: { type: issue.state === 'open' ? 'started' : 'completed' },
  labels: { nodes: issue.labels.map((name) => ({ name })) },
  creator: { displayName: issue.author },
  externalUserCreator: null,
  comments: { nodes: forge.comments.filter(({ number }) => number === issue.number).slice(0, 1) },
});

const commentOf = ({ id, body, author, bot, created, updated }: ForgeComment) => ({
  id: String(id),
  body,
  user: bot ? null : { displayName: author },
  externalUser: null,
  botActor: bot ? { name: author } : null,
  createdAt: created,
  updatedAt: updated,
});

function issues(forge: Forge, { filter, size, before }: { filter: Filter; size: number; before?: string }): Answer {
  if (filter.team.key.eq !== forge.repository) return data({ issues: { nodes: [], pageInfo: { hasPreviousPage: false } } });
  const since = filter.or?.[0].updatedAt.gte ?? null;
  const said = (issue: ForgeIssue): boolean =>
    forge.comments.some((comment) => comment.number === issue.number && Date.parse(comment.updated) >= Date.parse(since!));
  const assignee = filter.assignee?.or[0]?.['displayName']?.eq ?? null;
  const labels = filter.and.map(({ labels: { some } }) => some.name.eq);
  const listed = found(forge, { labels: null, assignee, since: null, state: filter.state ? 'open' : null })
    .filter((issue) => labels.every((label) => issue.labels.includes(label)))
    .filter((issue) => since === null || Date.parse(issue.updated) >= Date.parse(since) || said(issue))
    .reverse();
  // What changed last comes first, and pages are read from the end.
  const end = before === undefined ? listed.length : Number(before);
  const start = Math.max(0, end - size);
  return data({
    issues: {
      nodes: listed.slice(start, end).map((issue) => issueOf(forge, issue)),
      pageInfo: { hasPreviousPage: start > 0, startCursor: start > 0 ? String(start) : null },
    },
  });
}

function comments(
  forge: Forge,
  issue: ForgeIssue,
  given: { filter: { updatedAt: { gte: string } } | null; size: number; after?: string },
): Answer {
  const from = given.filter === null ? 0 : Date.parse(given.filter.updatedAt.gte);
  const own = forge.comments.filter(({ number, updated }) => number === issue.number && Date.parse(updated) >= from);
  const start = Number(given.after ?? 0);
  const nodes = own.slice(start, start + given.size).map(commentOf);
  const more = own.length > start + given.size;
  return data({ issue: { comments: { nodes, pageInfo: { hasNextPage: more, endCursor: more ? String(start + given.size) : null } } } });
}

function say(forge: Forge, { id, issueId, body }: { id: string; issueId: string; body: string }): Answer {
  const issue = issueNamed(forge, issueId);
  if (!issue) return missing('Issue');
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))
    return failed('Argument Validation Error: id must be a UUID', 'invalid input', 'INVALID_INPUT', 400);
  if (forge.comments.some((comment) => comment.id === id)) return failed('Conflict on insert of Comment', 'invalid input', 'INPUT_ERROR');
  const comment = forge.say(issue.number, me, body);
  comment.id = id;
  return { ...data({ commentCreate: { comment: { id } } }), spoke: true };
}

const issueNamed = (forge: Forge, id: string): ForgeIssue | undefined =>
  forge.issues.find(({ number }) => id === `${forge.repository}-${number}`);

export const linear: Dialect = {
  repository: 'ENG',
  token: 'lin_api_0123456789',
  path: '',
  prefix: () => '',
  authorization: (token) => token,
  now: () => new Date().toISOString(),
  reads: ({ body }) => !String(body['query']).startsWith('mutation'),

  answer(forge, { path, body }) {
    if (path !== '/graphql') return null;
    const [, operation] = /^(?:query|mutation) (\w+)/.exec(String(body['query'])) ?? [];
    const given = body['variables'] as Record<string, string>;
    if (operation === 'Issues') return issues(forge, given as never);
    if (operation === 'Team') return data({ teams: { nodes: given['key'] === forge.repository ? [{ id: 'team' }] : [] } });
    if (operation === 'Say') return say(forge, given['input'] as never);
    if (operation === 'Comment') {
      const there = forge.comments.some(({ id }) => id === given['id']);
      return there ? data({ comment: { id: given['id'] } }) : missing('Comment');
    }
    const issue = issueNamed(forge, given['id']!);
    if (!issue) return missing('Issue');
    if (operation === 'Away') {
      return data({
        issue: {
          trashed: issue.away === 'deleted' ? true : null,
          team: { key: issue.away === 'moved' ? 'OTHER' : forge.repository },
          labels: { nodes: issue.labels.map((name) => ({ name })) },
          assignee: issue.assignee === null ? null : { displayName: issue.assignee, email: 'a@b.test', name: 'A B' },
        },
      });
    }
    if (operation === 'Comments') return comments(forge, issue, given as never);
    const done = [
      { id: 'shipped', position: 9 },
      { id: 'done', position: 3 },
    ];
    if (operation === 'States') return data({ issue: { state: issueOf(forge, issue).state, team: { states: { nodes: done } } } });
    if (operation !== 'Close' || given['state'] !== 'done')
      return failed('Unknown operation', 'graphql error', 'GRAPHQL_VALIDATION_FAILED', 400);
    forge.change(issue.number, { state: 'closed' });
    return data({ issueUpdate: { success: true } });
  },
};
