import { LRUCache } from 'lru-cache';
import robotsParser from 'robots-parser';
import { AppError } from '../../contracts/errors.ts';
import type { WebClient } from './types.ts';

export interface RobotsRules {
  /** `unknown`: the site could not answer, so nothing is fetched for now. */
  verdict: 'allowed' | 'forbidden' | 'unknown';
  /** The site's requested delay between requests, at most `longestDelayMs`; 0 without one. */
  delayMs: number;
  /** Reason for `unknown`. */
  failure?: AppError;
}

export interface Robots {
  /** Reads the robots.txt of the URL's origin, which is cached. Rejects only with the signal's reason. */
  rulesFor(url: string, signal?: AbortSignal): Promise<RobotsRules>;
  /** Whether the URL may be fetched. */
  allowed(url: string, signal?: AbortSignal): Promise<boolean>;
}

/** A longer delay would make a crawl of 50 pages take hours. */
const longestDelayMs = 5_000;
const keptMs = 60 * 60_000;
/** An unreachable robots.txt may be available again soon. */
const failureKeptMs = 60_000;
/** RFC 9309: crawlers read at least the first 500 KiB. */
const readBytes = 512_000;
const mostWildcardText = 64_000;
const mostLines = 10_000;

/** Its types describe an ES module, but it exports the function itself. */
const parseRobots = robotsParser as unknown as (url: string, text: string) => Robot;
interface Robot {
  isAllowed(url: string, agent: string): boolean | undefined;
  /** Seconds. */
  getCrawlDelay(agent: string): number | undefined;
}

type Parsed = { rules?: Robot; failure?: AppError };

/**
 * RFC 9309: a missing file (any 4xx except 429) allows everything; an unreachable one (5xx, no connection) nothing.
 * @param web the name of its user agent, up to the first slash, is used for robots.txt
 */
export function robots(web: WebClient): Robots {
  const name = (web.userAgent.split('/')[0] ?? '').trim().toLowerCase();
  const known = new LRUCache<string, Promise<Parsed>>({ max: 500 });

  function rulesOf(origin: string): Promise<Parsed> {
    const kept = known.get(origin);
    if (kept !== undefined) return kept;
    // Not the caller's signal: others may wait for the same file. The timeout limits it.
    const reading = readRobots(web, origin, name);
    known.set(origin, reading, { ttl: keptMs });
    void reading.then((parsed) => {
      if (parsed.failure !== undefined && known.peek(origin) === reading) known.set(origin, reading, { ttl: failureKeptMs });
    });
    return reading;
  }

  async function rulesFor(url: string, signal?: AbortSignal): Promise<RobotsRules> {
    signal?.throwIfAborted();
    const { rules, failure } = await rulesOf(new URL(url).origin);
    signal?.throwIfAborted();
    if (failure !== undefined) return { verdict: 'unknown', delayMs: 0, failure };
    if (rules === undefined) return { verdict: 'allowed', delayMs: 0 };
    const delay = rules.getCrawlDelay(name) ?? 0;
    return {
      verdict: rules.isAllowed(url, name) === false ? 'forbidden' : 'allowed',
      delayMs: delay > 0 ? Math.min(delay * 1000, longestDelayMs) : 0,
    };
  }

  return { rulesFor, allowed: async (url, signal) => (await rulesFor(url, signal)).verdict === 'allowed' };
}

async function readRobots(web: WebClient, origin: string, name: string): Promise<Parsed> {
  const url = `${origin}/robots.txt`;
  try {
    const { bytes } = await web.fetch(url, { accept: 'text/plain, */*;q=0.5', maxBytes: 4 * readBytes, timeoutMs: 15_000 });
    const text = new TextDecoder().decode(bytes.subarray(0, readBytes));
    const own = ownLines(bytes.byteLength > readBytes ? text.slice(0, text.lastIndexOf('\n')) : text, name);
    return own === undefined ? { failure: unreadable() } : { rules: parseRobots(url, own) };
  } catch (error) {
    if (!(error instanceof AppError)) return { failure: unreadable(error) };
    // If the client refuses the address (e.g. a private one), it also refuses the page, with a better error.
    return error.retryable || error.code === 'PAYLOAD_TOO_LARGE' ? { failure: error } : {};
  }
}

const unreadable = (cause?: unknown): AppError => new AppError('SERVICE_UNAVAILABLE', 'It cannot be read.', { cause });

/**
 * Only our groups, because the parser multiplies each rule by the agents above it and tries each wildcard at each
 * position of a path: a hostile file would cost memory and minutes. Undefined when even these are too many.
 */
function ownLines(text: string, name: string): string | undefined {
  const kept: string[] = [];
  let agents = new Set<string>();
  let namingAgents = false;
  let wildcards = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = '', rest = ''] = /^\s*(user-agent|allow|disallow|crawl-delay)\s*:([^#]*)/i.exec(line.slice(0, 2_000)) ?? [];
    if (field === '') continue;
    if (field.toLowerCase() === 'user-agent') {
      if (!namingAgents) agents = new Set();
      namingAgents = true;
      const agent = (rest.split('/')[0] ?? '').trim().toLowerCase();
      if (agent === name || agent === '*') agents.add(agent);
      continue;
    }
    if (namingAgents) for (const agent of agents) kept.push(`User-agent: ${agent}`);
    namingAgents = false;
    if (agents.size === 0) continue;
    const rule = rest.trim().replace(/\*{2,}/g, '*');
    if (rule.includes('*')) wildcards += rule.length;
    kept.push(`${field}: ${rule}`);
  }
  return wildcards > mostWildcardText || kept.length > mostLines ? undefined : kept.join('\n');
}
