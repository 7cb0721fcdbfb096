import { AgentCard } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { z } from 'zod';
import type { Capability } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import type { WebClient } from '../web/types.ts';

/** A standard A2A agent, from its card. */
export interface FoundCard {
  /** As served. */
  card: Record<string, unknown>;
  /** Of the preferred interface. */
  endpointUrl: string;
  /** Its skills, named by id. */
  capabilities: Capability[];
  name: string;
  description: string;
}

/** Supported bindings. */
const bindings = ['JSONRPC', 'HTTP+JSON'];
const wellKnown = ['.well-known/agent-card.json', '.well-known/agent.json'];
const maxBytes = 1_000_000;
const maxSkills = 200;

/** Required fields of a card in either version. */
const cardShape = z.looseObject({
  name: z.string().min(1).max(512),
  description: z.string().nullish(),
  skills: z
    .array(z.looseObject({ id: z.string().min(1).max(128), name: z.string().nullish(), description: z.string().nullish() }))
    .max(maxSkills)
    .default([]),
});

/**
 * Reads the card of an agent, protocol 1.0 or 0.3.
 * @param url of the card, or of the agent: then the well-known addresses below it and at its host are tried
 * @throws {AppError} NOT_FOUND (no card there), VALIDATION_ERROR (not a card; no supported binding; address refused),
 * SERVICE_UNAVAILABLE, TIMEOUT
 */
export async function fetchCard(web: WebClient, url: string): Promise<FoundCard> {
  const places = placesOf(url);
  let last: unknown;
  for (const place of places) {
    try {
      const { bytes } = await web.fetch(place, { accept: 'application/json', headers: { 'a2a-version': '1.0' }, maxBytes });
      return readCard(new TextDecoder().decode(bytes), place);
    } catch (error) {
      // No card at this address: try the next one.
      const elsewhere = error instanceof AppError && (error.code === 'NOT_FOUND' || error.details?.['reason'] === 'not_a_card');
      if (!elsewhere) throw error;
      last = error;
    }
  }
  if (places.length === 1) throw last;
  throw new AppError('NOT_FOUND', `No agent card was found at ${new URL(url).host}.`, {
    hint: `Give the address of the card itself. Tried: ${places.map((place) => new URL(place).pathname).join(', ')}.`,
    details: { tried: places },
    cause: last,
  });
}

function placesOf(text: string): string[] {
  // The client refuses an invalid URL with its own error.
  if (!URL.canParse(text)) return [text];
  const url = new URL(text);
  if (url.pathname.endsWith('.json')) return [url.href];
  const base = new URL(`${url.pathname.replace(/\/+$/, '')}/`, url.origin);
  const below = wellKnown.map((path) => new URL(path, base).href);
  const atHost = wellKnown.map((path) => new URL(path, url.origin).href);
  const itself = base.pathname === '/' ? [] : [url.href];
  return [...new Set([...below, ...atHost, ...itself])];
}

const notACard = (place: string, why: string): AppError =>
  new AppError('VALIDATION_ERROR', `The document at ${place} is not an agent card: ${why}.`, {
    hint: 'Give the address of an A2A agent card.',
    details: { reason: 'not_a_card' },
  });

function readCard(text: string, place: string): FoundCard {
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch {
    throw notACard(place, 'it is not JSON');
  }
  const shape = cardShape.safeParse(card);
  if (!shape.success) {
    const [issue] = shape.error.issues;
    throw notACard(place, `${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'unreadable'}`);
  }
  const known = card as Record<string, unknown>;
  const spoken = normalizedCard(known).supportedInterfaces ?? [];
  if (spoken.length === 0) throw notACard(place, 'it names no interface');
  const preferred = spoken.find((each) => bindings.includes(each.protocolBinding?.toUpperCase()));
  if (!preferred || !URL.canParse(preferred.url)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `${shape.data.name} speaks ${spoken.map((each) => each.protocolBinding).join(', ')}, which is not spoken here.`,
      {
        hint: 'JSONRPC and HTTP+JSON are.',
        details: { reason: 'no_binding' },
      },
    );
  }
  return {
    card: known,
    endpointUrl: preferred.url.replace(/\/+$/, ''),
    name: shape.data.name,
    description: shape.data.description ?? '',
    capabilities: shape.data.skills.map((skill) => ({
      name: skill.id,
      description: (skill.description ?? skill.name ?? '').slice(0, 4_000),
      parameters_schema: {},
      returns_schema: {},
    })),
  };
}

/** A card of either version in the form of 1.0. */
export function normalizedCard(card: Record<string, unknown>): AgentCard {
  const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
  const isNew = Array.isArray(card['supportedInterfaces']) && card['supportedInterfaces'].length > 0;
  return isNew ? AgentCard.fromJSON(card) : resolver.normalizeAgentCard(card);
}
