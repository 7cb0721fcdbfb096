import { describe, expect, it } from 'vitest';
import { PeerFailure } from '../../contracts/agents/delegations.ts';
import { serve, testClient } from '../web/testing.ts';
import { signalboxPeers } from './signalbox.ts';
import type { OutgoingTask } from './types.ts';

const task: OutgoingTask = {
  id: 't1',
  sourceAgent: 'us',
  targetAgent: 'them',
  capability: 'sum',
  parameters: { n: 1 },
  priority: 5,
  timeoutSeconds: 60,
  correlationId: 'c1',
  createdAt: '2026-01-01T00:00:00Z',
  callbackUrl: 'https://us.example/r',
  progressUrl: 'https://us.example/p',
  callbackToken: 'token',
};
const never = new AbortController().signal;

/** The outcome of sending when the agent answers this. */
async function sent(status: number, body: unknown = {}, headers: Record<string, string> = {}) {
  await using site = await serve((request, response) => {
    request.resume().on('end', () => {
      if (status === 0) request.socket.destroy();
      else
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await using web = testClient({ allowPrivate: true });
  return await signalboxPeers(web)
    .send({ endpointUrl: site.origin, card: null, credential: null }, task, never)
    .catch((error: unknown) => (error instanceof PeerFailure ? error : Promise.reject(error as Error)));
}

describe('sending to an agent of agentic-rag’s sort', () => {
  it.each([
    [
      { status: 'accepted', task_id: 'theirs' },
      { remoteId: 'theirs', status: 'accepted' },
    ],
    [{ status: 'pending' }, { remoteId: 't1', status: 'accepted' }],
    ['thank you', { remoteId: 't1', status: 'accepted' }],
    [
      { status: 'completed', result: 3 },
      { status: 'completed', result: 3 },
    ],
    [
      { status: 'failed', error: 'no' },
      { status: 'failed', error: { code: 'PEER_FAILED', message: 'no' } },
    ],
  ])('reads %j', async (body, expected) => expect(await sent(200, body)).toMatchObject(expected));

  it.each([
    [400, 'refused'],
    [404, 'refused'],
    [409, 'refused'],
    [500, 'not_sent'],
    [503, 'not_sent'],
    [429, 'not_sent'],
    [0, 'unknown'],
  ])('tells what %i means: %s', async (status, kind) => expect(await sent(status)).toMatchObject({ name: 'PeerFailure', kind }));

  it('passes a wished pause on', async () => expect(await sent(429, {}, { 'retry-after': '7' })).toMatchObject({ retryAfterSeconds: 7 }));

  it('recognizes an address without a server, and a forbidden one', async () => {
    const site = await serve(() => {});
    const { origin } = site;
    await site[Symbol.asyncDispose]();
    await using open = testClient({ allowPrivate: true });
    await using closed = testClient({ allowPrivate: false });
    const to = { endpointUrl: origin, card: null, credential: null };
    await expect(signalboxPeers(open).send(to, task, never)).rejects.toMatchObject({ kind: 'not_sent' });
    await expect(signalboxPeers(closed).send(to, task, never)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('cancels, and is content when there is nothing left to cancel', async () => {
    let status = 200;
    const seen: string[] = [];
    await using site = await serve((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(status).end();
    });
    await using web = testClient({ allowPrivate: true });
    const cancel = () => signalboxPeers(web).cancel({ endpointUrl: `${site.origin}/`, card: null, credential: null }, 'a/b', never);
    for (status of [200, 404, 409]) await cancel();
    status = 500;
    await expect(cancel()).rejects.toMatchObject({ kind: 'not_sent' });
    expect(seen[0]).toBe('DELETE /a2a/tasks/a%2Fb');
  });
});
