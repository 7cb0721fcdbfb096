/** Clients that support elicitation get the question for their user; an agent cannot approve its own call in this way. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { Approval } from '../../contracts/governance/policy.ts';
import { apiOf } from '../setup/api.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

type Key = Caller & { apiKey: string };
interface Asked {
  mode?: string;
  message: string;
  url?: string;
  elicitationId?: string;
}
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
type Person = (asked: Asked) => Answer | Promise<Answer>;
interface Called {
  isError?: boolean;
  structuredContent: { status: string; data: Record<string, unknown>; error?: { code: string; message: string } };
}

let stack: TestStack;
let app: ReturnType<typeof apiOf>;
let url: URL;
let pam: Key;
let robo: Key;
const clients: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  stack = await testStack({ model: false });
  app = apiOf(stack);
  url = new URL('/mcp', await app.listen({ port: 0, host: '127.0.0.1' }));
  pam = await stack.caller({ role: 'pm', name: 'pam' });
  robo = await stack.caller({ role: 'agent', name: 'robo' });
  await stack.ok(await stack.caller({ role: 'admin', name: 'ann' }), 'system.policy.save', {
    name: 'standard',
    base: 'standard',
    rules: [{ when: 'tool.name == "schema.definition.register"', effect: 'ask', reason: 'Schemas are looked at.' }],
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await app?.close();
  await stack?.stop();
});

const tool = 'schema.definition.register';
let made = 0;
const schema = () => ({ name: `asked${(made += 1)}`, version: '1.0.0', json_schema: { type: 'object' } });

const kinds = {
  '2026': async (key: Key, elicitation: Record<string, {}>, person: Person) => {
    const client = new Client({ name: 'desk', version: '1' }, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation } });
    client.setRequestHandler('elicitation/create', async ({ params }) => (await person(params as unknown as Asked)) as never);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': key.apiKey } } }));
    clients.push(client);
    return client;
  },
  '2025': async (key: Key, elicitation: Record<string, {}>, person: Person) => {
    const client = new OldClient({ name: 'desk', version: '1' }, { capabilities: { elicitation } });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => (await person(params as unknown as Asked)) as never);
    await client.connect(new OldHttp(url, { requestInit: { headers: { 'x-api-key': key.apiKey } } }));
    clients.push(client);
    return client as unknown as Client;
  },
};
const call = async (client: Client, args: object, name = tool): Promise<Called> =>
  (await client.callTool({ name, arguments: args as Record<string, unknown> })) as unknown as Called;
const stored = async (args: { name: string }): Promise<number> =>
  (await stack.ok<{ schemas: unknown[] }>(pam, 'schema.definition.list', { prefix: args.name })).schemas.length;
const approvalOf = async (args: { name: string }): Promise<Approval | undefined> =>
  (await stack.ok<{ approvals: Approval[] }>(pam, 'approval.request.list', { status: 'all' })).approvals.find(
    (each) => (each.arguments as { name?: string }).name === args.name,
  );

describe.each(Object.entries(kinds))('%s', (_kind, connect) => {
  it('asks whoever may decide by a form, through system.tool.call as well, and does as it says', async () => {
    const asked: Asked[] = [];
    const client = await connect(pam, { form: {} }, (question) => {
      asked.push(question);
      return { action: 'accept', content: { decision: 'approve', note: 'fine' } };
    });
    const [direct, inner] = [schema(), schema()];
    expect((await call(client, direct)).structuredContent).toMatchObject({ status: 'success', data: { existed: false } });
    const answer = await call(client, { name: tool, arguments: inner }, 'system.tool.call');
    expect(answer.structuredContent).toMatchObject({ status: 'success', data: { existed: false } });
    expect(asked.map(({ message }) => message)).toEqual(Array(2).fill(`pam wants to call ${tool}. Schemas are looked at.`));
    expect(await approvalOf(direct)).toMatchObject({ status: 'completed', decided_by: 'pam', note: 'fine Through the client "desk".' });
    expect([await stored(direct), await stored(inner)]).toEqual([1, 1]);
  });

  it('does not run what the person rejects, and leaves open what they put off', async () => {
    const answers: Answer[] = [
      { action: 'accept', content: { decision: 'reject', note: 'not now' } },
      { action: 'cancel' },
      { action: 'decline' },
    ];
    const client = await connect(pam, {}, () => answers.shift()!);
    const [no, later, never] = [schema(), schema(), schema()];
    const refused = await call(client, no);
    expect([refused.isError, refused.structuredContent.error?.code]).toEqual([true, 'FORBIDDEN']);
    expect(refused.structuredContent.error?.message).toContain('not now');
    for (const args of [later, never]) {
      expect((await call(client, args)).structuredContent.status).toBe('pending_approval');
      expect((await approvalOf(args))?.status).toBe('pending');
    }
    expect([await stored(no), await stored(later), await stored(never)]).toEqual([0, 0, 0]);
  });

  it('never lets a form of an agent decide', async () => {
    const asked: Asked[] = [];
    const client = await connect(robo, { form: {} }, (question) => {
      asked.push(question);
      return { action: 'accept', content: { decision: 'approve' } };
    });
    const args = schema();
    expect((await call(client, args)).structuredContent.status).toBe('pending_approval');
    expect([asked, await stored(args), (await approvalOf(args))?.status]).toEqual([[], 0, 'pending']);
  });

  it('sends the person at an agent to a page, where they decide with their own key', async () => {
    const asked: Asked[] = [];
    const client = await connect(robo, { form: {}, url: {} }, async (question) => {
      asked.push(question);
      const page = await fetch(question.url!);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('key of your own')]);
      const id = question.url!.split('/').at(-1)!;
      // The agent's own key cannot decide there either.
      expect((await stack.call(robo, 'approval.request.approve', { approval_id: id })).error?.code).toBe('FORBIDDEN');
      const said = await fetch(new URL('/api/tools/approval.request.approve', question.url), {
        method: 'POST',
        headers: { 'x-api-key': pam.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ approval_id: id }),
      });
      expect(said.status).toBe(200);
      return { action: 'accept' };
    });
    const args = schema();
    expect((await call(client, args)).structuredContent).toMatchObject({ status: 'success', data: { existed: false } });
    expect(asked).toMatchObject([{ mode: 'url', message: `robo wants to call ${tool}. Schemas are looked at.` }]);
    expect(await approvalOf(args)).toMatchObject({ status: 'completed', decided_by: 'pam' });
  });
});

it('asks nobody through a client that does not declare it', async () => {
  const client = new OldClient({ name: 'desk', version: '1' });
  await client.connect(new OldHttp(url, { requestInit: { headers: { 'x-api-key': pam.apiKey } } }));
  clients.push(client);
  expect((await call(client as unknown as Client, schema())).structuredContent.status).toBe('pending_approval');
});

it('the page tells nothing by itself', async () => {
  const page = await fetch(new URL('/approvals/apr_0123456789', url));
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'/);
  expect((await fetch(new URL('/approvals/%3Cscript%3E', url))).status).toBe(404);
});
