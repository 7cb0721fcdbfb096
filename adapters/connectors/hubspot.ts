import type { Client } from '@hubspot/api-client';
import type { PropertyValue } from '../../contracts/outbound/connectors.ts';
import { AppError } from '../../contracts/errors.ts';
import { providerError, rateLimited, unanswered } from './failures.ts';
import type { Connector, ProviderCall } from './types.ts';

const name = 'HubSpot';
const timeoutMs = 8_000;

interface Change {
  deal_id: string;
  properties: Record<string, PropertyValue>;
}

/** `PATCH /crm/v3/objects/deals/{id}`. The same values written twice are written once. */
export function hubspot(url: string): Connector {
  return {
    async send(call) {
      const { deal_id, properties } = call.request as unknown as Change;
      const client = await open(url, call.token);
      const deal = await asked(call, () => client.crm.deals.basicApi.update(deal_id, { properties: asText(properties) }));
      return { deal_id: deal.id, updated_at: timeOf(deal.updatedAt) };
    },

    async find(call) {
      const { deal_id, properties } = call.request as unknown as Change;
      const wanted = asText(properties);
      const client = await open(url, call.token);
      try {
        const deal = await asked(call, () => client.crm.deals.basicApi.getById(deal_id, Object.keys(wanted)));
        const done = Object.entries(wanted).every(([key, value]) => (deal.properties[key] ?? '') === value);
        return done ? { deal_id: deal.id, updated_at: timeOf(deal.updatedAt) } : 'absent';
      } catch (error) {
        // It may not read deals; writing the same again does no harm.
        if (error instanceof AppError && error.details?.['outcome'] === 'refused') return 'absent';
        if (error instanceof AppError && error.details?.['outcome'] === 'not_sent') throw error;
        throw providerError('SERVICE_UNAVAILABLE', `${name} did not answer.`, 'not_sent', 'lookup_failed', { cause: error });
      }
    },
  };
}

/** Values as HubSpot keeps them; an empty one clears the property. */
const asText = (properties: Record<string, PropertyValue>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, value === null ? '' : String(value)]));

const timeOf = (time: Date | string | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

async function open(url: string, accessToken: string): Promise<Client> {
  const { Client: HubSpot } = await import('@hubspot/api-client');
  return new HubSpot({ accessToken, basePath: url.replace(/\/+$/, ''), numberOfApiCallRetries: 0 });
}

/** The library has no time limit of its own. */
async function asked<T>({ signal }: ProviderCall, work: () => Promise<T>): Promise<T> {
  const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  try {
    return await Promise.race([
      work(),
      new Promise<never>((_resolve, reject) => limit.addEventListener('abort', () => reject(limit.reason as Error), { once: true })),
    ]);
  } catch (error) {
    throw explained(error);
  }
}

/** @param error with `code`, an HTTP status, when HubSpot has answered */
function explained(error: unknown): AppError {
  const { code: status, headers } = error as { code?: unknown; headers?: Record<string, string> };
  if (typeof status !== 'number') return unanswered(name, error);
  if (status === 429) return rateLimited(name, Number(headers?.['retry-after']) || undefined);
  if (status >= 500) return providerError('SERVICE_UNAVAILABLE', `${name} failed (HTTP ${status}).`, 'unknown', `http_${status}`);
  const reason = `http_${status}`;
  if (status === 401) {
    return providerError('FORBIDDEN', 'HubSpot does not accept the mounted token.', 'refused', 'invalid_auth', {
      hint: 'Whoever runs this mounts HubSpot with a new token: connector.mount.set.',
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
