/**
 * Quality of feed parsing: each file of a corpus has an expectation in its first comment (`Expect: feed['title'] ==
 * '…'`), in the terms of the parser for which it was written.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFeed } from '../adapters/feeds/read.ts';
import type { Feed, FeedDate, FeedEntry, FeedItem, FeedPerson, FeedText } from '../adapters/feeds/types.ts';
import { AppError } from '../contracts/errors.ts';
import { holds, Unreadable, type Value } from './feeds-expect.ts';

export interface FeedOutcome {
  /** Relative to the folder. */
  file: string;
  outcome: 'parsed' | 'refused' | 'failed';
  /** Null: the file has no expectation. */
  expected: string | null;
  met: boolean;
  /** The expectation is in a form or about a thing that is not known here: no verdict. */
  unreadable?: boolean;
  /** The reason for an unmet expectation or a refusal. */
  why?: string;
  ms: number;
}

export interface FeedsReport {
  folders: {
    folder: string;
    files: number;
    parsed: number;
    refused: number;
    failed: number;
    checked: number;
    met: number;
    unreadable: number;
    ms: number;
  }[];
  total: FeedsReport['folders'][number];
  notMet: FeedOutcome[];
  /** Those whose expectation cannot be read. */
  unreadable: FeedOutcome[];
}

/** @throws Error when there are no feeds in the folder */
export async function evalFeeds(dir: string): Promise<FeedsReport> {
  const files: string[] = [];
  for await (const file of glob('**/*.{xml,json}', { cwd: dir })) files.push(file);
  if (files.length === 0) throw new Error(`There are no feeds in ${dir}.`);
  const outcomes = files.sort().map((file) => outcomeOf(dir, file));
  const folders = [...new Set(outcomes.map(({ file }) => dirname(file)))];
  return {
    folders: folders.map((folder) =>
      summed(
        folder,
        outcomes.filter(({ file }) => dirname(file) === folder),
      ),
    ),
    total: summed('total', outcomes),
    notMet: outcomes.filter(({ expected, met, unreadable }) => expected !== null && !met && !unreadable),
    unreadable: outcomes.filter(({ unreadable }) => unreadable),
  };
}

function summed(folder: string, outcomes: readonly FeedOutcome[]): FeedsReport['total'] {
  const count = (test: (each: FeedOutcome) => boolean): number => outcomes.filter(test).length;
  return {
    folder,
    files: outcomes.length,
    parsed: count(({ outcome }) => outcome === 'parsed'),
    refused: count(({ outcome }) => outcome === 'refused'),
    failed: count(({ outcome }) => outcome === 'failed'),
    checked: count(({ expected, unreadable }) => expected !== null && !unreadable),
    met: count(({ expected, met }) => expected !== null && met),
    unreadable: count(({ unreadable }) => unreadable === true),
    ms: outcomes.reduce((sum, { ms }) => sum + ms, 0),
  };
}

function outcomeOf(dir: string, file: string): FeedOutcome {
  const bytes = readFileSync(join(dir, file));
  const comment = /<!--([\s\S]*?)-->/.exec(bytes.toString('latin1'))?.[1] ?? '';
  const expected = /^\s*Expect:\s*(.+)$/m.exec(Buffer.from(comment, 'latin1').toString('utf8'))?.[1]?.trim() ?? null;
  const header = (name: string): string | undefined =>
    new RegExp(String.raw`^\s*Header:\s*${name}:\s*(.+)$`, 'im').exec(comment)?.[1]?.trim();
  const started = performance.now();
  const ended = (outcome: FeedOutcome['outcome'], met: boolean, why?: string): FeedOutcome => ({
    file,
    outcome,
    expected,
    met,
    ...(why === undefined ? {} : { why }),
    ms: performance.now() - started,
  });
  let feed: Feed;
  try {
    feed = readFeed({
      bytes,
      url: header('Content-Location') ?? 'http://127.0.0.1:8097/tests/feed.xml',
      charset: /charset=([\w-]+)/i.exec(header('Content-type') ?? '')?.[1],
      contentLanguage: header('Content-Language'),
    });
  } catch (error) {
    return ended(error instanceof AppError ? 'refused' : 'failed', false, error instanceof Error ? error.message : String(error));
  }
  try {
    return ended('parsed', expected !== null && holds(expected, viewOf(feed)));
  } catch (error) {
    if (error instanceof Unreadable) return { ...ended('parsed', false, error.message), unreadable: true };
    return ended('parsed', false, error instanceof Error ? error.message : String(error));
  }
}

type View = Record<string, Value>;

/** A feed in the corpus's terms. */
const viewOf = (feed: Feed): View => ({
  bozo: feed.warnings.length > 0,
  version: feed.dialect,
  feed: {
    ...itemView(feed),
    ...textView('tagline', feed.subtitle),
    ...textView('subtitle', feed.subtitle),
    description: feed.subtitle?.value,
    ...textView('info', feed.info),
    ...textView('copyright', feed.rights),
    generator: feed.generator?.name,
    generator_detail: feed.generator ? { ...feed.generator } : undefined,
  },
  entries: feed.entries.map(entryView),
});

const entryView = (entry: FeedEntry): View => ({
  ...itemView(entry),
  ...textView('summary', entry.summary),
  description: entry.summary?.value ?? entry.content[0]?.value,
  content: entry.content.map((each) => ({ ...each })),
  source: entry.source ? itemView(entry.source) : undefined,
});

const itemView = (item: FeedItem): View => ({
  id: item.id ?? undefined,
  guid: item.id ?? undefined,
  link: item.link ?? undefined,
  links: item.links.map((link) => present({ ...link })),
  language: item.language ?? undefined,
  ...textView('title', item.title),
  ...dateView('published', item.published),
  ...dateView('updated', item.updated),
  ...dateView('created', item.created),
  author: item.authors[0] && personText(item.authors[0]),
  author_detail: item.authors[0] && { ...personView(item.authors[0]), url: item.authors[0].url ?? undefined },
  contributors: item.contributors.map((each, _, all) =>
    all.length > 1 ? personView(each) : { ...personView(each), url: each.url ?? undefined },
  ),
});

const present = (view: View): View => Object.fromEntries(Object.entries(view).filter(([, value]) => value !== null && value !== undefined));
const textView = (name: string, text: FeedText | null): View => (text ? { [name]: text.value, [`${name}_detail`]: { ...text } } : {});
const personView = ({ name, email, url }: FeedPerson): View => present({ name, email, href: url });
const personText = ({ name, email }: FeedPerson): Value =>
  name !== null && email !== null ? `${name} (${email})` : (name ?? email ?? undefined);

/** With `(year, month, day, hour, minute, second, weekday from Monday, day of the year, 0)`. */
function dateView(name: string, date: FeedDate | null): View {
  if (!date) return {};
  const at = date.at === null ? undefined : new Date(date.at);
  const parsed = at && [
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
    (at.getUTCDay() + 6) % 7,
    Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000) + 1,
    0,
  ];
  return { [name]: date.text, [`${name}_parsed`]: parsed };
}

/** Formats the report for people. */
export function feedsTableOf({ folders, total, notMet, unreadable }: FeedsReport): string {
  const lines = [...folders, total].map(({ folder, files, parsed, refused, failed, checked, met, unreadable: unread, ms }) =>
    [
      folder.padEnd(28),
      `${files} files`.padStart(10),
      `${parsed} parsed`.padStart(12),
      `${refused} refused`.padStart(11),
      `${failed} failed`.padStart(10),
      `${met} of ${checked} met`.padStart(16),
      ...(total.unreadable > 0 ? [`${unread} unreadable`.padStart(16)] : []),
      `${checked === 0 ? '-' : ((100 * met) / checked).toFixed(1)} %`.padStart(9),
      `${ms.toFixed(0)} ms`.padStart(8),
    ].join(''),
  );
  const listed = (title: string, outcomes: readonly FeedOutcome[]): string[] =>
    outcomes.length === 0 ? [] : ['', title, ...outcomes.map(({ file, expected, why }) => `  ${file}: ${why ?? expected ?? ''}`)];
  return [...lines, ...listed('Not met:', notMet), ...listed('Expectations that cannot be read, not counted:', unreadable)].join('\n');
}
