import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOnlyRoles, roles } from '../contracts/caller.ts';
import { access, routes, type Access } from './access.ts';
import { declareAccess } from './plugins/access.ts';
import { buildServer } from './server.ts';
import { testCaller, testConfig, testParts } from './testing.ts';

/** The request reached its handler. */
const passed = 299;

/** Every route, and every operation of routes with several: the request, and who may send it. */
const requests = Object.entries(routes).flatMap(([route, who]) => {
  const [method = '', url = ''] = route.split(' ');
  // `::` is Fastify's spelling of a colon.
  const path = url
    .replaceAll(/(?<!:):\w+/g, 'x')
    .replaceAll('::', ':')
    .replace('*', 'x');
  const one = { route, method: method === 'ALL' ? 'GET' : method, path, body: {} as object };
  if (typeof who === 'string') return [{ ...one, who }];
  return [...Object.entries(who.each), ['anything else', who.others] as [string, Access]].map(([name, each]) => ({
    ...one,
    route: `${route} ${name}`,
    path: path.replace(/tasks\/x$/, `tasks/x:${name}`),
    body: { method: name },
    who: each,
  }));
});

describe('who may call a route', () => {
  const app = buildServer(
    testParts({
      config: testConfig({ OIDC_ISSUER: 'https://issuer.example' }),
      authenticate: async (secret) => {
        const role = roles.find((one) => one === secret);
        return role ? testCaller(role, { role }) : null;
      },
    }),
  );
  beforeAll(async () => {
    // After the checks, before the route's handler.
    app.addHook('preHandler', async (_request, reply) => reply.code(passed).send());
    await app.ready();
  });
  afterAll(() => app.close());

  let asked = 0;
  const ask = async ({ method, path, body }: (typeof requests)[number], key?: string) =>
    await app.inject({
      method: method as 'GET',
      url: path,
      // After too many requests without a key from one address, further ones are refused.
      remoteAddress: `127.0.${Math.floor((asked += 1) / 200)}.${asked % 200}`,
      headers: { host: 'localhost', ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(method === 'POST' ? { payload: body } : {}),
    });

  it('is listed of every route that there is, and of no other', () => {
    const gone = Object.keys(routes).filter((route) => {
      const [method = '', url = ''] = route.split(' ');
      return !app.hasRoute({ method: method === 'ALL' ? 'GET' : method, url });
    });
    expect(gone).toEqual([]);
    expect(requests.length).toBeGreaterThan(100);
  });

  it.each(requests)('$route: $who', async (request) => {
    const open = access[request.who].admits === null;
    const without = await ask(request);
    // Routes that only list methods answer before any handler.
    if (open) expect(without.statusCode).not.toBe(401);
    // Without a key, these answer the console's own pages, or those of Temporal's UI, alone.
    else expect(without.statusCode).toBe(['console', 'decoder'].includes(request.who) ? 403 : 401);
    if (open) return;
    const admitted: string[] = [];
    for (const role of roles) {
      const { statusCode, body } = await ask(request, role);
      // A2A's own routes have no store here.
      expect([passed, 404, 403]).toContain(statusCode);
      if (statusCode === 403) expect(body).toContain(request.who === 'decoder' ? 'Only people with the role' : 'read-only');
      else admitted.push(role);
    }
    // The callers are agents, and only people may decode.
    const expected = { writer: roles.filter((role) => !readOnlyRoles.has(role)), decoder: [] as string[] };
    expect(admitted).toEqual(request.who in expected ? expected[request.who as keyof typeof expected] : roles);
  });

  it('stays as it was read by people', () => {
    const writing = requests.filter(({ who }) => who === 'writer').map(({ route }) => route);
    for (const name of ['message', 'Message', 'cancel', 'Cancel', 'pushNotificationConfig', 'PushNotificationConfig'])
      expect(writing.join('\n')).toContain(name);
    const reading = requests.filter(({ who }) => who === 'key').map(({ route }) => route);
    expect(reading.filter((route) => /send|cancel|create|\/set|push.*delete/i.test(route))).toEqual([]);
  });
});

it('a route of which nobody said who may call it cannot be registered', () => {
  const app = fastify();
  declareAccess(app);
  expect(() => app.get('/secrets', async () => 'everything')).toThrow(/api\/access\.ts who may call GET \/secrets/);
  expect(() => app.route({ method: ['GET', 'POST'], url: '/mcp', handler: async () => '' })).toThrow(/api\/access\.ts/);
});
