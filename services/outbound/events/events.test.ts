import { describe, expect, it } from 'vitest';
import { secretBox } from '../../../adapters/secrets/box.ts';
import { AppError } from '../../../contracts/errors.ts';
import { event, eventNames, eventTypes, nameOf, type Event } from '../../../contracts/outbound/events.ts';
import { eventPlace } from '../../../contracts/outbound/subscriptions.ts';
import { backoffSeconds } from './deliver.ts';
import { readPlace, writePlace } from './places.ts';
import { wants } from './read.ts';
import { refsOf } from './refs.ts';
import { messageOf } from '../event-message.ts';
import { sendEvent } from './send.ts';
import type { SubscriptionRow } from './subscriptions.ts';

const example: Event = {
  id: writePlace({ seq: 7, mark: '0123456789ab' }),
  type: 'issue.flagged',
  occurred_at: '2027-01-02T03:04:05.000Z',
  tenant_id: 'acme',
  subject: 'ent_1',
  data: { name: 'Login fails', signal_ids: ['sig_1', 'sig_2'], nothing: null },
  refs: [],
};

describe('places', () => {
  it('read as they were written, and sort as events do', () => {
    const places = [0, 1, 35, 36, 1_000, 2 ** 40, Number.MAX_SAFE_INTEGER].map((seq) => ({ seq, mark: 'abcdef012345' }));
    const texts = places.map(writePlace);
    expect(texts.map(readPlace)).toEqual(places);
    expect(texts.toSorted()).toEqual(texts);
    for (const text of texts) expect(eventPlace.parse(text)).toBe(text);
  });

  it.each(['', '7', 'evt_', 'evt_zzzzzzzzzzzabcdef012345', `${writePlace({ seq: 1, mark: 'abcdef012345' })}0`])('are not %j', (text) => {
    expect(() => readPlace(text)).toThrow(AppError);
  });
});

describe('events', () => {
  it('of every type have refs and a message for people', () => {
    for (const type of eventTypes) {
      const data = {
        document_id: 'd',
        source_id: 's',
        job_id: 'j',
        survivor: 'a',
        merged: 'b',
        original: 'a',
        created: 'b',
        agent_id: 'g',
        sender: 'x',
        recipient: 'y',
      };
      const refs = refsOf('acme', type, 'subject', data);
      // Neither a phase nor a budget is a record that answers point at.
      expect([type, refs.length > 0]).toEqual([type, !['work.phase_changed', 'work.budget_spent'].includes(type)]);
      expect(event.parse({ ...example, type, refs }).refs).toEqual(refs);
      expect(messageOf({ ...example, type }).title).toMatch(/^[A-Z].*: Login fails$/);
    }
    expect(refsOf('acme', 'issue.flagged', 'ent_1', example.data)).toEqual([
      { type: 'entity', id: 'ent_1' },
      { type: 'signal', id: 'sig_1' },
      { type: 'signal', id: 'sig_2' },
    ]);
  });

  it('are chosen by type and subject', () => {
    expect(wants({ types: [], subject: null }, example)).toBe(true);
    expect(wants({ types: ['issue.flagged', 'entity.split'], subject: 'ent_1' }, example)).toBe(true);
    expect(wants({ types: ['entity.split'], subject: null }, example)).toBe(false);
    expect(wants({ types: [], subject: 'ent_2' }, example)).toBe(false);
  });
});

describe('names of events', () => {
  it('follow from type and data, and are asked for like types', () => {
    const claimed: Event = { ...example, type: 'work.task_changed', name: 'work.task_claimed', data: { change: 'claimed' } };
    expect(nameOf(claimed.type, claimed.data)).toBe('work.task_claimed');
    expect(nameOf('work.task_changed', { change: null, status: 'ready' })).toBeUndefined();
    expect(nameOf('key.changed', { change: 'claimed' })).toBeUndefined();
    expect(nameOf('work.run_ended', { outcome: 'question' })).toBe('work.agent_waiting');
    expect(nameOf('work.run_ended', { outcome: 'done' })).toBeUndefined();
    expect(nameOf('approval.requested', { principal_kind: 'agent' })).toBe('work.agent_waiting');
    expect(nameOf('approval.requested', { principal_kind: 'human' })).toBeUndefined();
    expect(event.parse(claimed)).toEqual(claimed);
    expect(wants({ types: ['work.task_claimed'], subject: null }, claimed)).toBe(true);
    expect(wants({ types: ['work.task_changed'], subject: null }, claimed)).toBe(true);
    expect(wants({ types: ['work.task_ready', 'issue.flagged'], subject: null }, claimed)).toBe(false);
    expect(wants({ types: ['work.task_claimed'], subject: 'another' }, claimed)).toBe(false);
  });

  it('are no types, and each has one meaning', () => {
    expect(Object.keys(eventNames).filter((name) => (eventTypes as readonly string[]).includes(name))).toEqual([]);
    const meanings = Object.values(eventNames).flatMap((namings) =>
      namings.flatMap(({ type, field, values }) => values.map((value) => `${type} ${field} ${value}`)),
    );
    expect(new Set(meanings).size).toBe(meanings.length);
  });

  it('give messages of their own', () => {
    const message = (type: Event['type'], data: Event['data']) => messageOf({ ...example, type, data }).title;
    expect(message('work.task_changed', { change: 'review' })).toBe('A task waits for review');
    expect(message('work.task_changed', { change: null })).toBe('A task has changed');
    expect(message('work.run_ended', { outcome: 'blocked' })).toBe('An agent waits for a person');
    expect(message('approval.requested', { principal_kind: 'agent' })).toBe('A call waits for approval');
  });
});

describe('a delivery that fails', () => {
  it('is tried less and less often, as the target asks, and a last time when its time is up', () => {
    expect([1, 2, 3, 4, 30].map((attempts) => backoffSeconds(attempts, null, 86_400))).toEqual([1, 2, 4, 8, 3_600]);
    expect(backoffSeconds(1, 120, 86_400)).toBe(120);
    expect(backoffSeconds(1, 100_000, 86_400)).toBe(3_600);
    expect(backoffSeconds(10, null, 20.3)).toBe(21);
    expect(backoffSeconds(10, null, 0.1)).toBe(1);
  });

  const failing = async (error: Error): Promise<unknown> =>
    await sendEvent(
      {
        peers: { post: () => Promise.reject(error) },
        secrets: { ...secretBox('a key', ''), open: (text) => text },
        notifications: { send: () => Promise.reject(new Error('not asked')) },
      },
      {
        target: 'webhook',
        url: 'https://example.com/T0/KEY',
        shown: 'https://example.com/…',
        secret: 'whsec_AAAA',
      } as unknown as SubscriptionRow,
      example,
      new AbortController().signal,
    );
  const refused = (status: number): AppError =>
    new AppError('VALIDATION_ERROR', 'example.com/T0/KEY refuses.', { details: { reason: 'http_status', status } });

  it('is tried again whatever the server says, but for "gone"; never where it must not go', async () => {
    expect(await failing(refused(404))).toMatchObject({ arrived: false, verdict: 'again' });
    expect(await failing(refused(410))).toMatchObject({ verdict: 'gone' });
    expect(await failing(new AppError('SERVICE_UNAVAILABLE', 'Later.', { retryAfterSeconds: 9 }))).toMatchObject({
      verdict: 'again',
      retryAfterSeconds: 9,
    });
    expect(await failing(new AppError('VALIDATION_ERROR', 'Private.', { details: { reason: 'private_address' } }))).toMatchObject({
      verdict: 'never',
    });
    expect(await failing(refused(404))).toMatchObject({ error: 'https://example.com/… answered with HTTP 404.' });
    await expect(failing(new TypeError('a defect'))).rejects.toThrow('a defect');
  });
});
