/** Servers that speak the APIs of trackers, as their documentation shows them, over one repository or project. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TrackerKind } from '../../contracts/work/tracker-kinds.ts';
import type { Asked, Dialect, Forge, ForgeComment, ForgeIssue, ForgePull, Mishap } from './forge-base.ts';
import { me } from './forge-base.ts';
import { github, gitlab } from './forge-git.ts';
import { jira } from './forge-jira.ts';
import { linear } from './forge-linear.ts';

export type { Forge } from './forge-base.ts';

const dialects: Record<TrackerKind, Dialect> = { github, gitlab, jira, linear };

export async function openForge(kind: TrackerKind, given?: string): Promise<Forge> {
  const dialect = dialects[kind];
  const forge = {
    kind,
    url: '',
    repository: dialect.repository,
    token: given ?? dialect.token,
    issues: [] as ForgeIssue[],
    comments: [] as ForgeComment[],
    pulls: [] as ForgePull[],
    requests: [] as string[],
    mishaps: [] as Mishap[],
    readMishaps: [] as Mishap[],
    held: null,
    file(wanted = {}) {
      const number = wanted.number ?? forge.issues.length + 1;
      const issue: ForgeIssue = {
        title: `Issue ${number}`,
        body: `Body of ${number}`,
        state: 'open',
        labels: [],
        assignee: null,
        author: 'octocat',
        updated: dialect.now(),
        ...wanted,
        number,
      };
      forge.issues.push(issue);
      return issue;
    },
    change(number, change) {
      Object.assign(
        forge.issues.find((issue) => issue.number === number)!,
        { updated: dialect.now(), ...change },
      );
    },
    say(number, author, body, bot = false) {
      const comment = { id: 9_000 + forge.comments.length, number, author, bot, body, created: dialect.now(), updated: dialect.now() };
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
  forge.url = `${origin}${dialect.path}`;
  return forge;
}

async function serve(forge: Forge, dialect: Dialect, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET' } = request;
  const url = new URL(request.url ?? '/', 'http://forge');
  forge.requests.push(`${method} ${url.pathname}${url.search}`);
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body = text === '' ? {} : (JSON.parse(text) as Asked['body']);
  const reads = dialect.reads({ method, body });
  const mishap = (reads ? forge.readMishaps : forge.mishaps).shift();
  if (mishap === 'lost_before') return void request.socket.destroy();
  if (typeof mishap === 'object') return send(response, mishap.status, mishap.body ?? { message: 'No.' }, mishap.headers);
  if (request.headers.authorization !== dialect.authorization(forge.token)) return send(response, 401, { message: 'Bad credentials' });
  const prefix = dialect.path + dialect.prefix(forge);
  if (!url.pathname.startsWith(prefix)) return send(response, 404, { message: 'Not Found' });
  const asked: Asked = {
    method,
    path: url.pathname.slice(prefix.length),
    query: url.searchParams,
    body,
  };
  const answer = dialect.answer(forge, asked) ?? { status: 404, body: { message: 'Not Found' } };
  if (answer.spoke) await forge.held?.();
  if (mishap === 'lost_after') return void request.socket.destroy();
  const headers: Record<string, string> = { ...answer.headers };
  let shown = answer.body;
  if (answer.listed) {
    const [page, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 20)];
    const all = shown as unknown[];
    shown = all.slice((page - 1) * size, page * size);
    if (all.length > page * size) {
      const next = new URL(url.pathname + url.search, forge.url);
      next.searchParams.set('page', String(page + 1));
      headers['link'] = `<${next.href}>; rel="next", <${next.href}>; rel="last"`;
    }
  }
  const etag = `W/"${createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 32)}"`;
  if (reads) headers['etag'] = etag;
  if (reads && request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
  send(response, answer.status, shown, headers);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
}
