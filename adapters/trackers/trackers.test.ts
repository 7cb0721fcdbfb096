import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import type { TrackerKind } from '../../contracts/work/tracker-kinds.ts';
import { openForge, type Forge } from '../../test/setup/forges.ts';
import { guardedFetch } from '../web/guarded-fetch.ts';
import { failureOf } from '../web/testing.ts';
import { openTrackers } from './open.ts';
import { nextOf } from './requests.ts';
import type { IssueComment, IssueQuery, TrackerPlace, TrackerPort } from './types.ts';

const everything: IssueQuery = { since: null, state: 'all', labels: [], assignee: null, etag: null };
const guarded = guardedFetch({ allowPrivate: true, userAgent: 'Signalbox/1.0 (+https://example.com)' });

const uuid = '0b9f2c1e-3d4a-4b5c-8d6e-7f8091a2b3c4';
const other = '1b9f2c1e-3d4a-4b5c-8d6e-7f8091a2b3c4';
const written = { github: /\/issues\/60$/, gitlab: /\/issues\/60$/, jira: /\/browse\/SHOP-60$/, linear: /\/issue\/ENG-60\/slug$/ };

describe.each([
  ['github'],
  ['gitlab'],
  ['jira'],
  // Data Center.
  ['jira', 'personal-token-0123456789'],
  ['linear'],
] as [TrackerKind, string?][])('%s %s', (kind, token) => {
  let forge: Forge;
  let port: TrackerPort;
  let place: TrackerPlace;
  beforeEach(async () => {
    forge = await openForge(kind, token);
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
      url: expect.stringMatching(written[kind]),
      labels: ['agents'],
      author: 'octocat',
      comments: kind === 'jira' ? null : 0,
      updatedAt: expect.stringMatching(/^2027-01-01T00:00:00(\.000)?Z$/),
    });
    const second = await port.issues(place, { ...everything, labels: ['agents'], page: first.next! });
    expect([second.issues.length, second.next, Date.parse(second.until!)]).toEqual([10, null, Date.parse('2027-01-01T00:59:00Z')]);
    const late = await port.issues(place, { ...everything, since: '2027-01-01T00:58:00Z', assignee: 'ann' });
    expect(late.issues.map(({ number }) => number)).toEqual([58, 59]);
    if (late.etag !== null) {
      const same = await port.issues(place, { ...everything, since: '2027-01-01T00:58:00Z', assignee: 'ann', etag: late.etag });
      expect(same).toMatchObject({ unchanged: true, issues: [] });
    }
    forge.change(1, { state: 'closed', body: null });
    expect((await port.issues(place, { ...everything, state: 'open', labels: ['agents'] })).issues).not.toContainEqual(
      expect.objectContaining({ number: 1 }),
    );
  });

  it('reads and writes comments, closes, and repeats harmlessly', async () => {
    const { number } = forge.file();
    const human = forge.say(number, 'ann', 'Hello');
    forge.say(number, 'machine', 'changed the description', true);
    const id = await port.comment(place, number, 'From here', uuid);
    const { comments } = await port.comments(place, number, { since: null });
    expect(comments.map((comment: IssueComment) => [comment.id, comment.author, comment.automatic, comment.body])).toEqual([
      [String(human.id), 'ann', false, 'Hello'],
      [expect.any(String), 'machine', true, 'changed the description'],
      [id, 'signalbox-bot', false, expect.stringMatching(/^From here/)],
    ]);
    expect(comments.filter(({ marker }) => marker === uuid).map((comment) => comment.id)).toEqual([id]);
    expect((await port.comments(place, number, { since: '2090-01-01T00:00:00Z' })).comments).toEqual([]);
    await port.close(place, number);
    await port.close(place, number);
    expect(forge.issues[0]!.state).toBe('closed');
  });

  it('opens a pull request once, and tells what became of it', async () => {
    const { pulls } = port;
    expect(pulls === null).toBe(kind === 'jira' || kind === 'linear');
    if (pulls === null) return;
    const wanted = { branch: 'signalbox/t-1', base: 'main', title: 'Do it', body: 'For #1.' };
    expect(await pulls.of(place, wanted)).toBeNull();
    const made = await pulls.open(place, wanted);
    expect(made).toMatchObject({ state: 'open', mergedCommit: null });
    expect(await pulls.open(place, wanted)).toBe('exists');
    expect(await pulls.of(place, wanted)).toEqual(made);
    const { number } = forge.pulls[0]!;
    forge.end(number, 'merged', 'abcdef1');
    expect(await pulls.read(place, number)).toMatchObject({ state: 'merged', mergedCommit: 'abcdef1' });
    forge.end(number, 'closed');
    expect(await pulls.read(place, number)).toMatchObject({ state: 'closed', mergedCommit: null });
  });

  it('tells what a failure means for what was asked', async () => {
    const { number } = forge.file();
    const write = (mishap: Forge['mishaps'][number]) => {
      forge.mishaps.push(mishap);
      return reasonOf(port.comment(place, number, 'x', uuid));
    };
    expect(await write({ status: 429, headers: { 'retry-after': '7' } })).toEqual(['RATE_LIMIT_EXCEEDED', 'not_sent', 'rate_limited', 7]);
    const reset = String(Math.ceil(Date.now() / 1000) + 90);
    const limited: Record<TrackerKind, Record<string, string>> = {
      github: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      gitlab: { 'ratelimit-reset': reset },
      jira: { 'x-ratelimit-reset': new Date(Number(reset) * 1000).toISOString() },
      linear: { 'x-ratelimit-requests-reset': `${reset}000` },
    };
    const [code, , , pause] = await write({ status: kind === 'github' ? 403 : 429, headers: limited[kind] });
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
    expect(forge.written(number)).toEqual([expect.stringMatching(/^x/)]);
    expect(await reasonOf(port.check({ ...place, token: 'wrong-token' }))).toEqual(['FORBIDDEN', 'refused', 'invalid_auth', undefined]);
    expect(await reasonOf(port.check({ ...place, repository: kind === 'jira' || kind === 'linear' ? 'NONE' : 'acme/none' }))).toEqual([
      'NOT_FOUND',
      'refused',
      'http_404',
      undefined,
    ]);
    const gone = await openForge(kind);
    await gone.close();
    expect((await reasonOf(port.check({ ...place, baseUrl: gone.url }))).slice(0, 2)).toEqual(['SERVICE_UNAVAILABLE', 'not_sent']);
  });

  it('sends the token to its own server only', async () => {
    const page = 'https://elsewhere.test/issues?page=2';
    // The others give no addresses of pages.
    if (port.pulls) {
      const reason = await reasonOf(port.issues(place, { ...everything, page }));
      expect(reason).toEqual(['VALIDATION_ERROR', 'refused', 'foreign_page', undefined]);
    }
    const closed = guardedFetch({ allowPrivate: false, userAgent: 'x' });
    const error = await failureOf(openTrackers(closed.fetch)[kind].check(place));
    expect(error).toBeInstanceOf(AppError);
    expect(error.details).toMatchObject({ outcome: 'refused', reason: 'private_address' });
  });
});

describe('jira', () => {
  const cloud = async () => {
    const forge = await openForge('jira');
    return { forge, port: openTrackers(guarded.fetch).jira, place: { baseUrl: forge.url, repository: 'SHOP', token: forge.token } };
  };

  it('quotes what a filter says, and does not miss a change of this minute', async () => {
    const { forge, port, place } = await cloud();
    const odd = 'a "b" \\ and c = d';
    forge.file({ labels: [odd], assignee: 'Ann "A" Bell' });
    const since = new Date().toISOString();
    forge.file({ labels: [odd], assignee: 'Ann "A" Bell', updated: since });
    const { issues } = await port.issues(place, { ...everything, since, labels: [odd], assignee: 'Ann "A" Bell' });
    expect(issues.map(({ number }) => number)).toContain(2);
    await forge.close();
  });

  it('says what is missing to end an issue', async () => {
    const { forge, port, place } = await cloud();
    const { number } = forge.file();
    // No transition leads to an end.
    forge.readMishaps.push(
      { status: 200, body: { fields: { status: { statusCategory: { key: 'new' } } } } },
      { status: 200, body: { transitions: [] } },
    );
    expect((await failureOf(port.close(place, number))).details).toMatchObject({ outcome: 'refused', reason: 'no_transition' });
    await forge.close();
  });
});

describe('linear', () => {
  it('lists an issue whose comments changed alone, and takes a comment once', async () => {
    const forge = await openForge('linear');
    const port = openTrackers(guarded.fetch).linear;
    const place = { baseUrl: forge.url, repository: 'ENG', token: forge.token };
    const { number } = forge.file();
    forge.say(number, 'ann', 'Late');
    forge.change(number, { updated: '2027-01-01T00:00:00Z' });
    forge.comments[0]!.updated = '2027-02-01T00:00:00Z';
    const { issues, until } = await port.issues(place, { ...everything, since: '2027-01-15T00:00:00Z' });
    expect([issues.map((issue) => issue.number), until]).toEqual([[number], '2027-01-01T00:00:00.000Z']);
    expect(await port.comment(place, number, 'x', uuid)).toBe(uuid);
    expect(await port.comment(place, number, 'x', uuid)).toBe(uuid);
    expect(forge.written(number)).toEqual(['x']);
    await forge.close();
  });

  it.each([
    [{ message: 'x', extensions: { type: 'ratelimited', code: 'RATELIMITED' } }, 'RATE_LIMIT_EXCEEDED', 'not_sent'],
    [{ message: 'x', extensions: { type: 'authentication error' } }, 'FORBIDDEN', 'refused'],
    [{ message: 'x', extensions: { type: 'internal error' } }, 'SERVICE_UNAVAILABLE', 'unknown'],
    [{ message: 'x' }, 'SERVICE_UNAVAILABLE', 'unknown'],
    [{ message: 'x', extensions: { type: 'invalid input', userPresentableMessage: 'Too long.' } }, 'VALIDATION_ERROR', 'refused'],
  ])('answers %j with %s', async (error, code, outcome) => {
    const forge = await openForge('linear');
    const { number } = forge.file();
    forge.mishaps.push({ status: 400, body: { errors: [error] } });
    const place = { baseUrl: forge.url, repository: 'ENG', token: forge.token };
    const failure = await failureOf(openTrackers(guarded.fetch).linear.comment(place, number, 'x', other));
    expect([failure.code, failure.details?.['outcome']]).toEqual([code, outcome]);
    await forge.close();
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
