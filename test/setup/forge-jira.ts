/** The REST API of Jira: Cloud when the token belongs to an address, otherwise Data Center. */
import { found, me, type Answer, type Asked, type Dialect, type Forge, type ForgeComment, type ForgeIssue } from './forge-base.ts';

/** Its times have milliseconds and a zone without colon. */
const timeOf = (time: string): string => new Date(time).toISOString().replace('Z', '+0000');
const isCloud = (forge: Forge): boolean => forge.token.includes('@');

interface Node {
  type: string;
  text?: string;
  marks?: { type: string }[];
  content?: Node[];
}

/** A document as version 2 of the API gives it: as wiki markup. */
export function wikiFrom({ type, text = '', marks = [], content = [] }: Node): string {
  const inside = content.map(wikiFrom).join(type === 'doc' || type === 'blockquote' ? '\n\n' : '');
  switch (type) {
    case 'text':
      return marks.some((mark) => mark.type === 'code') ? `{{${text}}}` : text;
    case 'hardBreak':
      return '\n';
    case 'blockquote':
      return `{quote}${inside}{quote}`;
    default:
      return inside;
  }
}

/** The JQL that we ask in; anything else is refused. */
function asked(forge: Forge, jql: string): ForgeIssue[] | string {
  const [, where, order] = /^(.*) order by (updated asc, key asc)$/.exec(jql) ?? [];
  if (where === undefined || order === undefined) return `Error in the JQL Query: ${jql}`;
  const labels: string[] = [];
  let state: string | null = null;
  let assignee: string | null = null;
  let since: string | null = null;
  for (const condition of where.split(/ and (?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)/)) {
    const [, field, operator, raw] = /^(\w+) (=|!=|>=) (.*)$/.exec(condition) ?? [];
    const value = raw?.replace(/^"(.*)"$/, '$1').replaceAll(/\\(.)/g, '$1');
    if (field === 'project' && operator === '=') {
      if (value !== forge.repository) return `The value '${value}' does not exist for the field 'project'.`;
    } else if (field === 'statusCategory' && operator === '!=' && value === 'Done') state = 'open';
    else if (field === 'labels' && operator === '=') labels.push(value!);
    else if (field === 'assignee' && operator === '=') assignee = value!;
    else if (field === 'updated' && operator === '>=' && /^-\d+m$/.test(value!)) {
      // Whole minutes of its own clock.
      const minute = Math.floor(Date.now() / 60_000) * 60_000;
      since = new Date(minute - Number(value!.slice(1, -1)) * 60_000).toISOString();
    } else return `Field '${field}' does not exist or this field cannot be viewed by anonymous users.`;
  }
  return found(forge, { labels: null, assignee, since, state }).filter((issue) => labels.every((label) => issue.labels.includes(label)));
}

const refused = (message: string): Answer => ({ status: 400, body: { errorMessages: [message], errors: {} } });
const statusOf = (issue: ForgeIssue) => ({
  name: issue.state === 'open' ? 'In Progress' : 'Done',
  statusCategory: { id: issue.state === 'open' ? 4 : 3, key: issue.state === 'open' ? 'indeterminate' : 'done' },
});
const userOf = (name: string, type = 'atlassian') => ({ accountId: `id:${name}`, displayName: name, accountType: type, active: true });

const issueOf = (forge: Forge, issue: ForgeIssue) => ({
  id: String(10_000 + issue.number),
  key: `${forge.repository}-${issue.number}`,
  fields: {
    summary: issue.title,
    description: issue.body,
    status: statusOf(issue),
    labels: issue.labels,
    creator: userOf(issue.author),
    assignee: issue.assignee === null ? null : userOf(issue.assignee),
    updated: timeOf(issue.updated),
  },
});

const commentOf = (comment: ForgeComment) => ({
  id: String(comment.id),
  body: comment.body,
  author: userOf(comment.author, comment.bot ? 'app' : 'atlassian'),
  created: timeOf(comment.created),
  updated: timeOf(comment.updated),
  jsdPublic: true,
});

function search(forge: Forge, query: URLSearchParams): Answer {
  const listed = asked(forge, query.get('jql') ?? '');
  if (typeof listed === 'string') return refused(listed);
  const from = Number(query.get(isCloud(forge) ? 'nextPageToken' : 'startAt') ?? 0);
  const size = Number(query.get('maxResults'));
  const issues = listed.slice(from, from + size).map((issue) => issueOf(forge, issue));
  if (!isCloud(forge)) return { status: 200, body: { startAt: from, maxResults: size, total: listed.length, issues } };
  const more = listed.length > from + size;
  return { status: 200, body: { issues, isLast: !more, ...(more ? { nextPageToken: String(from + size) } : {}) } };
}

function comments(forge: Forge, issue: ForgeIssue, { method, path, query, body }: Asked): Answer {
  if (method === 'POST') {
    const text = path.startsWith('/rest/api/3/') ? wikiFrom(body['body'] as Node) : body['body'];
    if (typeof text !== 'string')
      return { status: 400, body: { errorMessages: [], errors: { comment: 'Operation value must be a string' } } };
    const comment = forge.say(issue.number, me, text);
    comment.properties = body['properties'] as NonNullable<ForgeComment['properties']>;
    return { status: 201, body: commentOf(comment), spoke: true };
  }
  const own = forge.comments.filter(({ number }) => number === issue.number);
  const [from, size] = [Number(query.get('startAt')), Number(query.get('maxResults'))];
  const shown = own.slice(from, from + size).map((comment) => ({
    ...commentOf(comment),
    ...(query.get('expand') === 'properties' ? { properties: comment.properties ?? [] } : {}),
  }));
  return { status: 200, body: { startAt: from, maxResults: size, total: own.length, comments: shown } };
}

export const jira: Dialect = {
  repository: 'SHOP',
  token: 'bot@acme.test:forge-token-0123456789',
  path: '',
  prefix: () => '',
  authorization: (token) => (token.includes('@') ? `Basic ${Buffer.from(token).toString('base64')}` : `Bearer ${token}`),
  now: () => new Date().toISOString(),
  reads: ({ method }) => method === 'GET',

  answer(forge, request) {
    const { method, path, query, body } = request;
    if (path === `/rest/api/2/project/${forge.repository}`) return { status: 200, body: { id: '7', key: forge.repository } };
    if (path === '/rest/api/2/search/jql') return isCloud(forge) ? search(forge, query) : null;
    if (path === '/rest/api/2/search')
      return isCloud(forge) ? { status: 410, body: { errorMessages: ['The requested API has been removed.'] } } : search(forge, query);
    const [, key, rest] = /^\/rest\/api\/[23]\/issue\/([A-Z]+-\d+)(\/\w+)?$/.exec(path) ?? [];
    const issue = forge.issues.find(({ number }) => key === `${forge.repository}-${number}`);
    if (!issue || issue.away === 'deleted') return null;
    // The former key leads to the issue.
    if (rest === undefined && issue.away === 'moved') return { status: 200, body: { ...issueOf(forge, issue), key: 'OTHER-70' } };
    if (rest === undefined) return { status: 200, body: issueOf(forge, issue) };
    if (rest === '/comment') return comments(forge, issue, request);
    if (rest !== '/transitions') return null;
    const transitions = [
      { id: '11', name: 'Start', to: statusOf({ ...issue, state: 'open' }) },
      { id: '21', name: "Won't do", to: statusOf({ ...issue, state: 'closed' }) },
      { id: '31', name: 'Done', to: statusOf({ ...issue, state: 'closed' }) },
    ];
    if (method === 'GET') return { status: 200, body: { transitions: issue.state === 'open' ? transitions : transitions.slice(0, 1) } };
    if ((body['transition'] as { id: string }).id !== '31') return refused('It is not on the appropriate status.');
    forge.change(issue.number, { state: 'closed' });
    return { status: 204, body: null };
  },
};
