/** `signalbox top`: how the platform stands right now, over the API alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Overview } from '../contracts/overview.ts';
import { authorization, callTool, failure } from './client.ts';
import { CliError, exitOf, exits, unreachable } from './exit.ts';
import { say, sayJson } from './output.ts';
import { samplesOf } from './prometheus.ts';
import { target, type Target } from './target.ts';
import { Scrapes, type Figures, type Scrape } from './top-figures.ts';
import { frame } from './top-frame.ts';

/** Pause between two reads of the overview, in ms: it is a call, and a key has a limit per minute. */
const overviewEveryMs = 6_000;

interface Given {
  once?: boolean;
  interval: number;
  json: boolean;
}

export async function topCommand({ once = false, interval, json }: Given): Promise<void> {
  const to = target();
  const source = new Source(to);
  await source.read();
  if (once || json || !process.stdout.isTTY) {
    // A rate needs two scrapes of one api; behind a load balancer the second may be of another.
    let figures: Figures | null = null;
    for (let attempt = 0; !figures && attempt < 10; attempt += 1) {
      await sleep(interval * 1_000);
      figures = await source.read();
    }
    if (!figures) throw new CliError(exits.failed, 'SERVICE_UNAVAILABLE', 'No api answered twice.', { hint: 'Try a shorter --interval.' });
    if (json) return sayJson(figures);
    return frame(figures, to.url, { width: process.stdout.columns ?? 100, height: Infinity }).forEach((line) => say(line));
  }
  await live(source, to, interval);
}

/** Reads one api's metrics, and from time to time what the key's tenant has. */
class Source {
  private readonly to: Target;
  private readonly scrapes = new Scrapes();
  private overview: Overview | null = null;
  private overviewAt = -Infinity;

  constructor(to: Target) {
    this.to = to;
  }

  /** @returns null before two scrapes. @throws CliError */
  async read(): Promise<Figures | null> {
    const [scrape] = await Promise.all([this.scrape(), this.readOverview()]);
    this.scrapes.add(scrape);
    return this.scrapes.figures(this.overview);
  }

  private async scrape(): Promise<Scrape> {
    const { url } = this.to;
    const headers = { connection: 'close', ...(await authorization(this.to)) };
    let response: Response;
    try {
      // A connection of its own each time, so that a load balancer spreads them.
      response = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(10_000) });
    } catch (error) {
      const cause = (error as Error).cause as { code?: string } | undefined;
      throw unreachable(`Signalbox at ${url} is not reachable (${cause?.code ?? (error as Error).message}).`);
    }
    if (response.status === 401 || response.status === 403)
      throw new CliError(exitOf('UNAUTHORIZED'), 'UNAUTHORIZED', `${url} refuses your key or login.`, {
        hint: '`signalbox whoami` shows which is used.',
      });
    if (!response.ok)
      throw unreachable(`Signalbox at ${url} answered with status ${response.status}.`, 'Is it a Signalbox, and is it ready?');
    const samples = samplesOf(await response.text());
    const instance = samples.find(({ name }) => name === 'signalbox_info')?.labels['instance'] ?? url;
    return { at: Date.now(), instance, samples };
  }

  private async readOverview(): Promise<void> {
    if (this.overviewAt > Date.now() - overviewEveryMs) return;
    this.overviewAt = Date.now();
    const envelope = await callTool('system.overview.get', {}, {}, this.to);
    if (!envelope.error) this.overview = envelope.data as Overview;
    // Without the right to it, or over the limit, the rest is still shown.
    else if (envelope.error.code === 'UNAUTHORIZED') throw failure(envelope);
    else if (envelope.error.code === 'FORBIDDEN') this.overviewAt = Infinity;
  }
}

const screen = { on: '\u001b[?1049h\u001b[?25l', off: '\u001b[?25h\u001b[?1049l', home: '\u001b[H', rest: '\u001b[J', line: '\u001b[K' };

/** Until `q` or Ctrl-C. The terminal is as before afterwards, however it ends. */
async function live(source: Source, to: Target, interval: number): Promise<void> {
  const { stdin, stdout } = process;
  const ended = new AbortController();
  // A terminal that does not tell its size has none.
  const size = () => ({ width: stdout.columns || 80, height: stdout.rows || 24 });
  let shown: string[] = [`Reading ${to.url} …`];
  const draw = (): void => {
    const lines = shown.slice(0, size().height - 1);
    stdout.write(`${screen.home}${lines.map((line) => `${line}${screen.line}`).join('\r\n')}${screen.rest}`);
  };
  const leave = (): void => {
    if (stdin.isTTY) stdin.setRawMode(false);
    stdout.write(screen.off);
  };
  const stop = (code: number) => (): void => {
    process.exitCode = code;
    ended.abort();
  };
  const interrupted = stop(exits.interrupted);
  const onKey = (key: Buffer): void => {
    if (key.includes(0x03)) interrupted();
    else if (key.toString() === 'q' || key[0] === 0x1b) stop(exits.ok)();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
  process.once('exit', leave);
  stdout.on('resize', draw);
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on('data', onKey).resume();
  stdout.write(screen.on);
  try {
    for (let figures: Figures | null = null; !ended.signal.aborted;) {
      draw();
      await sleep(interval * 1_000, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) break;
      try {
        figures = (await source.read()) ?? figures;
        if (figures) shown = frame(figures, to.url, size());
      } catch (error) {
        // The api restarts: what was seen last stays, marked.
        if (!(error instanceof CliError) || error.exit !== exits.unreachable) throw error;
        shown = figures ? frame(figures, to.url, { ...size(), problem: error.message }) : [error.message];
      }
    }
  } finally {
    process.off('exit', leave);
    stdout.off('resize', draw);
    stdin.off('data', onKey).pause();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, interrupted);
    leave();
  }
}
