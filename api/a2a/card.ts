import { AgentCard } from '@a2a-js/sdk';
import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { ServerCallContext, type A2ARequestHandler } from '@a2a-js/sdk/server';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Skill } from '../../contracts/agents/a2a.ts';
import { readOnlyRoles, type Caller } from '../../contracts/caller.ts';
import { skills, workSkill } from '../../engines/intents/skills.ts';
import type { Catalogue } from '../../tools/catalogue/catalogue.ts';
import type { ServerParts } from '../parts.ts';
import { version } from '../../platform/version.ts';
import { enabled } from './enabled.ts';

/** Maximum tools on an extended card, because a client's model reads the list. */
const maxTools = 200;

const defaultInputModes = ['text/plain', 'application/json'];
const defaultOutputModes = ['text/plain', 'text/markdown', 'application/json'];

/** Media types that at least one skill accepts. */
export const inputModes: ReadonlySet<string> = new Set([...defaultInputModes, ...skills.flatMap((skill) => skill.inputModes)]);

/** The platform's address, and whether it needs a key. */
interface Place {
  endpoint: string;
  keyed: boolean;
}

const security = {
  securitySchemes: {
    apiKey: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key', description: 'A key of this installation' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'The same key as a bearer token' } },
  },
  securityRequirements: [{ schemes: { apiKey: { list: [] } } }, { schemes: { bearer: { list: [] } } }],
};

/** The card in the protocol's own JSON, 1.0. */
function cardJson({ endpoint, keyed }: Place, offered: readonly Skill[]): Record<string, unknown> {
  const at = (url: string, protocolBinding: string, protocolVersion: string) => ({
    url: `${endpoint}${url}`,
    protocolBinding,
    protocolVersion,
    tenant: '',
  });
  return {
    name: 'Signalbox',
    description: 'A durable place where agents find evidence, knowledge, tools and each other. Takes plain words or structured input.',
    version,
    provider: { organization: 'Signalbox', url: endpoint },
    documentationUrl: `${endpoint}/docs`,
    supportedInterfaces: [
      at('/a2a', 'JSONRPC', '1.0'),
      at('/a2a/rest', 'HTTP+JSON', '1.0'),
      at('/a2a', 'JSONRPC', '0.3'),
      at('/a2a/rest', 'HTTP+JSON', '0.3'),
    ],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [] },
    ...(keyed ? security : {}),
    defaultInputModes,
    defaultOutputModes,
    // 1.0 has no field for deprecation and allows no other fields: a tag marks it.
    skills: offered.map(({ tools: _tools, deprecated, ...skill }) =>
      deprecated ? { ...skill, tags: [...skill.tags, 'deprecated'] } : skill,
    ),
  };
}

export const publicCard = (place: Place): AgentCard => AgentCard.fromJSON(cardJson(place, skills));

/** What the key of a request may use: the skills, the board, and each tool. */
export function extendedCard(place: Place, catalogue: Catalogue, caller: Caller): AgentCard {
  // A caller that may not send messages cannot use skills.
  const listed = readOnlyRoles.has(caller.role) ? [] : catalogue.list(caller, 'unified');
  const tools = listed.filter(({ name }) => !catalogue.find(name)?.tool.standsIn);
  const json = ['application/json'];
  const others = tools.slice(0, maxTools).map(({ name, title, description }) => ({
    id: name,
    name: title ?? name,
    description: `${description ?? ''} Send a data part {"tool": "${name}", "arguments": {…}}.`.trim(),
    tags: ['tool', name.split('.')[0] ?? name],
    examples: [],
    inputModes: json,
    outputModes: defaultOutputModes,
    tools: [name],
  }));
  const work = {
    id: workSkill,
    name: 'Have work done',
    description:
      'Becomes a task on the board for the agents of this platform. Send a data part {"skill": "work", "arguments": {"description": "…"}}.',
    tags: ['work'],
    examples: [],
    inputModes: defaultInputModes,
    outputModes: defaultOutputModes,
    tools: ['work.task.create'],
  };
  const board = tools.some(({ name }) => name === 'work.task.create') ? [work] : [];
  const callable = new Set(tools.map(({ name }) => name));
  const able = skills.filter((skill) => skill.tools.some((tool) => callable.has(tool)));
  return AgentCard.fromJSON(cardJson(place, [...able, ...board, ...others]));
}

interface CardJson {
  capabilities: object;
  securitySchemes?: Record<string, object>;
  skills: { id: string }[];
}

/** One card for clients of 0.3 and 1.0, with an extra field for deprecated skills. */
export async function supersetCard(card: AgentCard): Promise<Record<string, unknown>> {
  const modern = AgentCard.toJSON(card) as CardJson;
  const handler = { getAuthenticatedExtendedAgentCard: async () => card } as unknown as A2ARequestHandler;
  const legacy = (await new LegacyRestTransportHandler(handler).getAuthenticatedExtendedAgentCard(
    new ServerCallContext(),
  )) as unknown as CardJson;
  const schemes = legacy.securitySchemes ?? {};
  return {
    ...modern,
    ...legacy,
    capabilities: { ...modern.capabilities, ...legacy.capabilities },
    // Without keys there is no extended card.
    supportsAuthenticatedExtendedCard: Object.keys(schemes).length > 0,
    securitySchemes: Object.fromEntries(
      Object.entries(schemes).map(([name, scheme]) => [name, { ...scheme, ...modern.securitySchemes?.[name] }]),
    ),
    skills: modern.skills.map((skill, i) => ({
      ...skill,
      ...legacy.skills[i],
      deprecated: skills.some(({ id, deprecated }) => id === skill.id && deprecated === true),
    })),
  };
}

/**
 * The card, at both well-known addresses. A client that names no version may be one of 0.3: it gets the card for both
 * versions, unless configured otherwise. Public.
 */
export function installCard(app: FastifyInstance, parts: ServerParts): void {
  const since = new Date();
  const bodies = new Map<string, Promise<{ body: string; etag: string }>>();

  async function render(endpoint: string, old: boolean): Promise<{ body: string; etag: string }> {
    const card = publicCard({ endpoint, keyed: parts.config.AUTH_MODE !== 'local' });
    const body = JSON.stringify(old ? await supersetCard(card) : AgentCard.toJSON(card));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, old: boolean): Promise<FastifyReply> {
    const endpoint = enabled(parts).settings.endpointUrl;
    const key = `${endpoint} ${old}`;
    const rendering = bodies.get(key) ?? render(endpoint, old);
    bodies.set(key, rendering);
    const { body, etag } = await rendering;
    const vary = [reply.getHeader('vary'), 'A2A-Version'].filter(Boolean).join(', ');
    reply.headers({ etag, vary, 'last-modified': since.toUTCString(), 'cache-control': 'public, max-age=60' });
    const known = request.headers['if-none-match'];
    const asked = known?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    const unchanged = asked
      ? asked.includes(etag) || asked.includes('*')
      : Date.parse(request.headers['if-modified-since'] ?? '') >= Math.floor(since.getTime() / 1000) * 1000;
    if (unchanged) return await reply.code(304).send();
    return await reply.type('application/json').send(body);
  }

  const old = (request: FastifyRequest): boolean => {
    const named = String(request.headers['a2a-version'] ?? '').trim();
    return named === '' ? parts.config.A2A_CARD === 'both' : !named.startsWith('1.');
  };
  app.get('/.well-known/agent-card.json', (request, reply) => serve(request, reply, old(request)));
  app.get('/.well-known/agent.json', (request, reply) => serve(request, reply, true));
}
