import type { PropertyValue } from '../../contracts/outbound/connectors.ts';
import type { AppError } from '../../contracts/errors.ts';
import { lookedUp, providerError, rateLimited, unanswered } from './failures.ts';
import type { Connector, ProviderCall } from './types.ts';

const name = 'HubSpot';
const timeoutMs = 8_000;

interface Change {
  deal_id: string;
  properties: Record<string, PropertyValue>;
}

interface Deal {
  id: string;
  properties?: Record<string, string | null>;
  updatedAt?: string;
}

/** `PATCH /crm/v3/objects/deals/{id}`. Idempotent: it sets values. */
export function hubspot(url: string): Connector {
  const deals = `${url.replace(/\/+$/, '')}/crm/v3/objects/deals/`;
  return {
    async send(call) {
      const { deal_id, properties } = call.request as unknown as Change;
      const deal = await asked(call, deals + encodeURIComponent(deal_id), { properties: asText(properties) });
      return { deal_id: deal.id, updated_at: timeOf(deal.updatedAt) };
    },

    async find(call) {
      const { deal_id, properties } = call.request as unknown as Change;
      const wanted = asText(properties);
      const shown = new URLSearchParams({ properties: Object.keys(wanted).join(',') });
      // Where it may not read deals, writing the same again does no harm.
      return await lookedUp(name, 'absent', async () => {
        const deal = await asked(call, `${deals}${encodeURIComponent(deal_id)}?${shown}`);
        const done = Object.entries(wanted).every(([key, value]) => (deal.properties?.[key] ?? '') === value);
        return done ? { deal_id: deal.id, updated_at: timeOf(deal.updatedAt) } : 'absent';
      });
    },
  };
}

/** Values in HubSpot's form; an empty one clears the property. */
const asText = (properties: Record<string, PropertyValue>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value === null ? '' : String(value)]));

const timeOf = (time: string | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

/** @param changes none: read the deal */
async function asked({ token, signal }: ProviderCall, address: string, changes?: object): Promise<Deal> {
  let response: Response;
  let deal: Deal | null;
  try {
    response = await fetch(address, {
      method: changes ? 'PATCH' : 'GET',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...(changes ? { 'content-type': 'application/json' } : {}) },
      ...(changes ? { body: JSON.stringify(changes) } : {}),
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    if (!response.ok) await response.body?.cancel();
    deal = response.ok ? ((await response.json()) as Deal) : null;
  } catch (error) {
    throw unanswered(name, error);
  }
  if (deal === null) throw refused(response.status, response.headers);
  return deal;
}

function refused(status: number, headers: Headers): AppError {
  if (status === 429) return rateLimited(name, Number(headers.get('retry-after')) || undefined);
  if (status >= 500) return providerError('SERVICE_UNAVAILABLE', `${name} failed (HTTP ${status}).`, 'unknown', `http_${status}`);
  const reason = `http_${status}`;
  if (status === 401) {
    return providerError('FORBIDDEN', 'HubSpot does not accept the mounted token.', 'refused', 'invalid_auth', {
      hint: 'An admin must mount HubSpot with a new token: connector.mount.set.',
    });
  }
  if (status === 403) {
    return providerError('FORBIDDEN', 'The mounted HubSpot token may not do this.', 'refused', 'missing_scope', {
      hint: 'It needs crm.objects.deals.write.',
    });
  }
  if (status === 404) {
    return providerError('NOT_FOUND', 'HubSpot knows no such deal.', 'refused', 'deal_not_found', {
      hint: 'deal_id is the number in the address of the deal.',
    });
  }
  return providerError('VALIDATION_ERROR', `HubSpot refuses it (HTTP ${status}).`, 'refused', reason, {
    hint: 'Are these names of deal properties, and values that they may have?',
  });
}
