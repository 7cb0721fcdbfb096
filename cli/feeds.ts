import { readFileSync } from 'node:fs';
import { readOpml } from '../adapters/feeds/opml.ts';
import { AppError } from '../contracts/errors.ts';
import type { FeedSource } from '../contracts/feeds/feeds.ts';
import { derivedId } from '../contracts/ids.ts';
import { childEnvironment } from '../platform/config.ts';
import { readSeedFile } from '../services/feeds/seed-file.ts';
import type { GivenSource } from '../services/feeds/sources.ts';
import { callTool, failure, ok } from './client.ts';
import type { NewFeed } from './commands/knowledge.ts';
import { CliError, exits, usage } from './exit.ts';
import { aside, type Cell, clean, note, oneLine, paint, say, sayJson, table } from './output.ts';
import { pairs } from './pairs.ts';

export async function addFeed({ url, id, header, secret, json, ...told }: NewFeed): Promise<void> {
  if (!URL.canParse(url)) throw usage(`"${oneLine(url)}" is no address.`);
  const headers = pairs(header, ':');
  const settings = headers && { headers };
  const answer = await ok('feed.source.save', { feed_id: id ?? idOf(url), url, ...told, settings, credentials: pairs(secret, '=') });
  if (json) return sayJson(answer.data);
  say(`${answer.data.source.feed_id} is ${answer.data.created ? 'added' : 'changed'}.`);
  aside(answer);
}

export async function listFeeds(kind: 'rss' | 'api' | undefined, json: boolean): Promise<void> {
  const sources: FeedSource[] = [];
  let cursor: string | undefined;
  do {
    const { data, metadata } = await ok('feed.source.list', { kind, limit: 500, cursor });
    sources.push(...data.sources);
    cursor = metadata.next_cursor;
  } while (cursor !== undefined);
  if (json) return sayJson({ sources });
  if (sources.length === 0) return say('No feed sources.');
  const fetched = ({ last_fetched_at }: FeedSource): Cell => last_fetched_at?.slice(0, 16);
  table(sources, ['feed_id as ID', 'kind as KIND', { 'LAST FETCH': fetched, STATE: stateOf }, 'url as WHERE'], {
    STATE: (text, { failures }) => (failures > 0 ? paint('red', text) : text),
  });
}

function stateOf({ enabled, failures, last_fetched_at, last_error }: FeedSource): string {
  if (!enabled) return 'off';
  if (failures > 0) return oneLine(`failed ${failures}×: ${last_error ?? ''}`).slice(0, 80);
  return last_fetched_at === null ? 'new' : 'ok';
}

export async function importFeeds(file: string, json: boolean): Promise<void> {
  const sources = sourcesOf(file);
  const outcomes: { feed_id: string; created?: boolean; error?: string }[] = [];
  for (const source of sources) {
    const answer = await callTool('feed.source.save', source);
    // A key that may not save this source may not save any: stop.
    if (answer.error && failure(answer).exit === exits.refused) throw failure(answer);
    outcomes.push({
      feed_id: source.feed_id,
      ...(answer.error ? { error: answer.error.message } : { created: (answer.data as { created: boolean }).created }),
    });
    if (answer.error && !json) note(`${source.feed_id}: ${clean(answer.error.message)}`);
  }
  const taken = outcomes.filter(({ error }) => error === undefined);
  if (json) sayJson({ sources: outcomes });
  else say(`${taken.filter(({ created }) => created).length} feeds added, ${taken.filter(({ created }) => !created).length} changed.`);
  if (taken.length === 0) throw new CliError(exits.failed, 'VALIDATION_ERROR', 'No feed was imported.');
}

function sourcesOf(file: string): GivenSource[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  try {
    if (/^[\uFEFF\s]*[[{]/.test(bytes.toString('utf8', 0, 100))) return readSeedFile(bytes.toString('utf8'), childEnvironment({})).sources;
    return readOpml(bytes).map(({ title, url, categories }) => ({
      feed_id: idOf(url),
      title: title.slice(0, 300),
      url,
      categories: categories.slice(0, 30).map((each) => each.slice(0, 100)),
    }));
  } catch (error) {
    throw error instanceof AppError ? usage(error.message, error.hint) : error;
  }
}

/** `https://blog.example.com/ai/feed.xml` → `blog.example.com-ai-feed.xml`; the same address always gives the same id. */
function idOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const name = `${url?.host.replace(/^www\./, '') ?? ''}${url?.pathname ?? ''}${url?.search ?? ''}`
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '');
  if (name !== '' && name.length <= 100) return name;
  return derivedId('feed', address);
}
