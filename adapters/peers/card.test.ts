import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { failureOf, reasonOf, servePages, testClient } from '../web/testing.ts';
import { fetchCard } from './card.ts';
import { a2aAgent } from './testing.ts';

const answering =
  (body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const skills = [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: [] }];
const card = {
  name: 'A',
  description: 'B',
  version: '1',
  capabilities: {},
  skills,
  supportedInterfaces: [{ url: 'https://a.example/rpc/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

test.each(['jsonrpc-1.0', 'jsonrpc-0.3', 'rest-1.0'] as const)('%s, by the agent’s address', async (spoken) => {
  await using agent = await a2aAgent(spoken, () => {});
  await using web = testClient();
  expect(await fetchCard(web, agent.site.origin)).toEqual({
    card: agent.card,
    endpointUrl: `${agent.site.origin}/rpc`,
    name: 'Tester',
    description: 'An agent of tests',
    capabilities: [{ name: 'echo', description: 'Says it again', parameters_schema: {}, returns_schema: {} }],
  });
});

test('by its own address, below a path, and at the older place', async () => {
  await using site = await servePages({
    '/cards/one.json': answering(card),
    '/agents/x/.well-known/agent-card.json': answering({ ...card, name: 'X' }),
    '/.well-known/agent.json': answering({ ...card, name: 'Old' }),
  });
  await using web = testClient();
  const found = await fetchCard(web, `${site.origin}/cards/one.json`);
  expect(found).toMatchObject({ name: 'A', endpointUrl: 'https://a.example/rpc' });
  expect(site.requests).toEqual(['GET /cards/one.json']);
  expect((await fetchCard(web, `${site.origin}/agents/x`)).name).toBe('X');
  expect((await fetchCard(web, `${site.origin}/agents/y/`)).name).toBe('Old');
  expect((await fetchCard(web, site.origin)).name).toBe('Old');
});

test('a binding that is not spoken here is passed over', async () => {
  const [rpc] = card.supportedInterfaces;
  const grpc = { ...rpc, url: 'grpc.example:443', protocolBinding: 'GRPC' };
  await using site = await servePages({
    '/both.json': answering({ ...card, supportedInterfaces: [grpc, rpc] }),
    '/grpc.json': answering({ ...card, supportedInterfaces: [grpc] }),
  });
  await using web = testClient();
  expect((await fetchCard(web, `${site.origin}/both.json`)).endpointUrl).toBe('https://a.example/rpc');
  const error = await failureOf(fetchCard(web, `${site.origin}/grpc.json`));
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('GRPC') });
});

describe('invalid cards', () => {
  test.each([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['no name', '{"skills":[]}'],
    ['no interface', JSON.stringify({ ...card, supportedInterfaces: [] })],
    ['skills that are none', JSON.stringify({ ...card, skills: [{ name: 'x' }] })],
  ])('%s', async (_, body) => {
    await using site = await servePages({ '/card.json': answering(body) });
    await using web = testClient();
    const error = await failureOf(fetchCard(web, `${site.origin}/card.json`));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(reasonOf(error)).toBe('not_a_card');
  });

  test('nothing there says where it was looked for', async () => {
    await using site = await servePages({});
    await using web = testClient();
    const error = await failureOf(fetchCard(web, `${site.origin}/agents/z`));
    expect(error.code).toBe('NOT_FOUND');
    expect(error.hint).toContain('/agents/z/.well-known/agent-card.json');
  });

  test('a private address is not asked', async () => {
    await using site = await servePages({ '/.well-known/agent-card.json': answering(card) });
    await using web = testClient({ allowPrivate: false });
    expect(reasonOf(await failureOf(fetchCard(web, site.origin)))).toBe('private_address');
    expect(site.requests).toEqual([]);
  });
});
