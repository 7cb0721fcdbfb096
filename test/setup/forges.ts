/** Servers that speak the REST APIs of GitHub and GitLab, as their documentation shows them, over one repository. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TrackerKind } from '../../contracts/work/trackers.ts';

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
}

export interface ForgeComment {
  id: number;
  number: number;
  author: string;
  bot: boolean;
  body: string;
  created: string;
  updated: string;
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
const me = 'signalbox-bot';

interface Asked {
  method: string;
  /** After the repository's part. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

interface Answer {
  status: number;
  body: unknown;
  /** Entries of a list, of which one page is answered. */
  listed?: boolean;
}

export async function openForge(kind: TrackerKind, token = 'forge-token-0123456789'): Promise<Forge> {
  const dialect = kind === 'github' ? github : gitlab;
  const forge = {
    kind,
    url: '',
    repository: kind === 'github' ? 'acme/shop' : 'acme/web/shop',
    token,
    issues: [] as ForgeIssue[],
    comments: [] as ForgeComment[],
    pulls: [] as ForgePull[],
    requests: [] as string[],
    mishaps: [] as Mishap[],
    readMishaps: [] as Mishap[],
    held: null,
    file(given = {}) {
      const number = given.number ?? forge.issues.length + 1;
      const issue: ForgeIssue = {
        title: `Issue ${number}`,
        body: `Body of ${number}`,
        state: 'open',
        labels: [],
        assignee: null,
        author: 'octocat',
        updated: now(kind),
        ...given,
        number,
      };
      forge.issues.push(issue);
      return issue;
    },
    change(number, change) {
      Object.assign(
        forge.issues.find((issue) => issue.number === number)!,
        { updated: now(kind), ...change },
      );
    },
    say(number, author, body, bot = false) {
      const comment = { id: 9_000 + forge.comments.length, number, author, bot, body, created: now(kind), updated: now(kind) };
      forge.comments.push(comment);
      forge.change(number, {});
      return comment;
    },
    written: (number) => forge.comments.filter((each) => each.number === number && each.author === me).map(({ body }) => body),
    end(number, state, commit) {
      Object.assign(
        forge.pulls.find((pull) => pull.number === number)!,
        { state, commit: commit ?? null },
      );
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  } as Forge;
  const server = createServer((request, response) => void serve(forge, dialect, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  forge.url = `${origin}${kind === 'github' ? '/api/v3' : '/api/v4'}`;
  return forge;
}

/** GitHub's times have seconds, GitLab's milliseconds. */
const now = (kind: TrackerKind): string => (kind === 'github' ? `${new Date().toISOString().slice(0, 19)}Z` : new Date().toISOString());

async function serve(forge: Forge, dialect: typeof github, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET' } = request;
  const url = new URL(request.url ?? '/', 'http://forge');
  forge.requests.push(`${method} ${url.pathname}${url.search}`);
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const reads = method === 'GET';
  const mishap = (reads ? forge.readMishaps : forge.mishaps).shift();
  if (mishap === 'lost_before') return void request.socket.destroy();
  if (typeof mishap === 'object') return send(response, mishap.status, mishap.body ?? { message: 'No.' }, mishap.headers);
  if (request.headers.authorization !== `Bearer ${forge.token}`) return send(response, 401, { message: 'Bad credentials' });
  const prefix = new URL(forge.url).pathname + dialect.prefix(forge);
  if (!url.pathname.startsWith(prefix)) return send(response, 404, { message: 'Not Found' });
  const asked: Asked = {
    method,
    path: url.pathname.slice(prefix.length),
    query: url.searchParams,
    body: text === '' ? {} : JSON.parse(text),
  };
  const answer = dialect.answer(forge, asked) ?? { status: 404, body: { message: 'Not Found' } };
  if (!reads && /\/(comments|notes)$/.test(asked.path) && answer.status === 201) await forge.held?.();
  if (mishap === 'lost_after') return void request.socket.destroy();
  const headers: Record<string, string> = {};
  let { body } = answer;
  if (answer.listed) {
    const [page, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 20)];
    const all = body as unknown[];
    body = all.slice((page - 1) * size, page * size);
    if (all.length > page * size) {
      const next = new URL(url.pathname + url.search, forge.url);
      next.searchParams.set('page', String(page + 1));
      headers['link'] = `<${next.href}>; rel="next", <${next.href}>; rel="last"`;
    }
  }
  const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 32)}"`;
  if (reads) headers['etag'] = etag;
  if (reads && request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
  send(response, answer.status, body, headers);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
}

/** Issues that a query names, those that changed first first. */
function found(
  forge: Forge,
  { labels, assignee, since, state }: Record<'labels' | 'assignee' | 'since' | 'state', string | null>,
): ForgeIssue[] {
  const wanted = (labels ?? '').split(',').filter(Boolean);
  return forge.issues
    .filter((issue) => wanted.every((label) => issue.labels.includes(label)))
    .filter((issue) => assignee === null || issue.assignee === assignee)
    .filter((issue) => since === null || Date.parse(issue.updated) >= Date.parse(since))
    .filter((issue) => state === null || state === 'all' || issue.state === (state === 'opened' ? 'open' : state))
    .sort((one, other) => Date.parse(one.updated) - Date.parse(other.updated) || one.number - other.number);
}

function speak(forge: Forge, number: number, body: unknown): ForgeComment {
  const comment = forge.say(number, me, String(body));
  return comment;
}

const openPullOf = (forge: Forge, head: string): ForgePull | undefined =>
  forge.pulls.find((pull) => pull.head === head && pull.state === 'open');

function makePull(forge: Forge, fields: Pick<ForgePull, 'head' | 'base' | 'title' | 'body'>): ForgePull {
  const pull: ForgePull = { ...fields, number: 500 + forge.pulls.length, state: 'open', commit: null };
  forge.pulls.push(pull);
  return pull;
}

const user = (login: string, type = 'User') => ({
  login,
  id: login.length,
  type,
  site_admin: false,
  html_url: `https://github.test/${login}`,
});

const github = {
  prefix: (forge: Forge): string => `/repos/${forge.repository}`,

  answer(forge: Forge, { method, path, query, body }: Asked): Answer | null {
    const web = `https://github.test/${forge.repository}`;
    const issueOf = (issue: ForgeIssue) => ({
      id: 1_000 + issue.number,
      number: issue.number,
      title: issue.title,
      body: issue.body,
      state: issue.state,
      state_reason: issue.state === 'closed' ? 'completed' : null,
      locked: false,
      html_url: `${web}/${issue.pull ? 'pull' : 'issues'}/${issue.number}`,
      labels: issue.labels.map((name, id) => ({ id, name, color: 'ededed', default: false, description: null })),
      assignee: issue.assignee === null ? null : user(issue.assignee),
      user: user(issue.author),
      comments: forge.comments.filter(({ number }) => number === issue.number).length,
      created_at: issue.updated,
      updated_at: issue.updated,
      ...(issue.pull ? { pull_request: { url: `${forge.url}/repos/${forge.repository}/pulls/${issue.number}`, merged_at: null } } : {}),
    });
    const commentOf = (comment: ForgeComment) => ({
      id: comment.id,
      body: comment.body,
      user: user(comment.author, comment.bot ? 'Bot' : 'User'),
      html_url: `${web}/issues/${comment.number}#issuecomment-${comment.id}`,
      created_at: comment.created,
      updated_at: comment.updated,
    });
    const pullOf = (pull: ForgePull) => ({
      number: pull.number,
      html_url: `${web}/pull/${pull.number}`,
      state: pull.state === 'open' ? 'open' : 'closed',
      title: pull.title,
      body: pull.body,
      draft: false,
      head: { ref: pull.head },
      base: { ref: pull.base },
      merged_at: pull.state === 'merged' ? '2027-03-20T10:00:00Z' : null,
      // While it is open, GitHub tries a merge out.
      merge_commit_sha: pull.commit ?? 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    });
    if (path === '') return { status: 200, body: { full_name: forge.repository, private: true, has_issues: true } };
    if (path === '/issues' && method === 'GET') {
      const listed = found(forge, {
        labels: query.get('labels'),
        assignee: query.get('assignee'),
        since: query.get('since'),
        state: query.get('state') ?? 'open',
      });
      return { status: 200, body: listed.map(issueOf), listed: true };
    }
    if (path === '/pulls' && method === 'GET') {
      const head = (query.get('head') ?? '').replace(/^[^:]*:/, '');
      return {
        status: 200,
        body: forge.pulls
          .filter((pull) => pull.head === head)
          .reverse()
          .map(pullOf),
        listed: true,
      };
    }
    if (path === '/pulls') {
      const fields = body as unknown as Pick<ForgePull, 'head' | 'base' | 'title' | 'body'>;
      const refused = (message: string): Answer => ({
        status: 422,
        body: { message: 'Validation Failed', errors: [{ resource: 'PullRequest', code: 'custom', message }] },
      });
      if (openPullOf(forge, fields.head)) return refused(`A pull request already exists for acme:${fields.head}.`);
      if (fields.head.includes('empty')) return refused(`No commits between ${fields.base} and ${fields.head}`);
      return { status: 201, body: pullOf(makePull(forge, fields)) };
    }
    const [, what, id, rest] = /^\/(issues|pulls)\/(\d+)(\/comments)?$/.exec(path) ?? [];
    if (what === 'pulls') {
      const pull = forge.pulls.find(({ number }) => number === Number(id));
      return pull ? { status: 200, body: pullOf(pull) } : null;
    }
    const issue = forge.issues.find(({ number }) => number === Number(id));
    if (what === undefined || !issue) return null;
    if (rest === undefined && method === 'PATCH') {
      forge.change(issue.number, { state: body['state'] as 'closed' });
      return { status: 200, body: issueOf(issue) };
    }
    if (method === 'POST') return { status: 201, body: commentOf(speak(forge, issue.number, body['body'])) };
    const since = query.get('since');
    const listed = forge.comments.filter(
      ({ number, updated }) => number === issue.number && (since === null || Date.parse(updated) >= Date.parse(since)),
    );
    return { status: 200, body: listed.map(commentOf), listed: true };
  },
};

const gitlab: typeof github = {
  prefix: (forge) => `/projects/${encodeURIComponent(forge.repository)}`,

  answer(forge, { method, path, query, body }) {
    const web = `https://gitlab.test/${forge.repository}/-`;
    const issueOf = (issue: ForgeIssue) => ({
      id: 1_000 + issue.number,
      iid: issue.number,
      project_id: 7,
      title: issue.title,
      description: issue.body,
      state: issue.state === 'open' ? 'opened' : 'closed',
      web_url: `${web}/issues/${issue.number}`,
      labels: issue.labels,
      author: { id: 1, username: issue.author, state: 'active' },
      assignees: issue.assignee === null ? [] : [{ username: issue.assignee }],
      user_notes_count: forge.comments.filter(({ number, bot }) => number === issue.number && !bot).length,
      created_at: issue.updated,
      updated_at: issue.updated,
    });
    const noteOf = (comment: ForgeComment) => ({
      id: comment.id,
      type: null,
      body: comment.body,
      author: { id: 1, username: comment.author, state: 'active' },
      system: comment.bot,
      noteable_type: 'Issue',
      noteable_iid: comment.number,
      created_at: comment.created,
      updated_at: comment.updated,
    });
    const mergeOf = (pull: ForgePull) => ({
      iid: pull.number,
      web_url: `${web}/merge_requests/${pull.number}`,
      state: pull.state === 'open' ? 'opened' : pull.state,
      title: pull.title,
      description: pull.body,
      source_branch: pull.head,
      target_branch: pull.base,
      sha: '5'.repeat(40),
      merge_commit_sha: pull.commit,
      squash_commit_sha: null,
    });
    if (path === '') return { status: 200, body: { id: 7, path_with_namespace: forge.repository, issues_access_level: 'enabled' } };
    if (path === '/issues' && method === 'GET') {
      const listed = found(forge, {
        labels: query.get('labels'),
        assignee: query.get('assignee_username'),
        since: query.get('updated_after'),
        state: query.get('state'),
      });
      return { status: 200, body: listed.map(issueOf), listed: true };
    }
    if (path === '/merge_requests' && method === 'GET') {
      const listed = forge.pulls.filter((pull) => pull.head === query.get('source_branch')).reverse();
      return { status: 200, body: listed.map(mergeOf), listed: true };
    }
    if (path === '/merge_requests') {
      const { source_branch: head, target_branch: base, title, description } = body as Record<string, string>;
      if (openPullOf(forge, head!))
        return { status: 409, body: { message: ['Another open merge request already exists for this source branch: !500'] } };
      return { status: 201, body: mergeOf(makePull(forge, { head: head!, base: base!, title: title!, body: description! })) };
    }
    const [, what, id, rest] = /^\/(issues|merge_requests)\/(\d+)(\/notes)?$/.exec(path) ?? [];
    if (what === 'merge_requests') {
      const pull = forge.pulls.find(({ number }) => number === Number(id));
      return pull ? { status: 200, body: mergeOf(pull) } : null;
    }
    const issue = forge.issues.find(({ number }) => number === Number(id));
    if (what === undefined || !issue) return null;
    if (rest === undefined && method === 'PUT') {
      if (body['state_event'] === 'close') forge.change(issue.number, { state: 'closed' });
      return { status: 200, body: issueOf(issue) };
    }
    if (method === 'POST') return { status: 201, body: noteOf(speak(forge, issue.number, body['body'])) };
    const listed = forge.comments
      .filter(({ number }) => number === issue.number)
      .sort((one, other) => Date.parse(one.updated) - Date.parse(other.updated) || one.id - other.id);
    return { status: 200, body: listed.map(noteOf), listed: true };
  },
};
