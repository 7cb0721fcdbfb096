import { CallError } from './errors.ts';
import { sessionEnded, Store } from './signals.ts';

/** The remaining calls of the session, from the last answer. */
export const limit = new Store<{ limit: number; remaining: number; resetSeconds: number } | null>(null);

/**
 * A request to the console's API.
 *
 * @param options.keepalive it arrives even if the page is left before its answer
 * @throws CallError
 */
export async function http(
  method: string,
  path: string,
  body?: unknown,
  { signal, headers, keepalive = false }: { signal?: AbortSignal; headers?: Record<string, string>; keepalive?: boolean } = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/console/api/${path}`, {
      method,
      keepalive,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallError(0, null);
  }
  const [most, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => Number(response.headers.get(`ratelimit-${name}`)));
  if (most) limit.set({ limit: most, remaining: remaining!, resetSeconds: resetSeconds! });
  if (response.ok) return response;
  const text = await response.text();
  const after = Number(response.headers.get('retry-after')) || undefined;
  let envelope = null;
  try {
    envelope = JSON.parse(text);
  } catch {}
  if (response.status === 401 && !(method === 'POST' && path === 'session')) sessionEnded.fire();
  throw new CallError(response.status, envelope, after);
}
