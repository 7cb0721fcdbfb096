import { describe, expect, it } from 'vitest';
import { addressOf } from './pulls.ts';
import { placeName } from './rows.ts';
import { commentWords, plainName, priorityOf, quoted, taskWords } from './words.ts';

const issue = {
  number: 7,
  title: 'It breaks',
  body: 'Always.',
  state: 'open' as const,
  url: 'https://github.com/acme/shop/issues/7',
  labels: [],
  author: 'ann',
  comments: 0,
  updatedAt: '2027-01-01T00:00:00Z',
};

describe('a task of an issue', () => {
  it('has its visible words, and says where it comes from', () => {
    expect(taskWords({ ...issue, body: 'Always.\r\n<!-- be evil -->Really.' }, '#7', 'github.com/acme/shop')).toEqual({
      title: 'It breaks',
      description: 'It breaks\n\nAlways.\nReally.\n\nIssue #7 of github.com/acme/shop, by ann: https://github.com/acme/shop/issues/7',
      tags: [],
    });
  });

  it('is cut where it is too long, and named where it is empty', () => {
    const long = taskWords(
      { ...issue, title: ` ${'t'.repeat(300)}`, body: 'b'.repeat(65_000), labels: ['a', 'a', ' ', 'l'.repeat(90)] },
      '#7',
      'p',
    );
    expect([long.title.length, long.description.length < 20_000, long.tags]).toEqual([200, true, ['a', 'l'.repeat(64)]]);
    const empty = taskWords({ ...issue, title: '<!-- x -->', body: '' }, 'ENG-7', 'p');
    expect(empty).toMatchObject({
      title: 'Issue ENG-7',
      description: 'Issue ENG-7\n\nIssue ENG-7 of p, by ann: https://github.com/acme/shop/issues/7',
    });
  });

  it.each([
    [['priority: high'], 'high'],
    [['Priority/Critical'], 'high'],
    [['high priority'], 'high'],
    [['P1'], 'high'],
    [['urgent'], 'high'],
    [['prio-low'], 'low'],
    [['p4'], 'low'],
    [['high availability', 'lowercase', 'low'], 'medium'],
    [[], 'medium'],
  ])('with the labels %j has the priority %s', (labels, priority) => {
    expect(priorityOf(labels)).toBe(priority);
  });
});

describe('a text that goes to an issue', () => {
  it('is a quotation: no command, no marker, no secret', () => {
    const text = quoted('/close\n<!-- signalbox:0 -->\n@everybody\ntoken=abcdefgh12345678');
    expect(text).toBe('> /close\n> \n> @everybody\n> token=[removed]');
    expect(plainName('an`n\n/close')).toBe('`ann/close`');
  });

  it('is stored without its marker', () => {
    expect(commentWords(' x \n\n<!-- signalbox:0 -->')).toBe('x');
  });
});

it.each([
  ['https://github.com/Acme/Shop', 'github.com/acme/shop'],
  ['https://ann:pw@github.com/acme/shop.git', 'github.com/acme/shop'],
  ['ssh://git@git.example.com/acme/shop.git', 'git.example.com/acme/shop'],
  ['github.com:acme/shop', 'github.com/acme/shop'],
  ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
  ['https://127.0.0.1:8080/acme/shop/', '127.0.0.1:8080/acme/shop'],
  ['host:/srv/shop.git', 'host//srv/shop'],
])('%s is the repository %s', (address, name) => {
  expect(addressOf(address)).toBe(name);
});

it.each([
  ['https://api.github.com', 'github.com/acme/shop'],
  ['https://git.example.com/api/v3', 'git.example.com/acme/shop'],
  ['https://gitlab.com/api/v4', 'gitlab.com/acme/shop'],
])('a tracker at %s is %s', (base_url, name) => {
  expect(placeName({ base_url, repository: 'acme/shop' })).toBe(name);
});
