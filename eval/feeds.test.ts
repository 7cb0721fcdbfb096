import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evalFeeds, feedsTableOf } from './feeds.ts';
import { holds, Unreadable } from './feeds-expect.ts';

const corpus = join(import.meta.dirname, '../../shared/data/5-files/feeds');
const here = existsSync(corpus);
if (!here) console.warn('shared/data is not there: the corpus of feeds is skipped.');

describe('expectations', () => {
  const names = {
    bozo: false,
    version: 'rss20',
    feed: { title: "it's", none: null, tags: [{ term: 'a', at: [1, 2] }] },
    entries: [{ x: 'y' }],
  };
  test.each([
    [`not bozo and feed['title'] == "it's"`, true],
    [`feed['title'] == 'it\\'s'`, true],
    [`bozo or version == u'rss20'`, true],
    [`feed['none'] == None`, true],
    [`feed['missing'] == None`, false],
    [`not feed.has_key('missing') and feed.has_key('title')`, true],
    [`feed['tags'][0] == {'term': 'a', 'at': (1, 2)}`, true],
    [`feed['tags'][0] == {'term': 'a'}`, false],
    [`feed['tags'][1]['term'] == 'a'`, false],
    [`entries[0]['x'] == entries[0]['x'] == 'y'`, true],
    [`entries[0]['x'] == entries[0]['x'] == 'z'`, false],
    ['1', true],
    [`(feed['title'] == "it's") and (version == 'rss20')`, true],
    [`(bozo or version == 'x') and feed.title`, false],
    [`feed.tags[0].at == (1, 2)`, true],
    [`feed.tags[-1].at == (1.0, 2)`, true],
    [`feed.tags[0].at == (-1, 2.5)`, false],
    [`len(feed.tags) == 1 and len(entries[0]) != 2`, true],
    [`feed.get('none') is None and feed.get('missing', 'x') == 'x'`, true],
    [`feed['title'] is not None and bozo is False`, true],
    [`'missing' not in feed and 'title' in feed`, true],
    [`not 'title' in feed`, false],
    [`entries[0].x == '''y''' and entries[0]['x'] == """y"""`, true],
    [`feed.title == 'it' + "'s"`, true],
    [`ord(entries[0].x) == 121`, true],
    [`feed.constructor == None or 'toString' in feed`, false],
    [`('y',) == (entries[0].x,) and () == ()`, true],
  ])('%s', (text, expected) => expect(holds(text, names)).toBe(expected));

  test('markup says the same in another order', () => {
    const written = { feed: { a: '<b y="1" x="2"><c/></b>' } };
    expect(holds(`feed['a'] == '<b x="2" y="1"><c></c></b>'`, written)).toBe(true);
    expect(holds(`feed['a'] == '<b x="2" y="1"><d></d></b>'`, written)).toBe(false);
  });

  test('nothing is run, and other forms are refused', () => {
    for (const text of ['process.exit()', "feed['a'] + 1", 'feed[', "__import__('os')", "feed['a'] == 'b' extra"])
      expect(() => holds(text, names)).toThrow(Unreadable);
  });
});

test('a report tells what was read, refused and not met', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'feeds-'));
  try {
    writeFileSync(join(dir, 'a.xml'), `<!--\nExpect: not bozo and feed['title'] == 'T'\n--><rss><channel><title>T</title></channel></rss>`);
    writeFileSync(join(dir, 'b.xml'), `<!--\nExpect: feed['title'] == 'U'\n--><rss><channel><title>T</title></channel></rss>`);
    writeFileSync(join(dir, 'c.xml'), '<html></html>');
    writeFileSync(join(dir, 'd.xml'), `<!--\nExpect: headers['x'] == 'U'\n--><rss><channel><title>T</title></channel></rss>`);
    const report = await evalFeeds(dir);
    expect(report.total).toMatchObject({ files: 4, parsed: 3, refused: 1, failed: 0, checked: 2, met: 1, unreadable: 1 });
    expect(report.notMet.map(({ file }) => file)).toEqual(['b.xml']);
    expect(feedsTableOf(report)).toMatch(/1 of 2 met[\s\S]*b\.xml: feed\['title'\] == 'U'/);
    expect(feedsTableOf(report)).toMatch(/cannot be read[\s\S]*d\.xml: unknown "headers"/);
    await expect(evalFeeds(join(dir, 'none'))).rejects.toThrow('There are no feeds');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test.skipIf(!here)('the corpus: everything is read, and 97 % of what is expected is met', async () => {
  const { total } = await evalFeeds(corpus);
  expect(total).toMatchObject({ files: 275, parsed: 275, failed: 0, unreadable: 0 });
  expect(total.met / total.checked).toBeGreaterThanOrEqual(0.97);
});
