import { randomBytes } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contracts/errors.ts';

interface Build {
  stamp: string;
  shell: string;
  /** By path below /console/. */
  files: Map<string, { plain: Buffer; br: Buffer | undefined; gzip: Buffer | undefined; type: string }>;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** In the shell's file; each answer gets a new one in its place. */
const noncePlace = '__NONCE__';

/** What the pages of the console, and others for people, may do. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

/** The built console, in memory. A new build is taken over when the shell is asked for next. */
export class ConsoleFiles {
  private readonly folder: string | undefined;
  private current: { mark: string; build: Promise<Build> } | null = null;
  /** Open tabs load parts of the build that they began with. */
  private former: Build | null = null;

  /** @param folder of the build; absent: there is none */
  constructor(folder: string | undefined) {
    this.folder = folder;
  }

  /** The build's stamp; null: the console is not built. */
  async build(): Promise<string | null> {
    return (await this.latest())?.stamp ?? null;
  }

  /** The page of every screen, with a nonce of its own. */
  async shell(): Promise<{ page: string; nonce: string } | null> {
    const build = await this.latest();
    if (!build) return null;
    const nonce = randomBytes(18).toString('base64');
    return { page: build.shell.replaceAll(noncePlace, nonce), nonce };
  }

  async file(path: string) {
    const build = await this.latest();
    return build?.files.get(path) ?? this.former?.files.get(path);
  }

  private async latest(): Promise<Build | null> {
    if (this.folder === undefined) return null;
    const found = await stat(join(this.folder, 'build.json')).catch(() => null);
    // While a build is replaced by the next, the one in memory goes on.
    if (!found) return this.current ? await this.current.build : null;
    const mark = `${found.mtimeMs}/${found.ino}`;
    if (this.current?.mark !== mark) {
      const before = this.current;
      const build = load(this.folder);
      this.current = { mark, build };
      build.catch(() => (this.current = before));
      if (before) this.former = await before.build.catch(() => null);
    }
    return await this.current.build;
  }
}

async function load(folder: string): Promise<Build> {
  const { stamp } = JSON.parse(await readFile(join(folder, 'build.json'), 'utf8')) as { stamp: string };
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const files: Build['files'] = new Map();
  const read = async (name: string): Promise<Buffer | undefined> => (names.includes(name) ? await readFile(join(folder, name)) : undefined);
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    files.set(name, { plain: (await read(name))!, br: await read(`${name}.br`), gzip: await read(`${name}.gz`), type });
  }
  return { stamp, shell: await readFile(join(folder, 'index.html'), 'utf8'), files };
}

/**
 * Every screen of the console is the same page; the browser shows the one that the address names. Without a build
 * `fallback` answers.
 */
export function installConsolePages(
  app: FastifyInstance,
  files: ConsoleFiles,
  fallback: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const shell = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const made = await files.shell();
    if (!made) return await fallback(request, request.routeOptions.url === '/' ? reply : reply.code(503).header('retry-after', '2'));
    return await reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy(made.nonce),
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'clipboard-write=(self)',
      })
      .send(made.page);
  };
  app.get('/', shell);
  app.get('/console', shell);
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    const path = request.params['*'];
    const file = await files.file(path);
    if (file) return send(request, reply, path, file);
    if (/^(api|assets)(\/|$)/.test(path)) throw new AppError('NOT_FOUND', `There is no GET /console/${path.slice(0, 200)}.`);
    return await shell(request, reply);
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  file: NonNullable<Awaited<ReturnType<ConsoleFiles['file']>>>,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const [body, encoding] =
    file.br && /\bbr\b/.test(accepted)
      ? [file.br, 'br']
      : file.gzip && /\bgzip\b/.test(accepted)
        ? [file.gzip, 'gzip']
        : [file.plain, undefined];
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  // Names in assets/ contain a hash of their content.
  const lasting = path.startsWith('assets/');
  return reply
    .headers({
      'content-type': file.type,
      vary: 'accept-encoding',
      'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      'cross-origin-resource-policy': 'same-origin',
    })
    .send(body);
}
