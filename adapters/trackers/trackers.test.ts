import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { openForge, type Forge } from '../../test/setup/forges.ts';
import { guardedFetch } from '../web/guarded-fetch.ts';
import { failureOf } from '../web/testing.ts';
import { openTrackers } from './open.ts';
import { nextOf } from './requests.ts';
import type { IssueComment, IssueQuery, TrackerPlace, TrackerPort } from './types.ts';

const everything: IssueQuery = { since: null, state: 'all', labels: [], assignee: null, etag: null };
const guarded = guardedFetch({ allowPrivate: true, userAgent: 'Signalbox/1.0 (+https://example.com)' });

describe.each(['github', 'gitlab'] as const)('%s', (kind) => {
  let forge: Forge;
  let port: TrackerPort;
  let place: TrackerPlace;
  beforeEach(async () => {
    forge = await openForge(kind);
    port = openTrackers(guarded.fetch)[kind];
    place = { baseUrl: forge.url, repository: forge.repository, token: forge.token };
  });
  afterEach(() => forge.close());

  const reasonOf = async (work: Promise<unknown>) => {
    const { code, details, retryAfterSeconds } = await failureOf(work);
    return [code, details?.['outcome'], details?.['reason'], retryAfterSeconds];
  };

  it('lists issues by filter, page by page, those that changed first first', async () => {
    for (let n = 1; n <= 60; n += 1)
      forge.file({ labels: ['agents'], assignee: n > 55 ? 'ann' : null, updated: `2027-01-01T00:${String(n % 60).padStart(2, '0')}:00Z` });
    forge.file({ labels: ['other'] });
    const first = await port.issues(place, { ...everything, labels: ['agents'] });
    expect(first.issues).toHaveLength(50);
    expect(first.issues[0]).toEqual({
      number: 60,
      title: 'Issue 60',
      body: 'Body of 60',
      state: 'open',
      url: expect.stringMatching(/\/issues\/60$/),
      labels: ['agents'],
      author: 'octocat',
      comments: 0,
      updatedAt: '2027-01-01T00:00:00Z',
    });
    const second = await port.issues(place, { ...everything, labels: ['agents'], page: first.next! });
    expect([second.issues.length, second.next, second.until]).toEqual([10, null, '2027-01-01T00:59:00Z']);
    const late = await port.issues(place, { ...everything, since: '2027-01-01T00:58:00Z', assignee: 'ann' });
    expect(late.issues.map(({ number }) => number)).toEqual([58, 59]);
    expect(await port.issues(place, { ...everything, since: '2027-01-01T00:58:00Z', assignee: 'ann', etag: late.etag })).toMatchObject({
      unchanged: true,
      issues: [],
    });
    forge.change(1, { state: 'closed', body: null });
    expect((await port.issues(place, { ...everything, state: 'open', labels: ['agents'] })).issues).not.toContainEqual(
      expect.objectContaining({ number: 1 }),
    );
  });

  it('reads and writes comments, closes, and repeats harmlessly', async () => {
    const { number } = forge.file();
    const human = forge.say(number, 'ann', 'Hello');
    forge.say(number, 'machine', 'changed the description', true);
    const id = await port.comment(place, number, 'From here');
    const { comments } = await port.comments(place, number, { since: null });
    expect(comments.map((comment: IssueComment) => [comment.id, comment.author, comment.automatic, comment.body])).toEqual([
      [String(human.id), 'ann', false, 'Hello'],
      [expect.any(String), 'machine', true, 'changed the description'],
      [id, 'signalbox-bot', false, 'From here'],
    ]);
    expect((await port.comments(place, number, { since: '2090-01-01T00:00:00Z' })).comments).toEqual([]);
    await port.close(place, number);
    await port.close(place, number);
    expect(forge.issues[0]!.state).toBe('closed');
  });

  it('opens a pull request once, and tells what became of it', async () => {
    const wanted = { branch: 'signalbox/t-1', base: 'main', title: 'Do it', body: 'For #1.' };
    expect(await port.pullOf(place, wanted)).toBeNull();
    const made = await port.openPull(place, wanted);
    expect(made).toMatchObject({ state: 'open', mergedCommit: null });
    expect(await port.openPull(place, wanted)).toBe('exists');
    expect(await port.pullOf(place, wanted)).toEqual(made);
    const { number } = forge.pulls[0]!;
    forge.end(number, 'merged', 'abcdef1');
    expect(await port.pull(place, number)).toMatchObject({ state: 'merged', mergedCommit: 'abcdef1' });
    forge.end(number, 'closed');
    expect(await port.pull(place, number)).toMatchObject({ state: 'closed', mergedCommit: null });
  });

  it('tells what a failure means for what was asked', async () => {
    const { number } = forge.file();
    const write = (mishap: Forge['mishaps'][number]) => {
      forge.mishaps.push(mishap);
      return reasonOf(port.comment(place, number, 'x'));
    };
    expect(await write({ status: 429, headers: { 'retry-after': '7' } })).toEqual(['RATE_LIMIT_EXCEEDED', 'not_sent', 'rate_limited', 7]);
    const reset = String(Math.ceil(Date.now() / 1000) + 90);
    const limited = kind === 'github' ? { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } : { 'ratelimit-reset': reset };
    const [code, , , pause] = await write({ status: kind === 'github' ? 403 : 429, headers: limited });
    expect(code).toBe('RATE_LIMIT_EXCEEDED');
    expect(pause).toBeGreaterThan(80);
    expect(await write({ status: 502 })).toEqual(['SERVICE_UNAVAILABLE', 'unknown', 'http_502', undefined]);
    expect(await write({ status: 403 })).toEqual(['FORBIDDEN', 'refused', 'http_403', undefined]);
    expect(await write({ status: 422, body: { message: 'Body is too long' } })).toEqual([
      'VALIDATION_ERROR',
      'refused',
      'http_422',
      undefined,
    ]);
    expect((await write('lost_before')).slice(0, 2)).toEqual(['SERVICE_UNAVAILABLE', 'unknown']);
    expect((await write('lost_after')).slice(0, 2)).toEqual(['SERVICE_UNAVAILABLE', 'unknown']);
    expect(forge.written(number)).toEqual(['x']);
    expect(await reasonOf(port.check({ ...place, token: 'wrong-token' }))).toEqual(['FORBIDDEN', 'refused', 'invalid_auth', undefined]);
    expect(await reasonOf(port.check({ ...place, repository: 'acme/none' }))).toEqual(['NOT_FOUND', 'refused', 'http_404', undefined]);
    const gone = await openForge(kind);
    await gone.close();
    expect((await reasonOf(port.check({ ...place, baseUrl: gone.url }))).slice(0, 2)).toEqual(['SERVICE_UNAVAILABLE', 'not_sent']);
  });

  it('sends the token to its own server only', async () => {
    const page = 'https://elsewhere.test/issues?page=2';
    expect(await reasonOf(port.issues(place, { ...everything, page }))).toEqual(['VALIDATION_ERROR', 'refused', 'foreign_page', undefined]);
    const closed = guardedFetch({ allowPrivate: false, userAgent: 'x' });
    const error = await failureOf(openTrackers(closed.fetch)[kind].check(place));
    expect(error).toBeInstanceOf(AppError);
    expect(error.details).toMatchObject({ outcome: 'refused', reason: 'private_address' });
  });
});

describe('the header Link', () => {
  it.each([
    ['<https://a.test/x?page=2>; rel="next", <https://a.test/x?page=9>; rel="last"', 'https://a.test/x?page=2'],
    ['<https://a.test/x?a=1,2&page=1>; rel="prev", <https://a.test/x?a=1,2&page=3>; rel="next"', 'https://a.test/x?a=1,2&page=3'],
    ['<https://a.test/x?page=1>; rel="first"', null],
    ['', null],
  ])('%s', (link, next) => {
    expect(nextOf(new Headers({ link }))).toBe(next);
  });
});
